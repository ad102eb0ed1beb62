package org.fibnuma.core.kernel;

/** How an interface checks the source of what it receives: {@code net.ipv4.conf.*.rp_filter} (RFC 3704). */
public enum ReversePath
{
    /** Not at all (0). */
    OFF,
    /** The route back to the source leaves by the interface that the packet came in by (1). */
    STRICT,
    /** There is a route back to the source, by whatever interface (2). */
    LOOSE;

    private static final int STRICT_VALUE = 1;

    /**
     * The mode that a value of the kernel means.
     *
     * @param value the larger of those of {@code all} and of the interface, 0 or more.
     * @return the mode.
     */
    public static ReversePath of(final int value)
    {
        return value == 0 ? OFF : value == STRICT_VALUE ? STRICT : LOOSE;
    }
}
