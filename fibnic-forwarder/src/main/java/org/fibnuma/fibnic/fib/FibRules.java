package org.fibnuma.fibnic.fib;

import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv6Address;

import java.util.List;

/**
 * The rules of policy routing that packets of one family and one ingress interface meet, in order. A rule selects
 * packets by address and looks up a table, or is a decision. The first rule that has a route for a packet counts. The
 * main table, which also has the routes of the local one, is looked up before by the caller. An IPv4 address is here
 * the first 32 bits of an address whose other bits are 0, and so are the prefixes of an IPv4 table. Immutable; any
 * thread. Lookups allocate nothing.
 */
public final class FibRules
{
    private static final int NO_ROUTE = 0;
    private static final int LOOK_UP = -1;
    private static final int ROUTE_OF_HOST = -2;
    private static final int ROUTE_OF_MAIN = -3;
    private static final int REFUSAL = -4;

    private final List<Step> steps;
    private final Step[] inOrder;
    private final boolean bySource;
    private final int[] refusals;

    /**
     * One step of a lookup.
     *
     * @param selector packets to which the step applies.
     * @param table    to look up, or null.
     * @param decision adjacency for every packet, or how its route is found.
     */
    public record Step(Selector selector, Ipv6Fib table, int decision)
    {
        /** Returns a step that looks up a table. */
        public static Step of(final Selector selector, final Ipv6Fib table)
        {
            return new Step(selector, table, LOOK_UP);
        }

        /**
         * Returns a step that uses those routes of a table that refuse packets: a rule that does not use routes up to
         * some prefix length uses these all the same (fib_rules_lookup in net/core/fib_rules.c, Linux 6.1).
         */
        public static Step ofRefusals(final Selector selector, final Ipv6Fib table)
        {
            return new Step(selector, table, REFUSAL);
        }

        /** Returns a step that gives all its packets an adjacency, 0 for no route. */
        public static Step of(final Selector selector, final int adjacency)
        {
            return new Step(selector, null, adjacency);
        }

        /** Returns the step for packets to the host itself, whose route in the main table is one of the local table. */
        public static Step ofHost(final Selector selector)
        {
            return new Step(selector, null, ROUTE_OF_HOST);
        }

        /** Returns a step that uses the route of the main table. */
        public static Step ofMain(final Selector selector)
        {
            return new Step(selector, null, ROUTE_OF_MAIN);
        }
    }

    /**
     * Packets by addresses: those from the source and to the destination prefix, or with {@code inverted} all others.
     * A mask has a bit for each bit of the prefix.
     */
    public record Selector(
        boolean inverted,
        long sourceHigh, long sourceLow, long sourceMaskHigh, long sourceMaskLow,
        long destinationHigh, long destinationLow, long destinationMaskHigh, long destinationMaskLow)
    {
        /** Selects every packet. */
        public static final Selector ALL = new Selector(false, 0, 0, 0, 0, 0, 0, 0, 0);

        /** Returns the packets of one family from and to prefixes of this family; null for any address. */
        public static Selector of(final boolean inverted, final IpPrefix source, final IpPrefix destination)
        {
            return new Selector(inverted,
                high(source), low(source), maskHigh(source), maskLow(source),
                high(destination), low(destination), maskHigh(destination), maskLow(destination));
        }

        private static long high(final IpPrefix prefix)
        {
            return prefix == null ? 0 : prefix.isIpv6() ? prefix.high() : inHigh(prefix.ipv4());
        }

        private static long low(final IpPrefix prefix)
        {
            return prefix == null || !prefix.isIpv6() ? 0 : prefix.low();
        }

        private static long maskHigh(final IpPrefix prefix)
        {
            return prefix == null ? 0 : Ipv6Address.maskHigh(prefix.length());
        }

        private static long maskLow(final IpPrefix prefix)
        {
            return prefix == null ? 0 : Ipv6Address.maskLow(prefix.length());
        }

        private boolean selects(
            final long fromHigh, final long fromLow, final long toHigh, final long toLow)
        {
            return ((fromHigh ^ sourceHigh) & sourceMaskHigh | (fromLow ^ sourceLow) & sourceMaskLow |
                (toHigh ^ destinationHigh) & destinationMaskHigh |
                (toLow ^ destinationLow) & destinationMaskLow) == 0 != inverted;
        }
    }

    /**
     * Creates rules.
     *
     * @param steps    of a lookup, in order.
     * @param refusals adjacencies of the routes of {@link Step#ofRefusals}.
     */
    public FibRules(final List<Step> steps, final int... refusals)
    {
        this.refusals = refusals;
        this.steps = List.copyOf(steps);
        this.inOrder = steps.toArray(Step[]::new);
        this.bySource = steps.stream().map(Step::selector).anyMatch(
            selector -> (selector.sourceMaskHigh | selector.sourceMaskLow) != 0);
    }

    /** Returns the first half of an IPv4 address as these rules compare it; the other half is 0. */
    public static long inHigh(final int ipv4)
    {
        return (long)ipv4 << Integer.SIZE;
    }

    /** Returns whether the route of a packet depends on its source. */
    public boolean isBySource()
    {
        return bySource;
    }

    /**
     * Returns the adjacency of a packet, 0 for no route.
     *
     * @param ofMain   adjacency that the main table has for the destination, 0 for none.
     * @param isOfHost whether that is a route of the local table, or one that only the kernel can judge.
     */
    public int lookup(
        final int ofMain,
        final boolean isOfHost,
        final long sourceHigh,
        final long sourceLow,
        final long destinationHigh,
        final long destinationLow)
    {
        for (final Step step : inOrder)
        {
            if (step.selector.selects(sourceHigh, sourceLow, destinationHigh, destinationLow))
            {
                final int decision = step.decision;
                if (decision >= NO_ROUTE)
                {
                    return decision;
                }
                final int found = switch (decision)
                {
                    case LOOK_UP -> step.table.lookup(destinationHigh, destinationLow);
                    case REFUSAL -> ifRefusal(step.table.lookup(destinationHigh, destinationLow));
                    case ROUTE_OF_MAIN -> ofMain;
                    default -> isOfHost ? ofMain : NO_ROUTE;
                };
                if (found != NO_ROUTE)
                {
                    return found;
                }
            }
        }
        return NO_ROUTE;
    }

    private int ifRefusal(final int adjacency)
    {
        for (final int refusal : refusals)
        {
            if (refusal == adjacency)
            {
                return adjacency;
            }
        }
        return NO_ROUTE;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof final FibRules that && steps.equals(that.steps);
    }

    @Override
    public int hashCode()
    {
        return steps.hashCode();
    }
}
