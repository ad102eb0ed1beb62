package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Prints an answer as text: scalars as lines {@code name value}, arrays of flat objects as tables, and "none" for an
 * empty answer.
 */
final class AnswerPrinter
{
    /** Most columns of a table without {@code --wide}. */
    static final int COLUMNS = 120;

    private static final String GAP = "  ";

    private AnswerPrinter()
    {
    }

    /** Prints an object of scalars and arrays of flat objects; no table is wider than a number of columns. */
    static void print(final JsonNode answer, final PrintWriter out, final int columns)
    {
        final ObjectNode scalars = answer.deepCopy();
        final List<JsonNode> tables = new ArrayList<>();
        for (final Map.Entry<String, JsonNode> field : answer.properties())
        {
            if (field.getValue().isArray())
            {
                scalars.remove(field.getKey());
                if (!field.getValue().isEmpty())
                {
                    tables.add(field.getValue());
                }
            }
        }
        printScalars(scalars, out);
        boolean isFirst = scalars.isEmpty();
        for (final JsonNode table : tables)
        {
            if (!isFirst)
            {
                out.println();
            }
            isFirst = false;
            new TextTable(table).print(out, columns);
        }
        if (isFirst)
        {
            out.println("none");
        }
    }

    /** Prints each field of an object as a line. */
    static void printScalars(final JsonNode object, final PrintWriter out)
    {
        final int width = object.properties().stream().mapToInt(field -> field.getKey().length()).max().orElse(0);
        object.properties().forEach(
            field -> out.println(pad(field.getKey(), width) + GAP + TextTable.text(field.getValue())));
    }

    static String pad(final String text, final int width)
    {
        return text + " ".repeat(width - text.length());
    }
}
