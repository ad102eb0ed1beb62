package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

/**
 * The allowed turns. Each channel has a row of bits, one for each port of the switch that it leads to. Parameters:
 * {@code in} is a channel into a switch, {@code out} a channel out of it, {@code pair} a number of {@link TurnPairs}.
 */
public final class TurnSet
{
    private final Fabric fabric;
    private final int[] firstWord;
    private final long[] words;

    /** Creates an empty set. */
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

    /** {@return all turns except those straight back, for unrestricted routing; they have cycles if the fabric has} */
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

    /** Allows one direction of a turn. */
    public void allow(final int in, final int out)
    {
        final int port = out - fabric.firstChannel(fabric.target(in));
        words[firstWord[in] + (port >>> 6)] |= 1L << port;
    }

    /** Forbids one direction of a turn. */
    public void forbid(final int in, final int out)
    {
        final int port = out - fabric.firstChannel(fabric.target(in));
        words[firstWord[in] + (port >>> 6)] &= ~(1L << port);
    }

    /** Allows both directions of a turn. */
    public void allowPair(final TurnPairs pairs, final int pair)
    {
        allow(fabric.reverse(pairs.low(pair)), pairs.high(pair));
        allow(fabric.reverse(pairs.high(pair)), pairs.low(pair));
    }

    /** {@return whether a turn is allowed; false for turns straight back} */
    public boolean allows(final int in, final int out)
    {
        final int port = out - fabric.firstChannel(fabric.target(in));
        return (words[firstWord[in] + (port >>> 6)] >>> port & 1) != 0;
    }

    /** {@return whether a turn pair is allowed; both directions are equal} */
    public boolean allowsPair(final TurnPairs pairs, final int pair)
    {
        return allows(fabric.reverse(pairs.low(pair)), pairs.high(pair));
    }

    /** {@return whether all turns of another set of the same fabric are allowed} */
    public boolean containsAll(final TurnSet others)
    {
        boolean contains = true;
        for (int i = 0; i < words.length; i++)
        {
            contains &= (others.words[i] & ~words[i]) == 0;
        }
        return contains;
    }

    /** {@return the number of forbidden turn pairs, without parallel cables} */
    public int forbiddenPairs(final TurnPairs pairs)
    {
        int forbidden = 0;
        for (int pair = 0; pair < pairs.count(); pair++)
        {
            forbidden += pairs.isTurn(pair) && !allowsPair(pairs, pair) ? 1 : 0;
        }
        return forbidden;
    }

    /** {@return the index for {@link #word} of the row of a channel; after the last channel, that of its end} */
    public int firstWord(final int in)
    {
        return firstWord[in];
    }

    /** {@return 64 bits of a row; bit i of word n is local port 64 n + i of the switch that the channel leads to} */
    public long word(final int index)
    {
        return words[index];
    }

    /** {@return the fabric whose turns it contains} */
    public Fabric fabric()
    {
        return fabric;
    }
}
