package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The order in which turn addition decides: heaviest turn pair first.
 * <p>
 * Ties in a network of levels are decided in rounds, one turn from each switch per round. Within a switch the upper
 * switch at the turn's other end rotates (section 4.1.3 of the paper). Ties in other networks are random.
 */
final class TurnOrder
{
    private static final int ROUND_BITS = 20;
    private static final int PORT_BITS = 7;
    private static final int INDEX_BITS = 16;
    /** Limit of {@link #PORT_BITS}; in networks with larger switches ties are random. */
    private static final int MAX_ROTATED_PORTS = 1 << PORT_BITS;

    private final TurnTraffic traffic;
    private final TurnPairs pairs;
    private final Fabric fabric;
    private final long[] classes;
    private final boolean hasLevels;

    TurnOrder(final TurnTraffic traffic)
    {
        this.traffic = traffic;
        this.pairs = traffic.pairs();
        this.fabric = pairs.fabric();
        this.classes = IntStream.range(0, pairs.count()).mapToLong(traffic::of).sorted().distinct().toArray();
        final int mostPorts = IntStream.range(0, fabric.switchCount()).map(fabric::degree).max().orElse(0);
        this.hasLevels = fabric.level(0) >= 0 && mostPorts <= MAX_ROTATED_PORTS;
    }

    int[] sorted(final long seed)
    {
        final long[] keys = hasLevels ? rotated() : drawn(new Random(seed));
        final long[] ascending = keys.clone();
        Arrays.sort(ascending);
        final int[] sorted = new int[keys.length];
        int count = 0;
        for (int pair = 0; pair < keys.length; pair++)
        {
            sorted[Arrays.binarySearch(ascending, keys[pair])] = pair;
        }
        for (final int pair : sorted)
        {
            if (pairs.isTurn(pair))
            {
                sorted[count++] = pair;
            }
        }
        return Arrays.copyOf(sorted, count);
    }

    String describe(final long seed)
    {
        return hasLevels ?
            "heaviest turn first, ties: one turn from each switch per round, the upper end rotating within a switch" :
            "heaviest turn first, ties by chance (seed " + seed + ")";
    }

    private long lightness(final int pair)
    {
        return classes.length - 1 - Arrays.binarySearch(classes, traffic.of(pair));
    }

    private long[] drawn(final Random random)
    {
        final long[] keys = new long[pairs.count()];
        for (int i = 0; i < keys.length; i++)
        {
            final int j = random.nextInt(i + 1);
            keys[i] = keys[j];
            keys[j] = i;
        }
        for (int pair = 0; pair < keys.length; pair++)
        {
            keys[pair] |= lightness(pair) << Integer.SIZE;
        }
        return keys;
    }

    /** Returns keys that compare by traffic, then round, then switch. */
    private long[] rotated()
    {
        final long[] keys = new long[pairs.count()];
        IntStream.range(0, fabric.switchCount()).forEach(node -> rotate(node, keys));
        return keys;
    }

    private void rotate(final int node, final long[] keys)
    {
        final int firstPair = pairs.firstOf(node);
        final long[] own = new long[pairs.firstOf(node + 1) - firstPair];
        for (int i = 0; i < own.length; i++)
        {
            final long place = lightness(firstPair + i) << 3 * PORT_BITS | placeWithin(node, firstPair + i);
            own[i] = place << INDEX_BITS | i;
        }
        Arrays.sort(own);
        long round = 0;
        long before = -1;
        for (final long place : own)
        {
            final long lightness = place >>> 3 * PORT_BITS + INDEX_BITS;
            round = lightness == before ? round + 1 : 0;
            before = lightness;
            keys[firstPair + (int)(place & (1L << INDEX_BITS) - 1)] = (lightness << ROUND_BITS | round) << 22 | node;
        }
    }

    /** Returns a position that rotates the upper end: distance of equal ends, upper port, other port. */
    private long placeWithin(final int node, final int pair)
    {
        final int first = fabric.firstChannel(node);
        final int low = pairs.low(pair);
        final int high = pairs.high(pair);
        final int lowLevel = fabric.level(fabric.target(low));
        final int highLevel = fabric.level(fabric.target(high));
        final int upper = lowLevel > highLevel ? low : high;
        final int other = upper == low ? high : low;
        final int distance = lowLevel == highLevel ? high - low : 0;
        return ((long)distance << PORT_BITS | turned(upper - first, node)) << PORT_BITS | turned(other - first, node);
    }

    /**
     * Returns the position of a port in the rotation over the ports that lead up. Switches that the same upper switches
     * reach through different ports start at different ports. Otherwise all would reach the same upper switch in the
     * same round, and all turns of some onto a joining cable would be forbidden.
     */
    private int turned(final int port, final int node)
    {
        final int first = fabric.firstChannel(node);
        int below = 0;
        int up = 0;
        int begin = 0;
        for (int i = 0; i < fabric.degree(node); i++)
        {
            if (fabric.level(fabric.target(first + i)) > fabric.level(node))
            {
                begin = up == 0 ? portBackTo(first + i) : begin;
                below += i < port ? 1 : 0;
                up++;
            }
        }
        final boolean leadsUp = fabric.level(fabric.target(first + port)) > fabric.level(node);
        return leadsUp ? port - below + Math.floorMod(below - begin, up) : port;
    }

    private int portBackTo(final int channel)
    {
        return fabric.reverse(channel) - fabric.firstChannel(fabric.target(channel));
    }
}
