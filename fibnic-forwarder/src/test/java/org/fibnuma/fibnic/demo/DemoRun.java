package org.fibnuma.fibnic.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;

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

    JsonNode json() throws IOException
    {
        return new ObjectMapper().readTree(output);
    }
}
