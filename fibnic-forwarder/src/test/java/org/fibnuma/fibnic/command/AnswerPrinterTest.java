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
                "{\"name\":\"longer\",\"addresses\":[],\"via\":\"10.0.0.9\"}],\"balanced\":true}",
                AnswerPrinter.COLUMNS));
    }

    @Test
    void shouldPrintNoneWithoutRows() throws Exception
    {
        final String none = "none" + System.lineSeparator();
        assertEquals(none, print("{\"acl\":[]}", AnswerPrinter.COLUMNS));
        assertEquals(none, print("{\"priorities\":[],\"ignoredPauses\":[]}", AnswerPrinter.COLUMNS));
        assertEquals("routes  0" + System.lineSeparator(), print("{\"routes\":0,\"rows\":[]}", AnswerPrinter.COLUMNS));
    }

    @Test
    void shouldBreakArraysOfATableThatIsTooWide() throws Exception
    {
        final String routes = "{\"routes\":[{\"prefix\":\"10.0.0.0/8\",\"via\":[\"10.0.0.2\",\"10.0.1.2\"]," +
            "\"weight\":[1,3],\"source\":\"main\"},{\"prefix\":\"::/0\",\"via\":null,\"source\":\"fpm\"}]}";
        assertEquals(text(
            "prefix      via                weight  source",
            "10.0.0.0/8  10.0.0.2,10.0.1.2  1,3     main",
            "::/0        -                  -       fpm"), print(routes, 45));
        assertEquals(text(
            "prefix      via       weight  source",
            "10.0.0.0/8  10.0.0.2  1       main",
            "            10.0.1.2  3",
            "::/0        -         -       fpm"), print(routes, 44));
    }

    @Test
    void shouldCutTheLongestTextsOfATableThatIsTooWide() throws Exception
    {
        final String rules = "{\"rules\":[{\"list\":\"a-list-with-a-name\",\"text\":\"permit tcp from 10.0.0.0/24\"," +
            "\"frames\":12345678901234567890}]}";
        assertEquals(text(
            "list                text                         frames",
            "a-list-with-a-name  permit tcp from 10.0.0.0/24  12345678901234567890"), print(rules, 69));
        assertEquals(text(
            "list                text                frames",
            "a-list-with-a-name  permit tcp from...  12345678901234567890"), print(rules, 60));
        assertEquals(text(
            "list             text             frames",
            "a-list-with-...  permit tcp f...  12345678901234567890"), print(rules, 54));
    }

    @Test
    void shouldPrintLinesWhereATableCannotBeNarrowEnough() throws Exception
    {
        final String rows = "{\"name\":\"r\",\"rows\":[{\"port\":\"left\",\"addresses\":[\"10.0.0.1\",\"::1\"]}," +
            "{\"port\":\"right\",\"storms\":7}]}";
        assertEquals(text(
            "name  r",
            "",
            "port       left",
            "addresses  10.0.0.1,::1",
            "",
            "port    right",
            "storms  7"), print(rows, 23));
        assertEquals(text(
            "name  r",
            "",
            "port   addresses  storms",
            "left   10.0.0.1   -",
            "       ::1",
            "right  -          7"), print(rows, 24));
    }

    private static String text(final String... lines)
    {
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    private static String print(final String json, final int columns) throws Exception
    {
        final StringWriter text = new StringWriter();
        final PrintWriter out = new PrintWriter(text);
        AnswerPrinter.print(new ObjectMapper().readTree(json), out, columns);
        out.flush();
        return text.toString();
    }
}
