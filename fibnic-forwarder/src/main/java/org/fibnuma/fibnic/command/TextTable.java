package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Flat objects as a table that fits a number of columns. If it is wider, items of arrays get lines of their own. If
 * that is not enough, the longest texts are cut, or each object is printed as lines {@code name value}.
 */
final class TextTable
{
    private static final String GAP = "  ";
    private static final String CUT = "...";
    /** Least width of a cut text: the longest name of an interface. */
    private static final int LEAST_TEXT = 15;

    private final JsonNode rows;
    private final List<String> names;
    private final int[] leastWidths;

    /** Creates a table of one object or more, of scalars and arrays of scalars. */
    TextTable(final JsonNode rows)
    {
        this.rows = rows;
        final Set<String> all = new LinkedHashSet<>();
        rows.forEach(row -> row.properties().forEach(field -> all.add(field.getKey())));
        names = List.copyOf(all);
        leastWidths = names.stream().mapToInt(this::leastWidth).toArray();
    }

    private int leastWidth(final String name)
    {
        int width = name.length();
        for (final JsonNode row : rows)
        {
            final JsonNode value = row.path(name);
            for (final String item : items(value))
            {
                width = Math.max(width, value.isNumber() ? item.length() : Math.min(item.length(), LEAST_TEXT));
            }
        }
        return width;
    }

    void print(final PrintWriter out, final int columns)
    {
        final List<List<String>> oneLineRows = lines(false);
        final List<List<String>> lines = total(widths(oneLineRows)) <= columns ? oneLineRows : lines(true);
        final int[] widths = widths(lines);
        shrink(widths, columns);
        if (total(widths) <= columns)
        {
            lines.forEach(line -> out.println(text(line, widths)));
        }
        else
        {
            printObjects(out);
        }
    }

    private List<List<String>> lines(final boolean isItemPerLine)
    {
        final List<List<String>> lines = new ArrayList<>(List.of(names));
        for (final JsonNode row : rows)
        {
            final List<List<String>> cells = names.stream()
                .map(name -> isItemPerLine ? items(row.path(name)) : List.of(text(row.path(name)))).toList();
            final int height = cells.stream().mapToInt(List::size).max().orElse(0);
            for (int line = 0; line < height; line++)
            {
                final int number = line;
                lines.add(cells.stream().map(cell -> number < cell.size() ? cell.get(number) : "").toList());
            }
        }
        return lines;
    }

    private int[] widths(final List<List<String>> lines)
    {
        final int[] widths = new int[names.size()];
        lines.forEach(line -> Arrays.setAll(widths, column -> Math.max(widths[column], line.get(column).length())));
        return widths;
    }

    private static int total(final int[] widths)
    {
        return Arrays.stream(widths).sum() + (widths.length - 1) * GAP.length();
    }

    /** Makes the widest columns narrower until the table fits or all have their least width. */
    private void shrink(final int[] widths, final int columns)
    {
        for (int excess = total(widths) - columns; excess > 0; excess--)
        {
            int widest = -1;
            for (int column = 0; column < widths.length; column++)
            {
                if (widths[column] > leastWidths[column] && (widest < 0 || widths[column] > widths[widest]))
                {
                    widest = column;
                }
            }
            if (widest < 0)
            {
                return;
            }
            widths[widest]--;
        }
    }

    private static String text(final List<String> cells, final int[] widths)
    {
        final StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++)
        {
            final String cell = cells.get(column);
            final int width = widths[column];
            line.append(cell.length() <= width ? AnswerPrinter.pad(cell, width) :
                cell.substring(0, width - CUT.length()) + CUT).append(GAP);
        }
        return line.toString().stripTrailing();
    }

    private void printObjects(final PrintWriter out)
    {
        boolean isFirst = true;
        for (final JsonNode row : rows)
        {
            if (!isFirst)
            {
                out.println();
            }
            isFirst = false;
            AnswerPrinter.printScalars(row, out);
        }
    }

    /** Returns a value as text: the items of an array with commas, "-" for none. */
    static String text(final JsonNode value)
    {
        return String.join(",", items(value));
    }

    private static List<String> items(final JsonNode value)
    {
        final List<String> items = new ArrayList<>();
        if (value.isArray())
        {
            value.forEach(item -> items.add(item.asText()));
        }
        else if (!value.isMissingNode() && !value.isNull())
        {
            items.add(value.asText());
        }
        return items.isEmpty() ? List.of("-") : items;
    }
}
