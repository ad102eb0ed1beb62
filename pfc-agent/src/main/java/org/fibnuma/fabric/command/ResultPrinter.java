package org.fibnuma.fabric.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

import java.io.PrintWriter;
import java.util.Collection;
import java.util.Map;

/** Prints a result: as JSON, or for people one line {@code name value}, lists one item a line below their name. */
public final class ResultPrinter
{
    private ResultPrinter()
    {
    }

    /**
     * Prints and flushes.
     *
     * @param result by name, in the order of the output.
     * @param json   whether as JSON.
     * @param out    to print on.
     * @throws JsonProcessingException where a value has no form in JSON.
     */
    public static void print(final Map<String, Object> result, final boolean json, final PrintWriter out)
        throws JsonProcessingException
    {
        if (json)
        {
            out.println(new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(result));
        }
        else
        {
            final int width = result.keySet().stream().mapToInt(String::length).max().orElse(0);
            result.forEach((name, value) -> printLine(name + " ".repeat(width - name.length()), value, out));
        }
        out.flush();
    }

    private static void printLine(final String name, final Object value, final PrintWriter out)
    {
        if (value instanceof Collection<?> items)
        {
            out.println(name + "  " + (items.isEmpty() ? "-" : ""));
            items.forEach(item -> out.println("    " + item));
        }
        else
        {
            out.println(name + "  " + value);
        }
    }
}
