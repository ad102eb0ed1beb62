package org.fibnuma.fibnic.fib;

import org.agrona.collections.IntArrayList;

import java.util.Arrays;

/**
 * The codes of one table and their adjacencies. Only adjacencies of prefixes up to /24 need a code, so that a router
 * with many host routes and few gateways has a narrow table.
 * <p>
 * At 16 bits a code is the adjacency itself. Below, the highest code means "longer prefixes below"; if exactly that
 * code is needed for an adjacency, code 0 means "no route or longer prefixes below" and the second level decides. A
 * released code is reused only when no reader can hold it undecoded. Control thread, except {@link #adjacencyOf}.
 */
final class NextHopCodes
{
    /** Returned by {@link #assign} when the width has no code left. */
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

    /** Returns the narrowest codes for a number of adjacencies. */
    static NextHopCodes narrowestFor(final int adjacencies, final ReaderEpochs epochs)
    {
        final int bits = bitsFor(adjacencies);
        final boolean sharesNoRoute = bits < DIRECT_BITS && adjacencies == Ipv4FibLayout.codeMask(bits);
        return new NextHopCodes(
            bits, sharesNoRoute ? Ipv4FibLayout.NO_ROUTE : Ipv4FibLayout.codeMask(bits), epochs);
    }

    /** Returns the width in bits of the narrowest codes for a number of adjacencies. */
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

    /** Returns the most adjacencies that can have a code, including those whose released codes wait for readers. */
    int capacity()
    {
        return codeBits == DIRECT_BITS || longerCode == Ipv4FibLayout.NO_ROUTE ?
            Ipv4FibLayout.codeMask(codeBits) : Ipv4FibLayout.codeMask(codeBits) - 1;
    }

    int longerCode()
    {
        return longerCode;
    }

    /** Returns adjacencies by code, or {@link Ipv4FibLayout#LONGER}; empty where a code is the adjacency itself. */
    char[] adjacencyOf()
    {
        return adjacencyOf;
    }

    /** Returns the adjacency of a code, or {@link Ipv4FibLayout#LONGER}. */
    int decode(final int code)
    {
        return codeBits == DIRECT_BITS ? code : adjacencyOf[code];
    }

    /** Returns the code of an adjacency; {@link Ipv4FibLayout#NO_ROUTE} where it has none. */
    int codeOf(final int adjacency)
    {
        if (codeBits == DIRECT_BITS)
        {
            return adjacency;
        }
        return adjacency < codeOf.length ? codeOf[adjacency] : Ipv4FibLayout.NO_ROUTE;
    }

    /** Assigns a code to an adjacency unless it has one; returns the code, or {@link #EXHAUSTED}. */
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

    /** Releases the code of an adjacency that no slot of the table has any more. */
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
