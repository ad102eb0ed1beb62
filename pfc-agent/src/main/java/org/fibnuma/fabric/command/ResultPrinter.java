package org.fibnuma.fabric.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

import java.io.PrintWriter;
import java.util.Collection;
import java.util.Map;

/** Prints a result as JSON or as lines {@code name value}; a list has one line for each item below its name. */
public final class ResultPrinter
{
    private ResultPrinter()
    {
    }

    /**
     * Prints a result and flushes.
     *
     * @param result values by name, in the order of the output.
     * @param json   whether to print JSON.
     * @param out    output.
     * @throws JsonProcessingException if a value cannot be converted to JSON.
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
