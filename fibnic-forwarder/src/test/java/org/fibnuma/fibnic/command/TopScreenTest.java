package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two samples of a router, 2 s apart, and the screens that follow from them. */
class TopScreenTest
{
    private static JsonNode figures;

    @BeforeAll
    static void compute() throws Exception
    {
        figures = TopFigures.between("r", new TopFigures.Sample(
            5_000_000_000L,
            json("{'ports':[" +
                "{'name':'left','state':'up','rxFrames':1000,'rxBytes':64000,'txFrames':7,'txBytes':700," +
                "'rxRingFull':3}," +
                "{'name':'right','state':'up','rxFrames':0,'rxBytes':0,'txFrames':500,'txBytes':0,'rxDropped':9}]}"),
            json("{'received':1000,'forwarded':900,'punted':10,'dropped':90,'held':0," +
                "'drops':[{'reason':'ipv4-no-route','frames':90}]}"),
            json("{'workers':[{'worker':0,'received':1000,'polls':100,'idlePolls':50,'cpuUs':100}," +
                "{'worker':1,'received':0,'polls':0,'idlePolls':0,'cpuUs':null}]}")), new TopFigures.Sample(
            7_000_000_000L,
            json("{'ports':[" +
                "{'name':'left','state':'up','rxFrames':1000,'rxBytes':64000,'txFrames':7,'txBytes':700," +
                "'rxRingFull':3}," +
                "{'name':'right','state':'down','rxFrames':2469134,'rxBytes':158024576,'txFrames':520,'txBytes':2560," +
                "'rxDropped':19}," +
                "{'name':'new','state':'up','rxFrames':50,'rxBytes':50,'txFrames':0,'txBytes':0}]}"),
            json("{'received':2470134,'forwarded':2470000,'punted':10,'dropped':124,'held':4," +
                "'drops':[{'reason':'ipv4-ttl-expired','frames':4},{'reason':'ipv4-no-route','frames':120}]}"),
            json("{'workers':[{'worker':0,'received':2470134,'polls':200100,'idlePolls':100050,'cpuUs':1000100}," +
                "{'worker':1,'received':0,'polls':20,'idlePolls':20,'cpuUs':null}]}")));
    }

    @Test
    void shouldShowRatesInTables()
    {
        assertEquals(String.join("\n",
            "router r  over 2.0 s",
            "packets/s:  received 1.23M  forwarded 1.23M  punted 0  dropped 17  held now 4",
            "",
            "PORT   STATE   RX PKT/S   RX BIT/S   TX PKT/S   TX BIT/S     LOST/S",
            "right  down       1.23M       632M         10      10.2k          5",
            "left   up             0          0          0          0          0",
            "new    up             0          0          0          0          0",
            "",
            "DROP REASON           PKT/S      TOTAL",
            "ipv4-no-route            15        120",
            "ipv4-ttl-expired          2          4",
            "",
            "WORKER      PKT/S      BATCH     BUSY %      CPU %     NS/PKT",
            "0           1.23M       24.7       50.0       50.0        405",
            "1               0          -        0.0          -          -"),
            screen(TopScreen.UNLIMITED, TopScreen.UNLIMITED));
    }

    @Test
    void shouldSayHowManyRowsAScreenHasNoRoomFor()
    {
        assertEquals(String.join("\n",
            "router r  over 2.0 s",
            "packets/s:  received 1.23M  forwarded 1.",
            "",
            "PORT   STATE   RX PKT/S   RX BIT/S   TX ",
            "right  down       1.23M       632M      ",
            "and 2 more",
            "",
            "DROP REASON           PKT/S      TOTAL",
            "and 2 more",
            "",
            "WORKER      PKT/S      BATCH     BUSY % ",
            "and 2 more"), screen(40, 12));
    }

    @Test
    void shouldFitEveryScreen()
    {
        for (int columns = 1; columns < 90; columns++)
        {
            for (int rows = 1; rows < 20; rows++)
            {
                final int width = columns;
                final List<AttributedString> lines = TopScreen.lines(figures, columns, rows);
                assertTrue(lines.size() <= rows, lines.size() + " lines of " + rows);
                assertTrue(lines.stream().allMatch(line -> line.columnLength() <= width));
            }
        }
    }

    @Test
    void shouldShowEmptyTables() throws Exception
    {
        final JsonNode none = TopFigures.between("r",
            new TopFigures.Sample(0, json("{'ports':[]}"), json("{'drops':[]}"), json("{'workers':[]}")),
            new TopFigures.Sample(1, json("{'ports':[]}"), json("{'drops':[]}"), json("{'workers':[]}")));

        assertEquals(3, TopScreen.lines(none, 80, 24).stream().filter(line -> line.toString().equals("none")).count());
    }

    @Test
    void shouldKeepFiguresAsNumbers()
    {
        assertEquals(1_234_567.0, figures.get("received").asDouble());
        assertEquals(632_098_304.0, figures.get("ports").get(0).get("rxBits").asDouble());
        assertEquals(405.0, figures.get("workers").get(0).get("nsPerFrame").asDouble());
    }

    private static String screen(final int columns, final int rows)
    {
        return TopScreen.lines(figures, columns, rows).stream()
            .map(AttributedString::toString).collect(Collectors.joining("\n"));
    }

    private static JsonNode json(final String text) throws Exception
    {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }
}
