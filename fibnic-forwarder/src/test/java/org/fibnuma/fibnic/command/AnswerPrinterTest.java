package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;

import static org.junit.jupiter.api.Assertions.assertEquals;

class AnswerPrinterTest
{
    @Test
    void shouldPrintScalarsBeforeAlignedTables() throws Exception
    {
        assertEquals(String.join(System.lineSeparator(),
            "routes    2",
            "balanced  true",
            "",
            "name    addresses          via",
            "a       10.0.0.1,10.0.0.2  -",
            "longer  -                  10.0.0.9",
            ""), print(
                "{\"routes\":2,\"rows\":[{\"name\":\"a\",\"addresses\":[\"10.0.0.1\",\"10.0.0.2\"],\"via\":null}," +
                "{\"name\":\"longer\",\"addresses\":[],\"via\":\"10.0.0.9\"}],\"balanced\":true}"));
    }

    @Test
    void shouldPrintNoneWithoutRows() throws Exception
    {
        final String none = "none" + System.lineSeparator();
        assertEquals(none, print("{\"acl\":[]}"));
        assertEquals(none, print("{\"priorities\":[],\"ignoredPauses\":[]}"));
        assertEquals("routes  0" + System.lineSeparator(), print("{\"routes\":0,\"rows\":[]}"));
    }

    private static String print(final String json) throws Exception
    {
        final StringWriter text = new StringWriter();
        final PrintWriter out = new PrintWriter(text);
        AnswerPrinter.print(new ObjectMapper().readTree(json), out);
        out.flush();
        return text.toString();
    }
}
