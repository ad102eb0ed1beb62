package org.fibnuma.fibnic.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A demo that has run in this process.
 *
 * @param status exit status.
 * @param output what it printed as its result.
 * @param errors what it said meanwhile.
 */
record DemoRun(int status, String output, String errors)
{
    static DemoRun of(final String... arguments)
    {
        final StringWriter output = new StringWriter();
        final StringWriter errors = new StringWriter();
        final int status = new CommandLine(new DemoCommand())
            .setOut(new PrintWriter(output)).setErr(new PrintWriter(errors)).execute(arguments);
        return new DemoRun(status, output.toString(), errors.toString());
    }

    /**
     * Asserts that every ping of a family was answered, that the trace shows the router and then the destination, and
     * that the flood was forwarded.
     */
    static void assertFamily(final JsonNode family, final int routes, final String routerAddress)
    {
        assertEquals(routes, family.get("routes").asInt());
        assertEquals(family.get("pingsSent").asLong(), family.get("pingsReceived").asLong());
        assertTrue(family.get("pingsSent").asLong() > 1000);
        assertTrue(family.get("latencyUs").get("p50").asDouble() > 0);
        assertTrue(family.get("latencyUs").get("p999").asDouble() >= family.get("latencyUs").get("p50").asDouble());
        assertEquals(2, family.get("trace").size());
        assertEquals(routerAddress, family.get("trace").get(0).get("address").asText());
        assertTrue(family.get("floodPackets").asLong() > 0);
        assertTrue(family.get("mpps").asDouble() > 0);
    }

    JsonNode json() throws IOException
    {
        return new ObjectMapper().readTree(output);
    }
}
