package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

/**
 * Numbers the turn pairs of a fabric: the pairs of channels that leave the same switch. Pair {a, b} stands for the two
 * turns from the reverse of a to b and from the reverse of b to a.
 * <p>
 * A pair of parallel cables to one neighbour has a number too but is no turn: no way needs to go straight back.
 */
public final class TurnPairs
{
    private final Fabric fabric;
    private final int[] firstPair;
    private final int[] low;
    private final int[] high;
    private final int turnPairs;

    /**
     * Numbers the pairs.
     *
     * @param fabric whose turns.
     */
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

    /**
     * The fabric.
     *
     * @return whose turns are numbered.
     */
    public Fabric fabric()
    {
        return fabric;
    }

    /**
     * How many numbers are given.
     *
     * @return pairs of channels, those that are no turns among them.
     */
    public int count()
    {
        return low.length;
    }

    /**
     * How many turn pairs there are.
     *
     * @return pairs of channels whose other ends differ.
     */
    public int turnCount()
    {
        return turnPairs;
    }

    /**
     * Whether a pair is a turn.
     *
     * @param pair a number.
     * @return false for parallel cables.
     */
    public boolean isTurn(final int pair)
    {
        return fabric.target(low[pair]) != fabric.target(high[pair]);
    }

    /**
     * The first pair of a switch; the others follow.
     *
     * @param node a switch, or the number of switches for the end of the last one's.
     * @return a number.
     */
    public int firstOf(final int node)
    {
        return firstPair[node];
    }

    /**
     * The switch where a pair turns.
     *
     * @param pair a number.
     * @return a switch.
     */
    public int node(final int pair)
    {
        return fabric.source(low[pair]);
    }

    /**
     * The channel of a pair with the lower number.
     *
     * @param pair a number.
     * @return a channel that leaves the switch.
     */
    public int low(final int pair)
    {
        return low[pair];
    }

    /**
     * The channel of a pair with the higher number.
     *
     * @param pair a number.
     * @return a channel that leaves the switch.
     */
    public int high(final int pair)
    {
        return high[pair];
    }

    /**
     * The pair of two channels that leave the same switch.
     *
     * @param a a channel.
     * @param b another.
     * @return its number.
     */
    public int between(final int a, final int b)
    {
        final int node = fabric.source(a);
        final int first = fabric.firstChannel(node);
        final int i = Math.min(a, b) - first;
        final int j = Math.max(a, b) - first;
        return firstPair[node] + i * (2 * fabric.degree(node) - i - 1) / 2 + j - i - 1;
    }

    /**
     * The pair of a turn.
     *
     * @param in  channel that comes into a switch.
     * @param out channel that leaves it, not the reverse of {@code in}.
     * @return its number.
     */
    public int ofTurn(final int in, final int out)
    {
        return between(fabric.reverse(in), out);
    }
}
