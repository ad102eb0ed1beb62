package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;

/**
 * Turn addition (Nakashima, Naruse, Sumimoto, Kumon, IPSJ Trans. ACS 4(4), 2011, section 4). No turn is allowed at
 * first. Turn pairs are decided in descending order of traffic, and a turn that would close a cycle is forbidden.
 * <p>
 * {@link #asInThePaper(long)} follows figure 16 of the paper: it checks one direction of a pair for cycles and then
 * adds the other direction unchecked, so it misses cycles that need both. {@link #sound(long)} first allows every turn
 * inside one spanning tree, which connects all servers, and then checks both directions of every pair. The seed of both
 * breaks ties in networks without levels.
 */
public final class TurnAddition implements TurnMethod
{
    private final boolean sound;
    private final long seed;

    private TurnAddition(final boolean sound, final long seed)
    {
        this.sound = sound;
        this.seed = seed;
    }

    /** {@return the method whose result is free of cycles and connects all servers} */
    public static TurnAddition sound(final long seed)
    {
        return new TurnAddition(true, seed);
    }

    /** {@return the method of the paper, whose result may have cycles} */
    public static TurnAddition asInThePaper(final long seed)
    {
        return new TurnAddition(false, seed);
    }

    @Override
    public TurnPlan plan(final TurnTraffic traffic)
    {
        final TurnOrder order = new TurnOrder(traffic);
        return plan(traffic, order.sorted(seed), order.describe(seed));
    }

    /** {@return the turn pairs, each once, in the order in which they are decided} */
    public int[] order(final TurnTraffic traffic)
    {
        return new TurnOrder(traffic).sorted(seed);
    }

    /**
     * Decides in a given order.
     *
     * @param traffic     determines the spanning tree.
     * @param order       turn pairs, each once.
     * @param description of the order, for people.
     */
    public TurnPlan plan(final TurnTraffic traffic, final int[] order, final String description)
    {
        final TurnPairs pairs = traffic.pairs();
        final EscapeTree tree = EscapeTree.grow(traffic, rootOf(traffic));
        final ChannelOrder channels = new ChannelOrder(pairs.fabric(), initialOrder(pairs.fabric(), tree.root()));
        if (!sound)
        {
            addOneDirectionChecked(pairs, order, channels);
            return new TurnPlan(channels.turns(), null, description);
        }
        allowWithin(tree, pairs, channels);
        for (final int pair : order)
        {
            if (!channels.turns().allowsPair(pairs, pair))
            {
                addBoth(pairs, pair, channels);
            }
        }
        return new TurnPlan(channels.turns(), tree,
            "turns of a spanning tree first, root " + pairs.fabric().switchName(tree.root()) + ", then " + description);
    }

    private static int rootOf(final TurnTraffic traffic)
    {
        final TurnPairs pairs = traffic.pairs();
        final Fabric fabric = pairs.fabric();
        if (fabric.level(0) >= 0)
        {
            return 0;
        }
        final long[] load = new long[fabric.switchCount()];
        int heaviest = 0;
        for (int pair = 0; pair < pairs.count(); pair++)
        {
            load[pairs.node(pair)] += traffic.of(pair);
        }
        for (int node = 0; node < load.length; node++)
        {
            heaviest = load[node] > load[heaviest] ? node : heaviest;
        }
        return heaviest;
    }

    private static void allowWithin(final EscapeTree tree, final TurnPairs pairs, final ChannelOrder channels)
    {
        final Fabric fabric = pairs.fabric();
        final int[] inTree = new int[fabric.channelCount()];
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            if (tree.parent(node) >= 0)
            {
                inTree[tree.parent(node)] = 1;
                inTree[fabric.reverse(tree.parent(node))] = 1;
            }
        }
        for (int pair = 0; pair < pairs.count(); pair++)
        {
            if (inTree[pairs.low(pair)] + inTree[pairs.high(pair)] == 2 && pairs.isTurn(pair))
            {
                addBoth(pairs, pair, channels);
            }
        }
    }

    private static void addBoth(final TurnPairs pairs, final int pair, final ChannelOrder channels)
    {
        final Fabric fabric = pairs.fabric();
        final int low = pairs.low(pair);
        final int high = pairs.high(pair);
        if (channels.add(fabric.reverse(low), high) && !channels.add(fabric.reverse(high), low))
        {
            channels.remove(fabric.reverse(low), high);
        }
    }

    private static void addOneDirectionChecked(
        final TurnPairs pairs, final int[] order, final ChannelOrder channels)
    {
        final Fabric fabric = pairs.fabric();
        for (final int pair : order)
        {
            if (channels.add(fabric.reverse(pairs.low(pair)), pairs.high(pair)))
            {
                channels.addUnchecked(fabric.reverse(pairs.high(pair)), pairs.low(pair));
            }
        }
    }

    /** Returns an order of the channels that most paths follow: first up, then down. */
    private static int[] initialOrder(final Fabric fabric, final int root)
    {
        final int[] height = fabric.distancesFrom(root);
        Arrays.setAll(height, fabric.level(root) >= 0 ? fabric::level : node -> -height[node]);
        final long[] keys = new long[fabric.channelCount()];
        for (int channel = 0; channel < keys.length; channel++)
        {
            final int from = height[fabric.source(channel)];
            final int to = height[fabric.target(channel)];
            final int phase = to > from ? from - keys.length : to == from ? 0 : keys.length - from;
            keys[channel] = (long)(phase + 2 * keys.length) << Integer.SIZE | channel;
        }
        return Arrays.stream(keys).sorted().mapToInt(key -> (int)key).toArray();
    }
}
