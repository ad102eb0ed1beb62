package org.fibnuma.core.kernel;

/** Check of the sources of received IPv4 packets: {@code net.ipv4.conf.*.rp_filter} (RFC 3704). */
public enum ReversePath
{
    /** No check (0). */
    OFF,
    /** The egress interface of the route to the source must be the receiving interface (1). */
    STRICT,
    /** There must be a route to the source, with any egress interface (2). */
    LOOSE,
    /** No check (0), but the kernel processes packets from some sources, such as those of IPsec policies. */
    POLICY;

    private static final int STRICT_VALUE = 1;

    /** Returns the mode for a kernel value: the larger of those of {@code all} and of the interface, 0 or more. */
    public static ReversePath of(final int value)
    {
        return value == 0 ? OFF : value == STRICT_VALUE ? STRICT : LOOSE;
    }
}
