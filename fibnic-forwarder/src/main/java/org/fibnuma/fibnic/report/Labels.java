package org.fibnuma.fibnic.report;

import java.util.Locale;

/** JSON names of counters and constants. */
final class Labels
{
    private Labels()
    {
    }

    /** Converts {@code rx-ring-full} and {@code NO_ROUTE} to {@code rxRingFull} and {@code noRoute}. */
    static String camelCase(final String label)
    {
        final StringBuilder name = new StringBuilder();
        for (final String word : label.toLowerCase(Locale.ROOT).split("[-_]"))
        {
            name.append(name.length() == 0 ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return name.toString();
    }

    /** Converts {@code NO_ROUTE} to {@code no-route}. */
    static String hyphenated(final Enum<?> constant)
    {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
