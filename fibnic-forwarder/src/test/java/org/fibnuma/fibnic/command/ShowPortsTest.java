package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Two answers of a router, 2 s apart, and the text that follows from them. */
class ShowPortsTest
{
    private static final long SPEED = 100_000_000_000L;
    private static final double SECONDS = 2;
    private static final String FROM =
        "{'hostRestrictionsBypassed':1,'ports':[" +
        "{'name':'left','rxFrames':1000,'rxBytes':64000,'txFrames':5,'txBytes':500}]," +
        "'vlans':[{'name':'left.100','rxFrames':0,'rxBytes':0,'txFrames':0,'txBytes':0}]}";
    private static final String TO =
        "{'hostRestrictionsBypassed':1,'ports':[" +
        "{'name':'left','device':'xdp:eth1','mode':'zero-copy, bursts by redirect','state':'up'," +
        "'addresses':['10.0.0.1/24','2001:db8::1/64'],'forwarding':'router','ipv6Forwarding':'router'," +
        "'rxFrames':5000,'rxBytes':320000,'txFrames':25,'txBytes':2500,'dropped':1234567,'lost':12}," +
        "{'name':'right','device':'xdp:eth2','mode':'copy','state':'down','addresses':[]," +
        "'forwarding':'router','ipv6Forwarding':'kernel','rxFrames':7,'rxBytes':700,'txFrames':7,'txBytes':700," +
        "'dropped':0,'lost':0}]," +
        "'vlans':[{'name':'left.100','port':'left','protocol':'802.1q','id':100,'state':'up','forwarding':'kernel'," +
        "'ipv6Forwarding':'router','rxFrames':2,'rxBytes':200,'txFrames':4,'txBytes':400}]}";

    @Test
    void shouldPrintCompactTables() throws Exception
    {
        assertEquals(String.join(System.lineSeparator(),
            "hostRestrictionsBypassed  1",
            "",
            "name   device    mode       link     forwarding  rxPkt/s  rxBit/s  txPkt/s  txBit/s  lost  dropped",
            "left   xdp:eth1  zero-copy  up 100G  router      2.00k    1.02M    10       8.00k    12    1.23M",
            "right  xdp:eth2  copy       down     ipv4 only   0        0        0        0        0     0",
            "",
            "vlan      port  receives    link  forwarding  rxPkt/s  rxBit/s  txPkt/s  txBit/s",
            "left.100  left  802.1q 100  up    ipv6 only   1        800      2        1.60k",
            ""), print(ShowPorts.tables(json(FROM), json(TO), SECONDS,
                port -> port.get("state").asText().equals("up") ? SPEED : 0)));
    }

    @Test
    void shouldPrintOnePortWithAllFields() throws Exception
    {
        assertEquals(String.join(System.lineSeparator(),
            "name            left",
            "device          xdp:eth1",
            "mode            zero-copy, bursts by redirect",
            "state           up",
            "addresses       10.0.0.1/24, 2001:db8::1/64",
            "forwarding      router",
            "ipv6Forwarding  router",
            "rxFrames        5000",
            "rxBytes         320000",
            "txFrames        25",
            "txBytes         2500",
            "dropped         1234567",
            "lost            12",
            "speed           100G",
            "rxPkt/s         2.00k",
            "rxBit/s         1.02M",
            "txPkt/s         10",
            "txBit/s         8.00k",
            ""), print(ShowPorts.detail(json(FROM), json(TO), SECONDS, port -> SPEED)));
    }

    @Test
    void shouldSayWhereOnlyFlowsAreForwarded() throws Exception
    {
        final String row = "'rxFrames':0,'rxBytes':0,'txFrames':0,'txBytes':0,'dropped':0,'lost':0}";
        final JsonNode answer = json("{'ports':[" +
            "{'name':'a','forwarding':'flows','ipv6Forwarding':'flows'," + row + "," +
            "{'name':'b','forwarding':'flows','ipv6Forwarding':'kernel'," + row + "," +
            "{'name':'c','forwarding':'router','ipv6Forwarding':'flows'," + row + "," +
            "{'name':'d','forwarding':'flows'," + row + "],'vlans':[]}");
        final JsonNode ports = ShowPorts.tables(answer, answer, SECONDS, port -> SPEED).get("ports");
        assertEquals(4, ports.size());
        ports.forEach(port -> assertEquals("flows", port.get("forwarding").asText(), port.get("name").asText()));
    }

    @Test
    void shouldFitIn120ColumnsWithTheLongestValues() throws Exception
    {
        final String counters = "'rxFrames':99900000000000,'rxBytes':99900000000000," +
            "'txFrames':99900000000000,'txBytes':99900000000000,";
        final String longest = "{'ports':[{'name':'a-name-that-is-longer-than-an-interface','device':" +
            "'fault:loss=1,dup=1,reorder=1,corrupt=1,delay-us=50,seed=7/xdp:enp193s0f1np1'," +
            "'mode':'zero-copy, loss 1%','state':'down','forwarding':'router','ipv6Forwarding':'kernel'," + counters +
            "'dropped':99900000000000,'lost':99900000000000}]," +
            "'vlans':[{'name':'enp193s0f1.4094','port':'a-name-that-is-longer-than-an-interface'," +
            "'protocol':'802.1q','id':4094,'outerProtocol':'802.1ad','outer':4094,'state':'gone'," + counters +
            "'forwarding':'router','ipv6Forwarding':'kernel'}]}";
        final String text = print(ShowPorts.tables(json("{'ports':[],'vlans':[]}"), json(longest), 1e-9,
            port -> 2_500_000_000L));
        assertEquals(120, text.lines().mapToInt(String::length).max().orElse(0), text);
        assertEquals(5, text.lines().count(), text);
    }

    private static String print(final JsonNode answer)
    {
        final StringWriter text = new StringWriter();
        final PrintWriter out = new PrintWriter(text);
        AnswerPrinter.print(answer, out, AnswerPrinter.COLUMNS);
        out.flush();
        return text.toString();
    }

    private static JsonNode json(final String text) throws Exception
    {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }
}
