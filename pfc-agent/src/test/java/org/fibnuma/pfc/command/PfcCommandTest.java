package org.fibnuma.pfc.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.DocumentedJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Options, JSON names and exit status of the commands. */
class PfcCommandTest
{
    /** Four ports, so that each of two lossless priorities has an eighth of the memory. */
    private static final String PORTS = IntStream.range(0, 4)
        .mapToObj(i -> "[[port]]\nname = \"p" + i + "\"\ndevice = \"mem:p" + i + "\"\n").collect(Collectors.joining());

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldPrintHeadroomAsJson() throws IOException
    {
        assertEquals(0, run("headroom --speed 100G --cable 40 --mtu 9100 --model sonic --json"));
        final JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertEquals(80_896, answer.path("xoff").asLong());
        assertEquals(19_456, answer.path("xon").asLong());
        assertEquals(100_352, answer.path("size").asLong());
        assertEquals(9100, answer.path("terms").path("mtu").asInt());
        assertTrue(answer.path("xoff").isIntegralNumber());
        DocumentedJson.assertMatches("pfc headroom", answer);
    }

    @Test
    void shouldPrintThePoolOfAPortWithEightLanes() throws IOException
    {
        final String command = "headroom --speed 400G --cable 40 --mtu 9216 --model sonic --cell 144 --json ";
        assertEquals(0, run(command));
        assertEquals(246_784, new ObjectMapper().readTree(out.toString()).path("size").asLong());
        assertEquals(0, run(command + "--lanes 4"));
        assertEquals(219_136, new ObjectMapper().readTree(out.toString()).path("size").asLong());
        assertEquals(0, run(command + "--over-subscribe 2 --ports 64 --priorities 2"));
        final JsonNode shared = new ObjectMapper().readTree(out.toString());
        assertEquals(37_888, shared.path("size").asLong());
        // 64 x (2 x 199,680 - 10,240) / 2
        assertEquals(12_451_840, shared.path("sharedHeadroomPool").asLong());
        DocumentedJson.assertMatches("pfc headroom", shared);
        assertEquals(2, run(command + "--over-subscribe 0.5"));
        assertTrue(err.toString().contains("over-subscription ratio of 0.5 is out of range"), err.toString());
        assertEquals(2, run("headroom --speed 400G --over-subscribe 2"));
        assertTrue(err.toString().contains("use --model sonic"), err.toString());
    }

    @Test
    void shouldPrintWhatDcqcnAllows() throws IOException
    {
        assertEquals(0, run("headroom --speed 40G --buffer 12000000 --ports 32 --flight 22400 --beta 8 --json"));
        final JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertEquals(24_475, answer.path("dcqcn").path("pfcThreshold").asInt());
        assertEquals(21_755, answer.path("dcqcn").path("ecnThreshold").asInt());
        DocumentedJson.assertMatches("pfc headroom", answer);
    }

    @Test
    void shouldRefuseWrongUsageWithStatusTwo()
    {
        assertEquals(2, run("headroom --speed 100 --cable 40"));
        assertTrue(err.toString().contains("\"100\" is not a speed"), err.toString());
        assertEquals(2, run("headroom --speed 10G --model best"));
        assertEquals(2, run("simulate --policy best"));
        assertEquals(2, run("simulate --load 1.5"));
        assertEquals(2, run("simulate --divisor 32"));
        assertEquals(2, run("simulate --arbitration islip"));
        assertTrue(err.toString().contains("use one of all-heads, one-request"), err.toString());
        assertEquals(2, run(""));
    }

    @Test
    void shouldNameTheArbitrationOfASimulation() throws IOException
    {
        final String command = "simulate --ports 8 --load 1 --policy pooc --slots 5000 ";
        assertEquals(0, run(command));
        assertTrue(out.toString().startsWith("arbitration               all-heads\n"), out.toString());
        assertEquals(0, run(command + "--json --arbitration one-request"));
        final JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertEquals("one-request", answer.path("arbitration").asText());
        assertTrue(answer.path("throughput").asDouble() > 0);
    }

    @Test
    void shouldSimulateTheSameBytesForTheSameSeed() throws IOException
    {
        final String command = "simulate --ports 8 --load 0.75 --policy cdptc --gain 7 --divisor 16 --burst 8 " +
            "--slots 20000 --json --seed ";
        assertEquals(0, run(command + 1));
        final String first = out.toString();
        assertEquals(0, run(command + 1));
        assertEquals(first, out.toString());
        assertEquals(0, run(command + 2));
        assertTrue(!first.equals(out.toString()));
        final JsonNode answer = new ObjectMapper().readTree(first);
        DocumentedJson.assertMatches("pfc simulate", answer);
        for (final String name : new String[]{
            "controlPacketsPerPort", "lost", "throughput", "underflows", "seconds"})
        {
            assertTrue(answer.path(name).isNumber(), name);
        }
        for (final String name : new String[]{"min", "mean", "max"})
        {
            assertTrue(answer.path("pauseQuanta").path(name).isNumber(), name);
        }
    }

    @Test
    void shouldDrawTheFigures() throws IOException
    {
        final String command = "simulate --ports 4 --slots 2000 --load 0.9 --sweep --output ";
        assertEquals(0, run(command + folder.resolve("a")));
        assertEquals(0, run(command + folder.resolve("b") + " --json"));
        DocumentedJson.assertMatches("pfc simulate", new ObjectMapper().readTree(out.toString()));
        for (final String name : new String[]{"figure4.csv", "figure5.csv", "figure4.svg", "figure5.svg"})
        {
            assertEquals(
                Files.readString(folder.resolve("a").resolve(name)),
                Files.readString(folder.resolve("b").resolve(name)));
        }
        assertEquals(33, Files.readAllLines(folder.resolve("a/figure4.csv")).size());
        final String plot = Files.readString(folder.resolve("a/figure4.svg"));
        assertTrue(plot.contains("paper: 85 % fewer than POOC") && plot.contains("paper: R = 7"), plot);
        assertTrue(plot.startsWith("<svg ") && plot.endsWith("</svg>\n"));
    }

    @Test
    void shouldFindThatPfcFiresBeforeEcnAtHalfOfTheMemory()
    {
        // The overview's case: two ingress ports to one egress, marking from 50 % of the shared memory on.
        assertEquals(1, check("lossless = [3, 4]\nbuffer-bytes = 12000000\necn-min-percent = 50\n"));
        assertTrue(out.toString().contains("error: pfc: PFC fires before ECN"), out.toString());
        assertEquals(1, out.toString().lines().count());
    }

    @Test
    void shouldFindNothingAtATenthOfTheMemory()
    {
        assertEquals(0, check("lossless = [3, 4]\nbuffer-bytes = 12000000\necn-min-percent = 10\n"));
        assertTrue(out.toString().endsWith(": ok\n"), out.toString());
    }

    @Test
    void shouldWarnBetweenOneThresholdAndTwo()
    {
        assertEquals(0, check("xoff-bytes = 100000\necn-min-bytes = 150000\n"));
        assertTrue(out.toString().contains("warning: pfc: marking starts at 150000 bytes"), out.toString());
    }

    @Test
    void shouldFindHeadroomThatDoesNotFit()
    {
        assertEquals(1, check("speed = \"100G\"\nbuffer-bytes = 100000\n"));
        assertTrue(out.toString().contains("uses up the"), out.toString());
        assertEquals(1, check("headroom-bytes = 1000\n"));
        assertTrue(out.toString().contains("headroom-bytes of 1000 is below the"), out.toString());
        assertEquals(1, check("xoff-bytes = 100000\nbuffer-bytes = 800000\n"));
        assertTrue(out.toString().contains("4 ports with 2 lossless priorities need"), out.toString());
    }

    @Test
    void shouldAddTheDelayOfThePortsInterface()
    {
        // 10,000 ns are 12,500 bytes at 10 Gb/s, the default is 2,368.
        assertEquals(1, check("headroom-bytes = 1\n"));
        final long usual = neededBytes();
        assertEquals(1, check("headroom-bytes = 1\ninterface-ns = 10000\n"));
        assertEquals(usual - 2_368 + 12_500, neededBytes());
        assertEquals(1, check("interface-ns = -1\n"));
        assertTrue(err.toString().contains("pfc.interface-ns"), err.toString());
    }

    private long neededBytes()
    {
        return Long.parseLong(out.toString().replaceAll("(?s).*is below the (\\d+) bytes.*", "$1"));
    }

    @Test
    void shouldFindThresholdsOutOfOrder()
    {
        assertEquals(1, check("xoff-bytes = 100000\nxon-bytes = 100000\n"));
        assertTrue(out.toString().contains("xon-bytes of 100000 is not below"), out.toString());
        assertEquals(1, check("ecn-min-bytes = 2000\necn-max-bytes = 1000\n"));
        assertTrue(out.toString().contains("swap them"), out.toString());
    }

    @Test
    void shouldNameFileLineAndKeyOfAPort()
    {
        assertEquals(1, check("[[pfc.port]]\nname = \"p1\"\nxoff-bytes = 10\nxon-bytes = 20\n"));
        assertTrue(out.toString().contains(".toml:15: error: pfc.port \"p1\": xon-bytes of 20"), out.toString());
        assertEquals(1, check("lossles = [3]\ndscp-map = [\"64:1\"]\n[[pfc.port]]\nname = \"q\"\n"));
        assertTrue(err.toString().contains(".toml:14: pfc.lossles: unknown key"), err.toString());
        assertTrue(err.toString().contains(".toml:15: pfc.dscp-map: \"64:1\" is not DSCP:PRIORITY"), err.toString());
        assertTrue(err.toString().contains("unknown port \"q\""), err.toString());
    }

    @Test
    void shouldSayWhereThereIsNothingToCheck() throws IOException
    {
        final Path file = Files.writeString(folder.resolve("r.toml"), PORTS);
        assertEquals(1, run("check -c " + file));
        assertTrue(err.toString().contains("pfc: is missing"), err.toString());
        assertEquals(1, run("check -c " + folder.resolve("none.toml")));
        assertTrue(err.toString().contains("cannot be read"), err.toString());
    }

    @Test
    void shouldPrintFindingsAsJson() throws IOException
    {
        final Path file = Files.writeString(
            folder.resolve("r.toml"), PORTS + "[pfc]\nxoff-bytes = 100000\necn-min-bytes = 150000\n");
        assertEquals(0, run("check --json -c " + file));
        DocumentedJson.assertMatches("pfc check", new ObjectMapper().readTree(out.toString()));
    }

    private int check(final String table)
    {
        try
        {
            return run("check -c " + Files.writeString(folder.resolve("r.toml"), PORTS + "[pfc]\n" + table));
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private int run(final String arguments)
    {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        final CommandLine commandLine = PfcCommand.commandLine()
            .setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return commandLine.execute(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    }
}
