package org.fibnuma.fibnic.fib;

import org.agrona.UnsafeApi;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;

import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * The first level: one code for each /24, packed as in {@link Ipv4FibLayout}, in native memory.
 * <p>
 * One writer. A reader sees the code of a slot before or after a change. The adjacency of a code, and the second-level
 * block for "longer", are stored before the code. A reader loads the adjacency with the code as the index. This
 * dependency orders the two loads on every processor.
 */
final class Ipv4FibTable implements AutoCloseable
{
    private static final long CODES_BASE = UnsafeApi.arrayBaseOffset(char[].class);

    /** A destination without its last octet is the number of a slot, and eight bits are a byte. */
    private static final int BITS_SHIFT = Byte.SIZE + 3;

    private static final int SLOTS_BELOW_8 = 1 << 2 * Byte.SIZE;
    private static final int VARIOUS = -1;
    /** A /16. Fewer slots are at most a few dozen stores. */
    private static final int FEWEST_FILLED_AT_ONCE = 1 << Byte.SIZE;

    private final NextHopCodes codes;
    private final int codeBits;
    private final char[] adjacencyOf;
    private final boolean sharesNoRoute;
    private final MemoryRegion region;
    private final long base;
    /** By /8: the code of all its slots, or {@link #VARIOUS}; control thread. */
    private final int[] codeOfAllBelow8 = new int[1 << Byte.SIZE];

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

    /** Returns whether one code means "no route" and "longer prefixes below". */
    boolean sharesNoRoute()
    {
        return sharesNoRoute;
    }

    long bytes()
    {
        return region.size();
    }

    /** Returns the address of the byte with the code of 0.0.0.0. */
    long base()
    {
        return base;
    }

    /**
     * Returns the number of bits by which a destination is shifted right to give the distance in bytes of its code from
     * {@link #base()}. At 16 bits a code this may be the distance of the second byte of the code.
     */
    int entryShift()
    {
        return BITS_SHIFT - Integer.numberOfTrailingZeros(codeBits);
    }

    /** Returns the adjacency of a destination, or {@link Ipv4FibLayout#LONGER}; any thread. */
    int lookup(final int destination)
    {
        return switch (codeBits)
        {
            case 2 -> decode(code2(destination));
            case 4 -> decode(code4(destination));
            case 8 -> decode(code8(destination));
            default -> code16(destination);
        };
    }

    /**
     * Stores the adjacency, or {@link Ipv4FibLayout#LONGER}, of the destinations of some frames; any thread. The loops
     * have only loads and stores, so that the processor overlaps dozens of memory accesses.
     *
     * @return whether any is {@link Ipv4FibLayout#LONGER}.
     */
    boolean lookup(final FrameBatch batch, final int from, final int to)
    {
        return switch (codeBits)
        {
            case 2 -> lookup2(batch, from, to);
            case 4 -> lookup4(batch, from, to);
            case 8 -> lookup8(batch, from, to);
            default -> lookup16(batch, from, to);
        };
    }

    /** Looks up the frames of a list, as {@link #lookup(FrameBatch, int, int)} does. */
    boolean lookup(final FrameBatch batch, final FrameList list)
    {
        return codeBits == Short.SIZE ? lookup16(batch, list) : lookupInBytes(batch, list);
    }

    /** One loop for all codes that are a byte or a part of one: their position costs two instructions more. */
    private boolean lookupInBytes(final FrameBatch batch, final FrameList list)
    {
        final int count = list.size();
        final int bits = codeBits;
        final int shift = entryShift();
        final int mask = Ipv4FibLayout.codeMask(bits);
        int longer = 0;
        for (int k = 0; k < count; k++)
        {
            final int i = FrameBatch.index(list.get(k));
            final int destination = batch.destination(i);
            final int group = FrameMemory.getByte(base + (destination >>> shift));
            final int adjacency = decode(group >>> Ipv4FibLayout.shift(Ipv4FibLayout.slot(destination), bits) & mask);
            longer |= adjacency + 1;
            batch.adjacency(i, adjacency);
        }
        return longer > Ipv4FibLayout.LONGER;
    }

    private boolean lookup16(final FrameBatch batch, final FrameList list)
    {
        final int count = list.size();
        int longer = 0;
        for (int k = 0; k < count; k++)
        {
            final int i = FrameBatch.index(list.get(k));
            final int adjacency = code16(batch.destination(i));
            longer |= adjacency + 1;
            batch.adjacency(i, adjacency);
        }
        return longer > Ipv4FibLayout.LONGER;
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

    /** Reads the adjacency of a code without a bounds check: the array has an entry for every code of the width. */
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

    int code(final int slot)
    {
        final long address = base + Ipv4FibLayout.byteIndex(slot, codeBits);
        return codeBits == Short.SIZE ?
            FrameMemory.getShort(address) :
            FrameMemory.getByte(address) >>> Ipv4FibLayout.shift(slot, codeBits) & Ipv4FibLayout.codeMask(codeBits);
    }

    /** Stores the code of a slot; a reader that sees it sees all stores before. */
    void put(final int slot, final int code)
    {
        final long address = base + Ipv4FibLayout.byteIndex(slot, codeBits);
        codeOfAllBelow8[slot / SLOTS_BELOW_8] = VARIOUS;
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

    /** Stores one code in a multiple of 32 slots below one /8, from a slot that is a multiple of 32. */
    void fill(final int firstSlot, final int count, final int code)
    {
        codeOfAllBelow8[firstSlot / SLOTS_BELOW_8] = count == SLOTS_BELOW_8 ? code : VARIOUS;
        final long first = base + Ipv4FibLayout.byteIndex(firstSlot, codeBits);
        final int bytes = Ipv4FibLayout.byteIndex(count, codeBits);
        final long pattern = Ipv4FibLayout.repeat(code, codeBits);
        VarHandle.releaseFence();
        if (codeBits < Short.SIZE && count >= FEWEST_FILLED_AT_ONCE)
        {
            FrameMemory.fill(first, bytes, (byte)pattern);
        }
        else
        {
            for (long address = first; address < first + bytes; address += Long.BYTES)
            {
                FrameMemory.putLong(address, pattern);
            }
        }
    }

    /**
     * Copies every slot of a table with other codes; slots with "longer" become "no route". This table must be empty
     * and not published.
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
        // Several codes at once: 16 million stores would take the control thread tens of milliseconds.
        final int unitBits = Math.max(Byte.SIZE, 2 * other.codeBits);
        final int unitBytesHere = unitBits / other.codeBits * codeBits / Byte.SIZE;
        final boolean byUnits = other.codeBits != Short.SIZE && unitBytesHere != 0;
        final long[] expanded = byUnits ? expand(translation, other.codeBits, unitBits) : null;
        for (int slot = 0; slot < Ipv4FibLayout.SLOT_COUNT; slot += SLOTS_BELOW_8)
        {
            final int codeOfAll = other.codeOfAllBelow8[slot / SLOTS_BELOW_8];
            if (codeOfAll > Ipv4FibLayout.NO_ROUTE)
            {
                fill(slot, SLOTS_BELOW_8, translation[codeOfAll]);
            }
            else if (codeOfAll == VARIOUS && byUnits)
            {
                copyUnits(other, slot, unitBits, unitBytesHere, expanded);
            }
            else if (codeOfAll == VARIOUS)
            {
                copyOneByOne(other, slot, translation);
            }
        }
    }

    private void copyOneByOne(final Ipv4FibTable other, final int first, final char[] translation)
    {
        final int slotsPerLong = Long.SIZE / other.codeBits;
        for (int slot = first; slot < first + SLOTS_BELOW_8; slot += slotsPerLong)
        {
            long bits = FrameMemory.getLong(other.base + Ipv4FibLayout.byteIndex(slot, other.codeBits));
            for (int i = slot; bits != 0; i++)
            {
                put(i, translation[(int)bits & Ipv4FibLayout.codeMask(other.codeBits)]);
                bits >>>= other.codeBits;
            }
        }
    }

    private void copyUnits(
        final Ipv4FibTable other,
        final int first,
        final int unitBits,
        final int unitBytesHere,
        final long[] expanded)
    {
        codeOfAllBelow8[first / SLOTS_BELOW_8] = VARIOUS;
        final long mask = (1L << unitBits) - 1;
        final long start = other.base + Ipv4FibLayout.byteIndex(first, other.codeBits);
        final long end = start + Ipv4FibLayout.byteIndex(SLOTS_BELOW_8, other.codeBits);
        final long bytesHere = (long)Long.SIZE / unitBits * unitBytesHere;
        long target = base + Ipv4FibLayout.byteIndex(first, codeBits);
        for (long source = start; source < end; source += Long.BYTES)
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

    /** Maps each group of adjacent codes of the other table to those of this one, the lowest slot lowest. */
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
            case Byte.BYTES -> FrameMemory.putByte(address, (int)value);
            case Short.BYTES -> FrameMemory.putShort(address, (int)value);
            case Integer.BYTES -> FrameMemory.putInt(address, (int)value);
            default -> FrameMemory.putLong(address, value);
        }
    }

    @Override
    public void close()
    {
        region.close();
    }
}
