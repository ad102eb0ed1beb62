package org.fibnuma.fibnic.rib;

import java.util.Locale;

/** Where a route comes from, in the order in which they win for the same prefix. */
public enum RouteSource
{
    /** The kernel's table of its own and broadcast addresses. */
    LOCAL,
    /** The kernel's main table, or the static routes of the configuration. */
    MAIN,
    /** The routes file. */
    FILE;

    private static final RouteSource[] VALUES = values();

    static RouteSource of(final int ordinal)
    {
        return VALUES[ordinal];
    }

    /** Returns the name in text and JSON, in lower case. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
