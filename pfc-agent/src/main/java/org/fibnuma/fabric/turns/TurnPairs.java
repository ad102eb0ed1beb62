package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

/**
 * Numbers the turn pairs of a fabric: pairs of channels that leave the same switch. Pair {a, b} stands for the two
 * turns from the reverse of a to b and from the reverse of b to a.
 * <p>
 * A pair of parallel cables to one neighbour has a number too but is not a turn, because no path needs it. Parameters:
 * {@code pair} is such a number, {@code node} a switch.
 */
public final class TurnPairs
{
    private final Fabric fabric;
    private final int[] firstPair;
    private final int[] low;
    private final int[] high;
    private final int turnPairs;

    /** Numbers the pairs of a fabric. */
    public TurnPairs(final Fabric fabric)
    {
        this.fabric = fabric;
        final int switches = fabric.switchCount();
        this.firstPair = new int[switches + 1];
        for (int node = 0; node < switches; node++)
        {
            firstPair[node + 1] = firstPair[node] + fabric.degree(node) * (fabric.degree(node) - 1) / 2;
        }
        this.low = new int[firstPair[switches]];
        this.high = new int[firstPair[switches]];
        int pair = 0;
        int turns = 0;
        for (int node = 0; node < switches; node++)
        {
            for (int a = fabric.firstChannel(node); a < fabric.firstChannel(node + 1); a++)
            {
                for (int b = a + 1; b < fabric.firstChannel(node + 1); b++)
                {
                    low[pair] = a;
                    high[pair++] = b;
                    turns += fabric.target(a) == fabric.target(b) ? 0 : 1;
                }
            }
        }
        this.turnPairs = turns;
    }

    /** {@return the fabric whose turns are numbered} */
    public Fabric fabric()
    {
        return fabric;
    }

    /** {@return the number of pairs, including those of parallel cables} */
    public int count()
    {
        return low.length;
    }

    /** {@return the number of pairs that are turns} */
    public int turnCount()
    {
        return turnPairs;
    }

    /** {@return whether a pair is a turn; false for parallel cables} */
    public boolean isTurn(final int pair)
    {
        return fabric.target(low[pair]) != fabric.target(high[pair]);
    }

    /** {@return the first pair of a switch} For {@code node = switchCount()} it is the number of pairs. */
    public int firstOf(final int node)
    {
        return firstPair[node];
    }

    /** {@return the switch of a pair} */
    public int node(final int pair)
    {
        return fabric.source(low[pair]);
    }

    /** {@return the channel of a pair with the lower number; it leaves the switch} */
    public int low(final int pair)
    {
        return low[pair];
    }

    /** {@return the channel of a pair with the higher number; it leaves the switch} */
    public int high(final int pair)
    {
        return high[pair];
    }

    /** {@return the pair of two channels that leave the same switch} */
    public int between(final int a, final int b)
    {
        final int node = fabric.source(a);
        final int first = fabric.firstChannel(node);
        final int i = Math.min(a, b) - first;
        final int j = Math.max(a, b) - first;
        return firstPair[node] + i * (2 * fabric.degree(node) - i - 1) / 2 + j - i - 1;
    }

    /**
     * {@return the pair of a turn from channel {@code in} into a switch to channel {@code out} out of it, not its
     * reverse}
     */
    public int ofTurn(final int in, final int out)
    {
        return between(fabric.reverse(in), out);
    }
}
