package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Prints an answer as text: scalars as lines {@code name value}, arrays of flat objects as tables, and "none" for an
 * answer without any of them.
 */
final class AnswerPrinter
{
    private static final String GAP = "  ";

    private AnswerPrinter()
    {
    }

    static void print(final JsonNode answer, final PrintWriter out)
    {
        final int width = longestScalarName(answer);
        final List<JsonNode> tables = new ArrayList<>();
        for (final Map.Entry<String, JsonNode> field : answer.properties())
        {
            if (field.getValue().isArray())
            {
                tables.add(field.getValue());
            }
            else
            {
                out.println(pad(field.getKey(), width) + GAP + text(field.getValue()));
            }
        }
        boolean isFirst = width == 0;
        for (final JsonNode table : tables)
        {
            if (!table.isEmpty())
            {
                if (!isFirst)
                {
                    out.println();
                }
                isFirst = false;
                printTable(table, out);
            }
        }
        if (isFirst)
        {
            out.println("none");
        }
    }

    private static void printTable(final JsonNode rows, final PrintWriter out)
    {
        final Set<String> columns = new LinkedHashSet<>();
        rows.forEach(row -> row.properties().forEach(field -> columns.add(field.getKey())));
        final List<StringBuilder> lines = new ArrayList<>();
        for (int i = 0; i <= rows.size(); i++)
        {
            lines.add(new StringBuilder());
        }
        for (final String column : columns)
        {
            final List<String> cells = new ArrayList<>();
            cells.add(column);
            rows.forEach(row -> cells.add(text(row.path(column))));
            final int width = cells.stream().mapToInt(String::length).max().orElse(0);
            for (int i = 0; i < cells.size(); i++)
            {
                lines.get(i).append(pad(cells.get(i), width)).append(GAP);
            }
        }
        if (!rows.isEmpty())
        {
            lines.forEach(line -> out.println(line.toString().stripTrailing()));
        }
    }

    private static int longestScalarName(final JsonNode answer)
    {
        int width = 0;
        for (final Map.Entry<String, JsonNode> field : answer.properties())
        {
            width = field.getValue().isArray() ? width : Math.max(width, field.getKey().length());
        }
        return width;
    }

    private static String text(final JsonNode value)
    {
        if (value.isMissingNode() || value.isNull())
        {
            return "-";
        }
        if (value.isArray())
        {
            final List<String> items = new ArrayList<>();
            value.forEach(item -> items.add(item.asText()));
            return items.isEmpty() ? "-" : String.join(",", items);
        }
        return value.asText();
    }

    private static String pad(final String text, final int width)
    {
        return text + " ".repeat(width - text.length());
    }
}
