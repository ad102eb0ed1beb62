package org.fibnuma.fibnic.routes;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Generates IPv6 tables in the shape of the Internet's table of 2023: its share of every length, allocations in the
 * blocks of the registries, most prefixes longer than /32 below few /32s, and runs of adjacent prefixes. Equal settings
 * give equal tables.
 */
public final class Ipv6RouteTableGenerator
{
    /** Most routes of a table; a table far above it would need more allocations than there are. */
    public static final int MAX_ROUTES = 500_000;

    /** The first of the next hops, which are numbered upwards in RFC 5180's 2001:2::/48. */
    public static final Ipv6Address FIRST_NEXT_HOP = Ipv6Address.parse("2001:2::1");

    /** Pairs of a length and its routes among 160,147 seen at one router in 2023; rarer lengths are left out. */
    private static final int[][] ROUTES_OF_LENGTH = {
        {20, 16}, {22, 7}, {23, 8}, {24, 30}, {26, 15}, {27, 20}, {28, 193}, {29, 4_371}, {30, 650}, {31, 284},
        {32, 22_548}, {33, 2_926}, {34, 2_603}, {35, 1_043}, {36, 5_996}, {37, 880}, {38, 1_617}, {39, 1_377},
        {40, 13_418}, {41, 903}, {42, 2_301}, {43, 1_001}, {44, 14_365}, {45, 1_553}, {46, 3_039}, {47, 3_153},
        {48, 75_488}, {56, 24}, {58, 20}, {64, 184}, {126, 19}, {127, 42}, {128, 6}};
    private static final int MOST_COMMON = 48;

    /** The blocks of the registries; those with more prefixes several times. */
    private static final List<Ipv6Prefix> BLOCKS = Stream.of(
        "2001::/16", "2400::/12", "2400::/12", "2600::/12", "2800::/12", "2800::/12", "2a00::/12", "2a00::/12",
        "2a00::/12", "2c00::/12").map(Ipv6Prefix::parse).toList();

    private static final int ALLOCATION_LENGTH = 32;
    private static final int LONGEST_COMMON = 48;

    /** Number of /20s of the blocks that are in use; the first ones have most prefixes. */
    private static final int REGIONS = 700;
    private static final int REGION_LENGTH = 20;
    private static final double REGION_SKEW = 2;

    /** Number of /32s with longer prefixes, as a share of all routes; the first ones have most prefixes. */
    private static final double PARENTS = 0.09;
    private static final double PARENT_SKEW = 3;

    /** Share of runs beyond /40 that are tried below the /40 of an earlier prefix. */
    private static final double CLUSTERED = 0.85;
    private static final int CLUSTER_LENGTH = 40;

    /** Share of prefixes after which the adjacent higher prefix of the same length is tried. */
    private static final double CONTINUED = 0.55;

    /** Share of routes that leave by the next hop of the route before them in the table. */
    private static final double SAME_NEXT_HOP = 0.5;

    private final int nextHops;
    private final long seed;

    /** Creates a generator of tables with {@link RouteTableGenerator#DEFAULT_NEXT_HOPS} next hops. */
    public Ipv6RouteTableGenerator()
    {
        this(RouteTableGenerator.DEFAULT_NEXT_HOPS, 1);
    }

    /**
     * Creates a generator.
     *
     * @param nextHops number of next hops to draw from, 1 to {@link RouteTableGenerator#MAX_NEXT_HOPS}.
     * @param seed     of the random numbers; equal settings and seeds give equal tables.
     */
    public Ipv6RouteTableGenerator(final int nextHops, final long seed)
    {
        if (nextHops < 1 || nextHops > RouteTableGenerator.MAX_NEXT_HOPS)
        {
            throw new UserException(nextHops + " next hops: not in 1 to " + RouteTableGenerator.MAX_NEXT_HOPS);
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
    public Ipv6RouteList generate(final int count)
    {
        if (count < 1 || count > MAX_ROUTES)
        {
            throw new UserException(count + " routes: not in 1 to " + MAX_ROUTES);
        }
        final SplittableRandom random = new SplittableRandom(seed);
        final List<Ipv6Prefix> prefixes = new ArrayList<>(drawAll(random, count));
        prefixes.sort(Comparator.comparing(Ipv6Prefix::high, Long::compareUnsigned)
            .thenComparing(Ipv6Prefix::low, Long::compareUnsigned).thenComparingInt(Ipv6Prefix::length));
        final Ipv6RouteList routes = new Ipv6RouteList();
        int nextHop = 0;
        for (final Ipv6Prefix prefix : prefixes)
        {
            if (random.nextDouble() >= SAME_NEXT_HOP)
            {
                nextHop = RouteTableGenerator.drawNextHop(random, nextHops);
            }
            routes.addAnnouncement(prefix, new Ipv6Address(FIRST_NEXT_HOP.high(), FIRST_NEXT_HOP.low() + nextHop));
        }
        return routes;
    }

    private static Set<Ipv6Prefix> drawAll(final SplittableRandom random, final int count)
    {
        final Set<Ipv6Prefix> taken = new HashSet<>();
        final List<Ipv6Prefix> drawn = new ArrayList<>();
        final long[] regions = new long[REGIONS];
        for (int i = 0; i < REGIONS; i++)
        {
            regions[i] = inside(random, BLOCKS.get(random.nextInt(BLOCKS.size())), REGION_LENGTH).high();
        }
        final long[] parents = new long[Math.max(1, (int)(PARENTS * count))];
        final int[] wanted = apportion(count);
        for (int i = 0; i < wanted.length; i++)
        {
            final int length = ROUTES_OF_LENGTH[i][0];
            if (length == ALLOCATION_LENGTH + 1)
            {
                for (int k = 0; k < parents.length; k++)
                {
                    final Ipv6Prefix parent = drawn.isEmpty() || random.nextInt(4) == 0 ?
                        region(random, regions) : drawn.get(random.nextInt(drawn.size()));
                    parents[k] = inside(random, parent, ALLOCATION_LENGTH).high();
                }
            }
            final int end = drawn.size() + wanted[i];
            while (drawn.size() < end)
            {
                Ipv6Prefix next = inside(random, parentOf(random, length, regions, parents, drawn), length);
                while (next != null && drawn.size() < end && taken.add(next))
                {
                    drawn.add(next);
                    next = random.nextDouble() < CONTINUED ? neighbour(next) : null;
                }
            }
        }
        return taken;
    }

    private static Ipv6Prefix parentOf(
        final SplittableRandom random, final int length, final long[] regions, final long[] parents,
        final List<Ipv6Prefix> drawn)
    {
        if (length <= ALLOCATION_LENGTH)
        {
            return region(random, regions);
        }
        if (length > CLUSTER_LENGTH && !drawn.isEmpty() && random.nextDouble() < CLUSTERED)
        {
            final Ipv6Prefix earlier = drawn.get(random.nextInt(drawn.size()));
            if (earlier.length() > CLUSTER_LENGTH)
            {
                return Ipv6Prefix.of(earlier.high(), earlier.low(), CLUSTER_LENGTH);
            }
        }
        if (length <= LONGEST_COMMON || drawn.isEmpty())
        {
            final int parent = (int)(parents.length * Math.pow(random.nextDouble(), PARENT_SKEW));
            return new Ipv6Prefix(parents[parent], 0, ALLOCATION_LENGTH);
        }
        final Ipv6Prefix parent = drawn.get(random.nextInt(drawn.size()));
        return parent.length() <= length ? parent : Ipv6Prefix.of(parent.high(), parent.low(), length);
    }

    private static Ipv6Prefix region(final SplittableRandom random, final long[] regions)
    {
        final int region = (int)(REGIONS * Math.pow(random.nextDouble(), REGION_SKEW));
        return new Ipv6Prefix(regions[region], 0, REGION_LENGTH);
    }

    /** Returns a random prefix of a length inside another prefix, which is not longer. */
    private static Ipv6Prefix inside(final SplittableRandom random, final Ipv6Prefix outer, final int length)
    {
        return Ipv6Prefix.of(
            outer.high() | random.nextLong() & ~Ipv6Address.maskHigh(outer.length()),
            outer.low() | random.nextLong() & ~Ipv6Address.maskLow(outer.length()), length);
    }

    /** Returns the next prefix of the length in the same /32 or, up to /32, /19; null for none and beyond /64. */
    private static Ipv6Prefix neighbour(final Ipv6Prefix prefix)
    {
        if (prefix.length() > Long.SIZE)
        {
            return null;
        }
        final long next = prefix.high() + (1L << Long.SIZE - prefix.length());
        final int common = prefix.length() > ALLOCATION_LENGTH ? ALLOCATION_LENGTH : REGION_LENGTH - 1;
        return ((next ^ prefix.high()) & Ipv6Address.maskHigh(common)) != 0 ?
            null : new Ipv6Prefix(next, 0, prefix.length());
    }

    /** Divides a total by the shares of the lengths: each gets its part rounded down, the most common the rest. */
    private static int[] apportion(final int total)
    {
        final long all = Arrays.stream(ROUTES_OF_LENGTH).mapToLong(routes -> routes[1]).sum();
        final int[] parts =
            Arrays.stream(ROUTES_OF_LENGTH).mapToInt(routes -> (int)((long)routes[1] * total / all)).toArray();
        int mostCommon = 0;
        while (ROUTES_OF_LENGTH[mostCommon][0] != MOST_COMMON)
        {
            mostCommon++;
        }
        parts[mostCommon] += total - Arrays.stream(parts).sum();
        return parts;
    }
}
