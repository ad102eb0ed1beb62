package org.fibnuma.bench.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** Rows of a result, for CSV, for display and for JSON. */
final class CsvTable
{
    private final String name;
    private final List<String> columns;
    private final List<List<Object>> rows = new ArrayList<>();

    CsvTable(final String name, final String... columns)
    {
        this.name = name;
        this.columns = List.of(columns);
    }

    void add(final Object... values)
    {
        rows.add(List.of(values));
    }

    String name()
    {
        return name;
    }

    /** Returns a column of numbers, for plots. */
    double[] column(final String column)
    {
        return column(column, row -> true);
    }

    /** Returns a column of numbers in the rows that fulfil a condition, for plots. */
    double[] column(final String column, final Predicate<Map<String, Object>> condition)
    {
        return toList().stream().filter(condition)
            .mapToDouble(row -> ((Number)row.get(column)).doubleValue()).toArray();
    }

    List<Map<String, Object>> toList()
    {
        final List<Map<String, Object>> list = new ArrayList<>();
        for (final List<Object> row : rows)
        {
            final Map<String, Object> object = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++)
            {
                object.put(columns.get(i), row.get(i));
            }
            list.add(object);
        }
        return list;
    }

    void write(final Path folder) throws IOException
    {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(folder.resolve(name + ".csv"))))
        {
            out.println(String.join(",", columns));
            for (final List<Object> row : rows)
            {
                final List<String> cells = new ArrayList<>();
                row.forEach(value -> cells.add(text(value).replace(',', ';')));
                out.println(String.join(",", cells));
            }
        }
    }

    void print(final PrintWriter out)
    {
        out.println(name);
        final int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++)
        {
            widths[i] = columns.get(i).length();
            for (final List<Object> row : rows)
            {
                widths[i] = Math.max(widths[i], text(row.get(i)).length());
            }
        }
        out.println(line(List.copyOf(columns), widths));
        rows.forEach(row -> out.println(line(row, widths)));
        out.println();
        out.flush();
    }

    private static String line(final List<?> cells, final int[] widths)
    {
        final StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++)
        {
            final String text = text(cells.get(i));
            line.append(text).append(" ".repeat(widths[i] - text.length() + 2));
        }
        return line.toString().stripTrailing();
    }

    private static String text(final Object value)
    {
        return value instanceof Double ? String.format(Locale.ROOT, "%.4f", value) : String.valueOf(value);
    }
}
