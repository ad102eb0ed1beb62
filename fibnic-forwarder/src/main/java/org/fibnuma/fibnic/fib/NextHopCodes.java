package org.fibnuma.fibnic.fib;

import org.agrona.collections.IntArrayList;

import java.util.Arrays;

/**
 * Which code stands for which adjacency in one table. Only adjacencies that routes of up to /24 use need one, so that
 * a router with many host routes and few gateways keeps a narrow table.
 * <p>
 * At 16 bits a code is the adjacency itself. Below, codes are given out in turn, and one code is kept for "longer
 * prefixes below", the highest; where the adjacencies are so many that just that one is wanting, 0 stands for "no
 * route or longer prefixes below" and the second level says which. A code that is given back is used again only when
 * no reader can still hold it undecoded. Control thread, except {@link #adjacencyOf}.
 */
final class NextHopCodes
{
    /** What {@link #assign} yields when the width has no code left. */
    static final int EXHAUSTED = -1;

    private static final int DIRECT_BITS = 16;
    private static final int NARROWEST_BITS = 2;

    private final int codeBits;
    private final int longerCode;
    private final char[] adjacencyOf;
    private final IntArrayList free = new IntArrayList();
    private final ReaderEpochs epochs;
    private char[] codeOf = new char[0];

    private NextHopCodes(final int codeBits, final int longerCode, final ReaderEpochs epochs)
    {
        this.codeBits = codeBits;
        this.longerCode = longerCode;
        this.epochs = epochs;
        this.adjacencyOf = new char[codeBits == DIRECT_BITS ? 0 : 1 << codeBits];
        if (codeBits < DIRECT_BITS)
        {
            adjacencyOf[longerCode] = Ipv4FibLayout.LONGER;
            for (int code = adjacencyOf.length - 1; code > 0; code--)
            {
                if (code != longerCode)
                {
                    free.addInt(code);
                }
            }
        }
    }

    /** The narrowest codes that have room for this many adjacencies at once. */
    static NextHopCodes narrowestFor(final int adjacencies, final ReaderEpochs epochs)
    {
        final int bits = bitsFor(adjacencies);
        final boolean sharesNoRoute = bits < DIRECT_BITS && adjacencies == Ipv4FibLayout.codeMask(bits);
        return new NextHopCodes(
            bits, sharesNoRoute ? Ipv4FibLayout.NO_ROUTE : Ipv4FibLayout.codeMask(bits), epochs);
    }

    /** How wide the narrowest codes are that have room for this many adjacencies at once. */
    static int bitsFor(final int adjacencies)
    {
        int bits = NARROWEST_BITS;
        while (bits < DIRECT_BITS && adjacencies > Ipv4FibLayout.codeMask(bits))
        {
            bits <<= 1;
        }
        return bits;
    }

    int codeBits()
    {
        return codeBits;
    }

    /** How many adjacencies can have a code at once, those included whose codes wait for readers. */
    int capacity()
    {
        return codeBits == DIRECT_BITS || longerCode == Ipv4FibLayout.NO_ROUTE ?
            Ipv4FibLayout.codeMask(codeBits) : Ipv4FibLayout.codeMask(codeBits) - 1;
    }

    /** The code for "longer prefixes below". */
    int longerCode()
    {
        return longerCode;
    }

    /** By code: the adjacency, or {@link Ipv4FibLayout#LONGER}; empty where a code is the adjacency itself. */
    char[] adjacencyOf()
    {
        return adjacencyOf;
    }

    /** What a code stands for. */
    int decode(final int code)
    {
        return codeBits == DIRECT_BITS ? code : adjacencyOf[code];
    }

    /** The code of an adjacency; {@link Ipv4FibLayout#NO_ROUTE} for adjacency 0 and where it has none. */
    int codeOf(final int adjacency)
    {
        if (codeBits == DIRECT_BITS)
        {
            return adjacency;
        }
        return adjacency < codeOf.length ? codeOf[adjacency] : Ipv4FibLayout.NO_ROUTE;
    }

    /** Gives an adjacency a code, unless it has one: the code, or {@link #EXHAUSTED}. */
    int assign(final int adjacency)
    {
        if (codeBits == DIRECT_BITS)
        {
            return adjacency;
        }
        if (adjacency >= codeOf.length)
        {
            codeOf = Arrays.copyOf(codeOf, adjacency + (adjacency >> 1) + 16);
        }
        if (codeOf[adjacency] == 0)
        {
            if (free.isEmpty())
            {
                return EXHAUSTED;
            }
            final int code = free.popInt();
            adjacencyOf[code] = (char)adjacency;
            codeOf[adjacency] = (char)code;
        }
        return codeOf[adjacency];
    }

    /** Takes the code of an adjacency that no slot of the table shows any more. */
    void release(final int adjacency)
    {
        if (codeBits < DIRECT_BITS)
        {
            final int code = codeOf[adjacency];
            codeOf[adjacency] = 0;
            epochs.retire(() -> free.addInt(code));
        }
    }

    long bytes()
    {
        return (long)(codeOf.length + adjacencyOf.length) * Character.BYTES;
    }
}
