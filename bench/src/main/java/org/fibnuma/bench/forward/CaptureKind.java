package org.fibnuma.bench.forward;

import java.util.EnumSet;
import java.util.Set;

/** Which families the frames of a capture have. */
enum CaptureKind
{
    /** IPv4 only. */
    IPV4("4", "IPv4"),
    /** IPv6 only. */
    IPV6("6", "IPv6"),
    /** IPv4 and IPv6 in turn, frame by frame. */
    MIXED("mixed", "alternating");

    /** Option value for all kinds. */
    static final String ALL = "all";

    private final String option;
    private final String label;

    CaptureKind(final String option, final String label)
    {
        this.option = option;
        this.label = label;
    }

    /** Returns the kinds that a value of {@code --family} selects; none if it is not a value of that option. */
    static Set<CaptureKind> of(final String option)
    {
        final Set<CaptureKind> kinds = EnumSet.noneOf(CaptureKind.class);
        for (final CaptureKind kind : values())
        {
            if (option.equals(ALL) || option.equals(kind.option))
            {
                kinds.add(kind);
            }
        }
        return kinds;
    }

    /** Returns the name for output. */
    String label()
    {
        return label;
    }

    /** Returns whether the frame at an index of the capture, from 0, is IPv6. */
    boolean isIpv6(final int frame)
    {
        return this == IPV6 || this == MIXED && (frame & 1) != 0;
    }
}
