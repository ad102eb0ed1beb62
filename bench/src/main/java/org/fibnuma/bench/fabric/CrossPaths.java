package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.plan.FatTreePaths;
import org.fibnuma.fabric.plan.LinkLoads;
import org.fibnuma.fabric.plan.PathDistances;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.turns.TurnSet;

import java.util.Arrays;

/**
 * The paths from all servers of one tree to all servers of the other: the way to a joining cable, the cable, and the
 * way from it.
 */
final class CrossPaths
{
    private static final int ROUNDS = 3;
    private static final int NOT_YET = -1;
    private static final int FAR = Byte.MAX_VALUE;

    private final JoinedFatTrees trees;
    private final Fabric fabric;
    private final int tree;
    private final int bottoms;
    private final int half;
    private final int[] cross;
    private final TurnSet turns;
    private final LinkLoads loads;
    private final byte[][] toCable;
    private final byte[][] fromCable;
    private final long[][] candidates;
    private final long[] cableLoad;
    private final short[] chosen;

    CrossPaths(final JoinedFatTrees trees, final TurnSet turns, final int tree, final LinkLoads loads)
    {
        this.trees = trees;
        this.fabric = trees.fabric();
        this.turns = turns;
        this.tree = tree;
        this.loads = loads;
        this.bottoms = trees.bottomsPerTree();
        this.half = trees.half();
        this.cross = new int[trees.crossCables()];
        for (int cable = 0; cable < cross.length; cable++)
        {
            cross[cable] = tree == 0 ? trees.crossChannel(cable) : fabric.reverse(trees.crossChannel(cable));
        }
        this.toCable = new byte[cross.length][];
        this.fromCable = new byte[bottoms][cross.length];
        this.candidates = new long[bottoms * bottoms][];
        this.cableLoad = new long[cross.length];
        this.chosen = new short[bottoms * bottoms * half];
        Arrays.fill(chosen, (short)NOT_YET);
    }

    /** Keeps the cable of the usual routing if no other is nearer. Other pairs choose the least loaded cable. */
    void chooseAsUsual()
    {
        measure();
        final long[] order = candidates();
        keep();
        choose(order, 1);
    }

    /** Chooses the least loaded cable for every pair, in several rounds. */
    void chooseBalanced()
    {
        measure();
        choose(candidates(), ROUNDS);
    }

    private void choose(final long[] order, final int rounds)
    {
        final short[] kept = chosen.clone();
        for (int round = 0; round < rounds; round++)
        {
            for (final long key : order)
            {
                chooseFor(pair(key), kept);
            }
        }
        route();
    }

    private void route()
    {
        final PathDistances distances = new PathDistances(turns);
        final LegalWalk walk = new LegalWalk(turns, loads);
        for (int to = 0; to < bottoms; to++)
        {
            distances.measureTo(trees.bottom(1 - tree, to));
            for (int from = 0; from < bottoms; from++)
            {
                for (int server = 0; server < half; server++)
                {
                    final byte[] before = toCable[chosen[(from * bottoms + to) * half + server]];
                    walk.clear();
                    walk.leave(trees.bottom(tree, from), channel -> before[channel]);
                    walk.follow(distances::of);
                    walk.finish(half);
                }
            }
        }
    }

    private void measure()
    {
        final PathDistances distances = new PathDistances(turns);
        for (int cable = 0; cable < cross.length; cable++)
        {
            distances.measureToChannel(cross[cable]);
            toCable[cable] = new byte[fabric.channelCount()];
            for (int channel = 0; channel < fabric.channelCount(); channel++)
            {
                toCable[cable][channel] = (byte)Math.min(FAR, distances.of(channel));
            }
        }
        for (int to = 0; to < bottoms; to++)
        {
            distances.measureTo(trees.bottom(1 - tree, to));
            for (int cable = 0; cable < cross.length; cable++)
            {
                fromCable[to][cable] = (byte)Math.min(FAR, distances.of(cross[cable]));
            }
        }
    }

    /** Finds the cables that each pair can choose from, and the order in which pairs choose: fewest cables first. */
    private long[] candidates()
    {
        final int usual = usualHops();
        final long[] order = new long[bottoms * bottoms];
        final byte[] reach = new byte[cross.length];
        for (int from = 0; from < bottoms; from++)
        {
            reachFrom(trees.bottom(tree, from), reach);
            for (int to = 0; to < bottoms; to++)
            {
                final int pair = from * bottoms + to;
                candidates[pair] = bestCables(reach, fromCable[to], usual);
                long count = 0;
                for (final long word : candidates[pair])
                {
                    count += Long.bitCount(word);
                }
                // The order of pairs with equal counts mixes both ends.
                order[pair] = count << 2 * 20 | (long)((from + to) % bottoms) << 20 | from;
            }
        }
        Arrays.sort(order);
        return order;
    }

    private int pair(final long key)
    {
        final int from = (int)(key & 0xFFFFF);
        return from * bottoms + Math.floorMod((int)(key >>> 20 & 0xFFFFF) - from, bottoms);
    }

    private void keep()
    {
        final FatTreePaths usual = new FatTreePaths(trees);
        for (int slot = 0; slot < chosen.length; slot++)
        {
            final int pair = slot / half;
            final int cable = usual.cable(pair / bottoms, pair % bottoms * half + slot % half);
            if ((candidates[pair][cable >>> 6] >>> cable & 1) != 0)
            {
                chosen[slot] = (short)cable;
                cableLoad[cable]++;
            }
        }
    }

    private int usualHops()
    {
        switch (trees.join())
        {
            case TOP:
            case TOP_BUT_ONE:
                return 3;
            case MIDDLE:
                return 4;
            default:
                return 5;
        }
    }

    private void reachFrom(final int node, final byte[] reach)
    {
        Arrays.fill(reach, (byte)FAR);
        for (int cable = 0; cable < cross.length; cable++)
        {
            for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
            {
                reach[cable] = (byte)Math.min(reach[cable], toCable[cable][channel]);
            }
        }
    }

    private long[] bestCables(final byte[] reach, final byte[] leave, final int usual)
    {
        final long[] best = new long[(cross.length + 63) / 64];
        int least = 2 * FAR - 1;
        for (int cable = 0; cable < cross.length; cable++)
        {
            final int extra = Math.max(0, reach[cable] - usual) + Math.max(0, leave[cable] - usual);
            if (reach[cable] < FAR && leave[cable] < FAR && extra <= least)
            {
                if (extra < least)
                {
                    Arrays.fill(best, 0);
                }
                least = extra;
                best[cable >>> 6] |= 1L << cable;
            }
        }
        return best;
    }

    private void chooseFor(final int pair, final short[] kept)
    {
        for (int slot = pair * half; slot < (pair + 1) * half; slot++)
        {
            if (kept[slot] != NOT_YET)
            {
                continue;
            }
            if (chosen[slot] != NOT_YET)
            {
                cableLoad[chosen[slot]]--;
            }
            int best = NOT_YET;
            for (int i = 0; i < candidates[pair].length; i++)
            {
                for (long word = candidates[pair][i]; word != 0; word &= word - 1)
                {
                    final int cable = 64 * i + Long.numberOfTrailingZeros(word);
                    best = best < 0 || cableLoad[cable] < cableLoad[best] ? cable : best;
                }
            }
            chosen[slot] = (short)best;
            cableLoad[best]++;
        }
    }
}
