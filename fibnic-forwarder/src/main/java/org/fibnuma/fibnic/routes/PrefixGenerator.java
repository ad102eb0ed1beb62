package org.fibnuma.fibnic.routes;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Draws distinct IPv4 prefixes in the shape of the Internet's table of 2023: its share of every length, half of them
 * inside shorter ones, runs of adjacent prefixes of one length, few /16s with many prefixes and most with none. Private
 * networks, shared ones, those for tests and multicast are left out.
 * <p>
 * A prefix is one {@code long}: the address, then the length in the lowest byte. Numeric order is the order of a dump.
 */
final class PrefixGenerator
{
    private static final int SHORTEST = 8;

    /** Routes of each length /8 to /32 among 901,899 seen at one router in 2023. */
    private static final int[] ROUTES_OF_LENGTH = {
        16, 13, 38, 103, 299, 581, 1_203, 2_100, 13_490,
        8_235, 13_798, 24_870, 42_611, 50_750, 108_623, 96_510, 537_698,
        20, 3, 11, 18, 17, 3, 3, 886};

    private static final List<Ipv4Prefix> LEFT_OUT = Stream.of(
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3")
        .map(Ipv4Prefix::parse).toList();

    /** Share of runs that start inside a shorter prefix. */
    private static final double NESTED = 0.36;

    /** Share of prefixes after which the adjacent higher prefix of the same length is tried. */
    private static final double CONTINUED = 0.605;

    /** Number of /16s with the longer prefixes that are in no shorter one; the first ones have most prefixes. */
    private static final int REGIONS = 30_000;
    private static final int REGION_LENGTH = 16;
    private static final double REGION_SKEW = 2;
    private static final int FRESH_ATTEMPTS = 8;

    private static final int LONGEST_IN_BITMAP = 24;

    private final SplittableRandom random;
    private final BitSet taken = new BitSet(2 << LONGEST_IN_BITMAP);
    private final Set<Long> takenLonger = new HashSet<>();
    private final int[] regions = new int[REGIONS];
    private final long[] prefixes;
    private int count;

    PrefixGenerator(final SplittableRandom random, final int total)
    {
        this.random = random;
        this.prefixes = new long[total];
    }

    static int address(final long prefix)
    {
        return (int)(prefix >>> Byte.SIZE);
    }

    static int length(final long prefix)
    {
        return (int)prefix & 0xFF;
    }

    /** Draws all prefixes; returns them in order. */
    long[] generate()
    {
        final int[] wanted = apportion(prefixes.length);
        for (int i = 0; i < wanted.length; i++)
        {
            if (SHORTEST + i == REGION_LENGTH + 1)
            {
                Arrays.setAll(regions, region -> drawUncovered(REGION_LENGTH));
            }
            draw(SHORTEST + i, wanted[i]);
        }
        Arrays.sort(prefixes);
        return prefixes;
    }

    /** Divides a total by the shares of the lengths: each gets its part rounded down, the most common the rest. */
    static int[] apportion(final int total)
    {
        final long all = Arrays.stream(ROUTES_OF_LENGTH).sum();
        final int[] parts = Arrays.stream(ROUTES_OF_LENGTH).map(n -> (int)(n * (long)total / all)).toArray();
        parts[LONGEST_IN_BITMAP - SHORTEST] += total - Arrays.stream(parts).sum();
        return parts;
    }

    private void draw(final int length, final int wanted)
    {
        final int shorter = count;
        final int end = count + wanted;
        while (count < end)
        {
            int address = drawStart(length, shorter);
            while (count < end && take(address, length) && random.nextDouble() < CONTINUED)
            {
                address += 1 << 32 - length;
            }
        }
    }

    private int drawStart(final int length, final int shorter)
    {
        final int inside = random.nextInt() & Ipv4Address.mask(length);
        if (shorter > 0 && (length > LONGEST_IN_BITMAP || random.nextDouble() < NESTED))
        {
            final long parent = drawParent(length, shorter);
            return address(parent) | inside & ~Ipv4Address.mask(length(parent));
        }
        return drawUncovered(length);
    }

    private int drawUncovered(final int length)
    {
        int address = drawFresh(length);
        for (int i = 0; i < FRESH_ATTEMPTS && isCovered(address, length); i++)
        {
            address = drawFresh(length);
        }
        return address;
    }

    private int drawFresh(final int length)
    {
        final int address = random.nextInt() & Ipv4Address.mask(length);
        if (length <= REGION_LENGTH)
        {
            return address;
        }
        final int region = (int)(REGIONS * Math.pow(random.nextDouble(), REGION_SKEW));
        return regions[region] | address & ~Ipv4Address.mask(REGION_LENGTH);
    }

    private boolean isCovered(final int address, final int length)
    {
        for (int bit = bitOf(address, length); bit > 0; bit >>>= 1)
        {
            if (taken.get(bit))
            {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of a prefix up to /24, in the order of lengths and then of addresses. */
    private static int bitOf(final int address, final int length)
    {
        return 1 << length | (int)((address & 0xFFFF_FFFFL) >>> 32 - length);
    }

    private long drawParent(final int length, final int shorter)
    {
        while (true)
        {
            final long parent = prefixes[random.nextInt(shorter)];
            final double room = (length - length(parent)) / 12.0;
            if (random.nextDouble() < room * room)
            {
                return parent;
            }
        }
    }

    private boolean take(final int address, final int length)
    {
        if (isLeftOut(address, length))
        {
            return false;
        }
        final long prefix = (address & 0xFFFF_FFFFL) << Byte.SIZE | length;
        if (length > LONGEST_IN_BITMAP)
        {
            if (!takenLonger.add(prefix))
            {
                return false;
            }
        }
        else
        {
            final int bit = bitOf(address, length);
            if (taken.get(bit))
            {
                return false;
            }
            taken.set(bit);
        }
        prefixes[count++] = prefix;
        return true;
    }

    private static boolean isLeftOut(final int address, final int length)
    {
        for (final Ipv4Prefix prefix : LEFT_OUT)
        {
            if (((prefix.address() ^ address) & Ipv4Address.mask(Math.min(length, prefix.length()))) == 0)
            {
                return true;
            }
        }
        return false;
    }
}
