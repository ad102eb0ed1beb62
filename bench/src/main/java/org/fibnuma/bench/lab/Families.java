package org.fibnuma.bench.lab;

import java.util.EnumSet;
import java.util.Set;

/** Families of the frames that are sent. */
public enum Families
{
    /** IPv4 only. */
    IPV4("4", "IPv4"),
    /** IPv6 only. */
    IPV6("6", "IPv6"),
    /** IPv4 and IPv6 in turn, frame by frame. */
    MIXED("mixed", "alternating");

    /** Option value for all kinds. */
    public static final String ALL = "all";

    private final String option;
    private final String label;

    Families(final String option, final String label)
    {
        this.option = option;
        this.label = label;
    }

    /** Returns the kinds that a value of {@code --family} selects; none if it is not a value of that option. */
    public static Set<Families> of(final String option)
    {
        final Set<Families> kinds = EnumSet.noneOf(Families.class);
        for (final Families kind : values())
        {
            if (option.equals(ALL) || option.equals(kind.option))
            {
                kinds.add(kind);
            }
        }
        return kinds;
    }

    /** Returns the value of {@code --family} that selects this kind. */
    public String option()
    {
        return option;
    }

    /** Returns the name for output. */
    public String label()
    {
        return label;
    }

    /** Returns whether the frame at an index, from 0, is IPv6. */
    public boolean isIpv6(final int frame)
    {
        return this == IPV6 || this == MIXED && (frame & 1) != 0;
    }
}
