package org.fibnuma.bench.report;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One line of a figure or row of a table. Values are rounded, above 1,000 to whole numbers and below to three decimals,
 * so that every form of the report has the same.
 *
 * @param name   what was measured.
 * @param values one for each column of the figure; NaN for none.
 */
record Series(String name, double... values)
{
    private static final double WHOLE = 1000;
    private static final double DECIMALS = 1000;

    Series
    {
        values = Arrays.stream(values).map(Series::rounded).toArray();
    }

    private static double rounded(final double value)
    {
        return !Double.isFinite(value) ? Double.NaN :
            Math.abs(value) >= WHOLE ? Math.rint(value) : Math.rint(value * DECIMALS) / DECIMALS;
    }

    /** Returns whether no column has a value. */
    boolean isEmpty()
    {
        return Arrays.stream(values).allMatch(Double::isNaN);
    }

    /** Returns the values as text, with commas between thousands; "-" for none. */
    List<String> texts()
    {
        return Arrays.stream(values).mapToObj(Series::text).toList();
    }

    private static String text(final double value)
    {
        return Double.isNaN(value) ? "-" :
            value == Math.rint(value) ? String.format(Locale.ROOT, "%,d", (long)value) :
            BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** Returns name and values for JSON; null for none. */
    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", name);
        map.put("values", Arrays.stream(values).mapToObj(value -> Double.isNaN(value) ? null :
            value == Math.rint(value) ? (Object)(long)value : (Object)value).toList());
        return map;
    }
}
