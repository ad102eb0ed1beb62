package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;

/**
 * Turn addition (Nakashima, Naruse, Sumimoto, Kumon, IPSJ Trans. ACS 4(4), 2011, section 4): nothing is allowed at
 * first; turn pairs are decided on in falling order of traffic, and a turn that would close a circle is forbidden.
 * <p>
 * {@link #asInThePaper(long)} does what the paper's figure 16 says: it looks for a circle with one direction of the
 * pair added and then adds the other direction unchecked, so that circles which need both are missed. The default,
 * {@link #sound(long)}, first allows every turn inside one spanning tree, which leaves everyone a way, and then checks
 * both directions of every pair.
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

    /**
     * The form that is always free of circles and leaves everyone a way.
     *
     * @param seed of the chance that breaks ties in networks without levels.
     * @return the method.
     */
    public static TurnAddition sound(final long seed)
    {
        return new TurnAddition(true, seed);
    }

    /**
     * The paper's own form, whose outcome can have circles.
     *
     * @param seed of the chance that breaks ties in networks without levels.
     * @return the method.
     */
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

    /**
     * The order in which it decides.
     *
     * @param traffic of the turns.
     * @return turn pairs, each once.
     */
    public int[] order(final TurnTraffic traffic)
    {
        return new TurnOrder(traffic).sorted(seed);
    }

    /**
     * Decides in a given order.
     *
     * @param traffic     from which the spanning tree is chosen.
     * @param order       turn pairs, each once.
     * @param description of the order, in words.
     * @return the turns.
     */
    public TurnPlan plan(final TurnTraffic traffic, final int[] order, final String description)
    {
        final TurnPairs pairs = traffic.pairs();
        final EscapeTree tree = EscapeTree.grow(traffic, rootOf(traffic));
        final ChannelOrder channels = new ChannelOrder(pairs.fabric(), InitialOrder.of(pairs.fabric(), tree.root()));
        if (!sound)
        {
            addOneDirectionChecked(pairs, order, channels);
            return new TurnPlan(channels.turns(), null, description);
        }
        allowWithin(tree, pairs, channels);
        addBothDirectionsChecked(pairs, order, channels);
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

    private static void addBothDirectionsChecked(
        final TurnPairs pairs, final int[] order, final ChannelOrder channels)
    {
        for (final int pair : order)
        {
            if (!channels.turns().allowsPair(pairs, pair))
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

    /** An order of the channels that most ways of a network follow already: first up, then down. */
    private static final class InitialOrder
    {
        private InitialOrder()
        {
        }

        static int[] of(final Fabric fabric, final int root)
        {
            final int[] height = fabric.level(root) >= 0 ? levels(fabric) : nearness(fabric, root);
            final long[] keys = new long[fabric.channelCount()];
            for (int channel = 0; channel < keys.length; channel++)
            {
                final int from = height[fabric.source(channel)];
                final int to = height[fabric.target(channel)];
                final int phase = to > from ? from - keys.length : to == from ? 0 : keys.length - from;
                keys[channel] = (long)(phase + 2 * keys.length) << Integer.SIZE | channel;
            }
            Arrays.sort(keys);
            final int[] order = new int[keys.length];
            for (int i = 0; i < order.length; i++)
            {
                order[i] = (int)keys[i];
            }
            return order;
        }

        private static int[] levels(final Fabric fabric)
        {
            final int[] levels = new int[fabric.switchCount()];
            for (int node = 0; node < levels.length; node++)
            {
                levels[node] = fabric.level(node);
            }
            return levels;
        }

        private static int[] nearness(final Fabric fabric, final int root)
        {
            final int[] distance = Distances.from(fabric, root);
            for (int node = 0; node < distance.length; node++)
            {
                distance[node] = -distance[node];
            }
            return distance;
        }
    }
}
