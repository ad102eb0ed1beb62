package org.fibnuma.fibnic.fib;

import org.agrona.UnsafeApi;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;

import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * The first level: one code for each /24, packed as {@link Ipv4FibLayout} says, in native memory.
 * <p>
 * One writer. A reader sees of every slot either the code before or the code after a change; what a code stands for,
 * and the second-level block that "longer" points to, are in place before the code is stored. A reader's load of what
 * it stands for uses the code as its index, which orders the two on every processor.
 */
final class Ipv4FibTable implements AutoCloseable
{
    private static final long CODES_BASE = UnsafeApi.arrayBaseOffset(char[].class);

    private final NextHopCodes codes;
    private final int codeBits;
    private final char[] adjacencyOf;
    private final boolean sharesNoRoute;
    private final MemoryRegion region;
    private final long base;

    Ipv4FibTable(final NextHopCodes codes)
    {
        this.codes = codes;
        this.codeBits = codes.codeBits();
        this.adjacencyOf = codes.adjacencyOf();
        this.sharesNoRoute = codes.longerCode() == Ipv4FibLayout.NO_ROUTE;
        this.region = MemoryRegion.ofBytes(Ipv4FibLayout.tableBytes(codeBits));
        this.base = region.address();
    }

    NextHopCodes codes()
    {
        return codes;
    }

    /** Whether one code stands for "no route" and "longer prefixes below". */
    boolean sharesNoRoute()
    {
        return sharesNoRoute;
    }

    long bytes()
    {
        return region.size();
    }

    /** Where the code of a destination lies. */
    long entryAddress(final int destination)
    {
        return base + Ipv4FibLayout.byteIndex(Ipv4FibLayout.slot(destination), codeBits);
    }

    /** The adjacency of a destination, or {@link Ipv4FibLayout#LONGER}; any thread. */
    int lookup(final int destination)
    {
        switch (codeBits)
        {
            case 2:
                return decode(code2(destination));
            case 4:
                return decode(code4(destination));
            case 8:
                return decode(code8(destination));
            default:
                return code16(destination);
        }
    }

    /**
     * The adjacencies of some frames' destinations, {@link Ipv4FibLayout#LONGER} among them; any thread. Nothing but
     * loads and stores in these loops: the processor has dozens of their memory accesses under way at once.
     *
     * @return whether {@link Ipv4FibLayout#LONGER} is among them.
     */
    boolean lookup(final FrameBatch batch, final int from, final int to)
    {
        switch (codeBits)
        {
            case 2:
                return lookup2(batch, from, to);
            case 4:
                return lookup4(batch, from, to);
            case 8:
                return lookup8(batch, from, to);
            default:
                return lookup16(batch, from, to);
        }
    }

    private boolean lookup2(final FrameBatch batch, final int from, final int to)
    {
        int longer = 0;
        for (int i = FrameBatch.index(from); i < to; i++)
        {
            final int adjacency = decode(code2(batch.destination(i)));
            longer |= adjacency + 1;
            batch.adjacency(i, adjacency);
        }
        return longer > Ipv4FibLayout.LONGER;
    }

    private boolean lookup4(final FrameBatch batch, final int from, final int to)
    {
        int longer = 0;
        for (int i = FrameBatch.index(from); i < to; i++)
        {
            final int adjacency = decode(code4(batch.destination(i)));
            longer |= adjacency + 1;
            batch.adjacency(i, adjacency);
        }
        return longer > Ipv4FibLayout.LONGER;
    }

    private boolean lookup8(final FrameBatch batch, final int from, final int to)
    {
        int longer = 0;
        for (int i = FrameBatch.index(from); i < to; i++)
        {
            final int adjacency = decode(code8(batch.destination(i)));
            longer |= adjacency + 1;
            batch.adjacency(i, adjacency);
        }
        return longer > Ipv4FibLayout.LONGER;
    }

    private boolean lookup16(final FrameBatch batch, final int from, final int to)
    {
        int longer = 0;
        for (int i = FrameBatch.index(from); i < to; i++)
        {
            final int adjacency = code16(batch.destination(i));
            longer |= adjacency + 1;
            batch.adjacency(i, adjacency);
        }
        return longer > Ipv4FibLayout.LONGER;
    }

    /** Every code of the width has a place in the array, which the JIT would ask anew for each frame. */
    private int decode(final int code)
    {
        return UnsafeApi.getChar(Objects.requireNonNull(adjacencyOf), CODES_BASE + (long)code * Character.BYTES);
    }

    private int code2(final int destination)
    {
        return FrameMemory.getByte(base + Ipv4FibLayout.byteIndex2(destination)) >>>
            Ipv4FibLayout.shift2(destination) & 0b11;
    }

    private int code4(final int destination)
    {
        return FrameMemory.getByte(base + Ipv4FibLayout.byteIndex4(destination)) >>>
            Ipv4FibLayout.shift4(destination) & 0b1111;
    }

    private int code8(final int destination)
    {
        return FrameMemory.getByte(base + Ipv4FibLayout.byteIndex8(destination)) & 0xFF;
    }

    private int code16(final int destination)
    {
        return FrameMemory.getShort(base + Ipv4FibLayout.byteIndex16(destination));
    }

    /** The code of a slot. */
    int code(final int slot)
    {
        final long address = base + Ipv4FibLayout.byteIndex(slot, codeBits);
        return codeBits == Short.SIZE ?
            FrameMemory.getShort(address) :
            FrameMemory.getByte(address) >>> Ipv4FibLayout.shift(slot, codeBits) & Ipv4FibLayout.codeMask(codeBits);
    }

    /** Stores the code of a slot; everything stored before is seen by a reader that sees it. */
    void put(final int slot, final int code)
    {
        final long address = base + Ipv4FibLayout.byteIndex(slot, codeBits);
        if (codeBits == Short.SIZE)
        {
            VarHandle.releaseFence();
            FrameMemory.putShort(address, code);
        }
        else
        {
            final int shift = Ipv4FibLayout.shift(slot, codeBits);
            final int others = FrameMemory.getByte(address) & ~(Ipv4FibLayout.codeMask(codeBits) << shift);
            VarHandle.releaseFence();
            FrameMemory.putByte(address, others | code << shift);
        }
    }

    /** Stores the same code for a multiple of 32 slots from a multiple of 32 on. */
    void fill(final int firstSlot, final int count, final int code)
    {
        final long pattern = Ipv4FibLayout.repeat(code, codeBits);
        final long first = base + Ipv4FibLayout.byteIndex(firstSlot, codeBits);
        final long end = first + (long)count * codeBits / Byte.SIZE;
        VarHandle.releaseFence();
        for (long address = first; address < end; address += Long.BYTES)
        {
            FrameMemory.putLong(address, pattern);
        }
    }

    /**
     * Takes over every slot of a table with other codes; slots that say "longer" become "no route". Nobody else may see
     * this table yet, and it is empty.
     */
    void copyFrom(final Ipv4FibTable other)
    {
        final char[] translation = new char[1 << other.codeBits];
        for (int code = 0; code < translation.length; code++)
        {
            final int adjacency = other.codes.decode(code);
            translation[code] =
                (char)(adjacency == Ipv4FibLayout.LONGER ? Ipv4FibLayout.NO_ROUTE : codes.codeOf(adjacency));
        }
        // Some codes at once: 16 million stores would hold the control thread for tens of milliseconds.
        final int unitBits = Math.max(Byte.SIZE, 2 * other.codeBits);
        final int unitBytesHere = unitBits / other.codeBits * codeBits / Byte.SIZE;
        if (other.codeBits == Short.SIZE || unitBytesHere == 0)
        {
            copyOneByOne(other, translation);
        }
        else
        {
            copyUnits(other, unitBits, unitBytesHere, expand(translation, other.codeBits, unitBits));
        }
    }

    private void copyOneByOne(final Ipv4FibTable other, final char[] translation)
    {
        final int slotsPerLong = Long.SIZE / other.codeBits;
        for (int slot = 0; slot < Ipv4FibLayout.SLOT_COUNT; slot += slotsPerLong)
        {
            long bits = FrameMemory.getLong(other.base + Ipv4FibLayout.byteIndex(slot, other.codeBits));
            for (int i = slot; bits != 0; i++)
            {
                put(i, translation[(int)bits & Ipv4FibLayout.codeMask(other.codeBits)]);
                bits >>>= other.codeBits;
            }
        }
    }

    private void copyUnits(final Ipv4FibTable other, final int unitBits, final int unitBytesHere, final long[] expanded)
    {
        final long mask = (1L << unitBits) - 1;
        final long end = other.base + Ipv4FibLayout.tableBytes(other.codeBits);
        final long bytesHere = (long)Long.SIZE / unitBits * unitBytesHere;
        long target = base;
        for (long source = other.base; source < end; source += Long.BYTES)
        {
            final long bits = FrameMemory.getLong(source);
            if (bits != 0)
            {
                long address = target;
                for (int shift = 0; shift < Long.SIZE; shift += unitBits)
                {
                    store(address, expanded[(int)(bits >>> shift & mask)], unitBytesHere);
                    address += unitBytesHere;
                }
            }
            target += bytesHere;
        }
    }

    /** For each group of neighbouring codes of the other table those of this one, the lowest slot lowest. */
    private long[] expand(final char[] translation, final int bitsOfOther, final int unitBits)
    {
        final long[] expanded = new long[1 << unitBits];
        for (int unit = 0; unit < expanded.length; unit++)
        {
            long codesHere = 0;
            for (int i = 0; i < unitBits / bitsOfOther; i++)
            {
                final long code = translation[unit >>> i * bitsOfOther & Ipv4FibLayout.codeMask(bitsOfOther)];
                codesHere |= code << i * codeBits;
            }
            expanded[unit] = codesHere;
        }
        return expanded;
    }

    private static void store(final long address, final long value, final int bytes)
    {
        switch (bytes)
        {
            case Byte.BYTES:
                FrameMemory.putByte(address, (int)value);
                break;
            case Short.BYTES:
                FrameMemory.putShort(address, (int)value);
                break;
            case Integer.BYTES:
                FrameMemory.putInt(address, (int)value);
                break;
            default:
                FrameMemory.putLong(address, value);
                break;
        }
    }

    @Override
    public void close()
    {
        region.close();
    }
}
