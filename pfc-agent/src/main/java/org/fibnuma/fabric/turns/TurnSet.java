package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

/**
 * The turns that routes may take: for each channel a row of bits, one for each port of the switch that it leads to.
 */
public final class TurnSet
{
    private final Fabric fabric;
    private final int[] firstWord;
    private final long[] words;

    /**
     * Nothing allowed yet.
     *
     * @param fabric whose turns.
     */
    public TurnSet(final Fabric fabric)
    {
        this.fabric = fabric;
        this.firstWord = new int[fabric.channelCount() + 1];
        for (int channel = 0; channel < fabric.channelCount(); channel++)
        {
            firstWord[channel + 1] = firstWord[channel] + (fabric.degree(fabric.target(channel)) + 63) / 64;
        }
        this.words = new long[firstWord[fabric.channelCount()]];
    }

    /**
     * Every turn but those straight back, for routings without care.
     *
     * @param fabric whose turns.
     * @return a set that has circles as soon as the fabric has.
     */
    public static TurnSet everything(final Fabric fabric)
    {
        final TurnSet all = new TurnSet(fabric);
        for (int in = 0; in < fabric.channelCount(); in++)
        {
            final int node = fabric.target(in);
            for (int out = fabric.firstChannel(node); out < fabric.firstChannel(node + 1); out++)
            {
                if (fabric.target(out) != fabric.source(in))
                {
                    all.allow(in, out);
                }
            }
        }
        return all;
    }

    /**
     * Allows one direction of a turn.
     *
     * @param in  channel into a switch.
     * @param out channel out of it.
     */
    public void allow(final int in, final int out)
    {
        final int port = out - fabric.firstChannel(fabric.target(in));
        words[firstWord[in] + (port >>> 6)] |= 1L << port;
    }

    /**
     * Forbids one direction of a turn.
     *
     * @param in  channel into a switch.
     * @param out channel out of it.
     */
    public void forbid(final int in, final int out)
    {
        final int port = out - fabric.firstChannel(fabric.target(in));
        words[firstWord[in] + (port >>> 6)] &= ~(1L << port);
    }

    /**
     * Allows both directions of a turn.
     *
     * @param pairs the numbering.
     * @param pair  a number.
     */
    public void allowPair(final TurnPairs pairs, final int pair)
    {
        allow(fabric.reverse(pairs.low(pair)), pairs.high(pair));
        allow(fabric.reverse(pairs.high(pair)), pairs.low(pair));
    }

    /**
     * Whether a turn may be taken.
     *
     * @param in  channel into a switch.
     * @param out channel out of it.
     * @return false for forbidden ones and those straight back.
     */
    public boolean allows(final int in, final int out)
    {
        final int port = out - fabric.firstChannel(fabric.target(in));
        return (words[firstWord[in] + (port >>> 6)] >>> port & 1) != 0;
    }

    /**
     * Whether a turn pair may be taken; both directions are decided on together.
     *
     * @param pairs the numbering.
     * @param pair  a number.
     * @return as for its one direction.
     */
    public boolean allowsPair(final TurnPairs pairs, final int pair)
    {
        return allows(fabric.reverse(pairs.low(pair)), pairs.high(pair));
    }

    /**
     * How many turn pairs are forbidden.
     *
     * @param pairs the numbering.
     * @return turns only, without parallel cables.
     */
    public int forbiddenPairs(final TurnPairs pairs)
    {
        int forbidden = 0;
        for (int pair = 0; pair < pairs.count(); pair++)
        {
            forbidden += pairs.isTurn(pair) && !allowsPair(pairs, pair) ? 1 : 0;
        }
        return forbidden;
    }

    /**
     * Where the row of a channel begins in {@link #word(int)}.
     *
     * @param in channel into a switch, or the number of channels for the end of the last row.
     * @return an index of words.
     */
    public int firstWord(final int in)
    {
        return firstWord[in];
    }

    /**
     * 64 bits of a row: bit i of the n-th word is local port 64 n + i of the switch that the channel leads to.
     *
     * @param index of the word.
     * @return the bits.
     */
    public long word(final int index)
    {
        return words[index];
    }

    /**
     * The fabric.
     *
     * @return whose turns.
     */
    public Fabric fabric()
    {
        return fabric;
    }
}
