package org.fibnuma.fibnic.rib;

import org.fibnuma.core.wire.IpPrefix;

import java.util.function.Supplier;

/**
 * The FIB of a table whose routes up to some prefix length are in a FIB of their own, because a rule of policy routing
 * does not use them (suppress_prefixlength). At first all are in one.
 */
final class SplitFib implements FibWriter
{
    /** Every route is in one FIB. */
    static final int WHOLE = -1;

    private final FibWriter longer;
    private final Supplier<FibWriter> newShorter;
    private FibWriter shorter;
    private int length = WHOLE;

    /** Splits a FIB on demand: the supplier makes the other FIB when it is first used. */
    SplitFib(final FibWriter longer, final Supplier<FibWriter> newShorter)
    {
        this.longer = longer;
        this.newShorter = newShorter;
    }

    /** Returns the longest prefix length of the routes in the FIB of their own, or {@link #WHOLE}. */
    int length()
    {
        return length;
    }

    /** Sets {@link #length()}. A route that is announced from now on goes to its new FIB and stays in the old one. */
    void length(final int longest)
    {
        length = longest;
        shorter = shorter == null && longest != WHOLE ? newShorter.get() : shorter;
    }

    /** Withdraws a prefix from the FIB that it does not belong to. */
    void withdrawOther(final IpPrefix prefix)
    {
        if (prefix.length() <= length)
        {
            longer.withdraw(prefix);
        }
        else if (shorter != null)
        {
            shorter.withdraw(prefix);
        }
    }

    @Override
    public void announce(final IpPrefix prefix, final int adjacency)
    {
        (prefix.length() <= length ? shorter : longer).announce(prefix, adjacency);
    }

    @Override
    public void withdraw(final IpPrefix prefix)
    {
        (prefix.length() <= length ? shorter : longer).withdraw(prefix);
    }
}
