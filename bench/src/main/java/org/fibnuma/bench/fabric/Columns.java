package org.fibnuma.bench.fabric;

import java.util.Map;
import java.util.function.Predicate;

/** Columns of a table as numbers, for plots. */
final class Columns
{
    private Columns()
    {
    }

    static double[] of(final CsvTable table, final String column)
    {
        return of(table, column, row -> true);
    }

    static double[] of(final CsvTable table, final String column, final Predicate<Map<String, Object>> rows)
    {
        return table.toList().stream().filter(rows)
            .mapToDouble(row -> ((Number)row.get(column)).doubleValue()).toArray();
    }
}
