package org.fibnuma.fibnic.rib;

/** Source of a route. Of two routes with the same prefix, the source that comes first here is preferred. */
public enum RouteSource
{
    /** All routes of {@link #LOCAL} for single values of the TOS, as one route of each prefix. */
    LOCAL_TOS("local"),
    /** The kernel's table of its own and broadcast addresses. */
    LOCAL("local"),
    /** All routes of {@link #MAIN} for single values of the TOS, as one route of each prefix. */
    MAIN_TOS("main"),
    /** The kernel's main table, or the static routes of the configuration. */
    MAIN("main"),
    /** A routing daemon that hands its routes over by FPM. */
    FPM("fpm"),
    /** The routes file. */
    FILE("file");

    private static final RouteSource[] VALUES = values();

    private final String label;

    RouteSource(final String label)
    {
        this.label = label;
    }

    static RouteSource of(final int ordinal)
    {
        return VALUES[ordinal];
    }

    /** Returns whether the route is in the local table, which the kernel looks up before all others. */
    boolean isLocal()
    {
        return this == LOCAL || this == LOCAL_TOS;
    }

    /** Returns the name of the table, {@code fpm} or {@code file}, in text and JSON. */
    public String label()
    {
        return label;
    }
}
