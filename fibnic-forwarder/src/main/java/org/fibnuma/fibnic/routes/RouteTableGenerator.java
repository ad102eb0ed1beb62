package org.fibnuma.fibnic.routes;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Address;

import java.util.SplittableRandom;

/**
 * Generates IPv4 tables in the shape of the Internet's table of 2023: prefixes of {@link PrefixGenerator} in order of
 * address, and most routes over few next hops. Equal settings give equal tables.
 */
public final class RouteTableGenerator
{
    /** Most routes of a table; a table far above it would need more /16s than there are. */
    public static final int MAX_ROUTES = 2_000_000;

    /** Next hops of a default table: as many as the 2010 feed of RIS peer 202.249.2.20 has. */
    public static final int DEFAULT_NEXT_HOPS = 23;

    /** Most next hops that a table can have. */
    public static final int MAX_NEXT_HOPS = 65_534;

    /** The first of the next hops, which are numbered upwards in RFC 2544's 198.18.0.0/15. */
    public static final int FIRST_NEXT_HOP = Ipv4Address.parse("198.18.0.1");

    /** Share of routes that leave by the next hop of the route before them in the table. */
    private static final double SAME_NEXT_HOP = 0.5;

    private final int nextHops;
    private final long seed;

    /** Creates a generator of tables with {@link #DEFAULT_NEXT_HOPS} next hops. */
    public RouteTableGenerator()
    {
        this(DEFAULT_NEXT_HOPS, 1);
    }

    /**
     * Creates a generator.
     *
     * @param nextHops number of next hops to draw from, 1 to {@link #MAX_NEXT_HOPS}.
     * @param seed     of the random numbers; equal settings and seeds give equal tables.
     */
    public RouteTableGenerator(final int nextHops, final long seed)
    {
        if (nextHops < 1 || nextHops > MAX_NEXT_HOPS)
        {
            throw new UserException(nextHops + " next hops: not in 1 to " + MAX_NEXT_HOPS);
        }
        this.nextHops = nextHops;
        this.seed = seed;
    }

    /**
     * Generates a table.
     *
     * @param count number of routes, 1 to {@link #MAX_ROUTES}; no two have the same prefix and length.
     * @return the routes, by address and then by length.
     */
    public RouteList generate(final int count)
    {
        if (count < 1 || count > MAX_ROUTES)
        {
            throw new UserException(count + " routes: not in 1 to " + MAX_ROUTES);
        }
        final SplittableRandom random = new SplittableRandom(seed);
        final long[] prefixes = new PrefixGenerator(random, count).generate();
        final RouteList routes = new RouteList();
        int nextHop = 0;
        for (final long prefix : prefixes)
        {
            if (random.nextDouble() >= SAME_NEXT_HOP)
            {
                nextHop = drawNextHop(random, nextHops);
            }
            routes.addAnnouncement(
                PrefixGenerator.address(prefix), PrefixGenerator.length(prefix), FIRST_NEXT_HOP + nextHop);
        }
        return routes;
    }

    /** Draws a next hop from 0: number r - 1 has a share close to 1 / (r ln n), like a few transit providers. */
    static int drawNextHop(final SplittableRandom random, final int nextHops)
    {
        return (int)Math.pow(nextHops + 1, random.nextDouble()) - 1;
    }
}
