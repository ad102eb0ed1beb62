package org.fibnuma.fibnic.fib;

import org.agrona.BitUtil;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Maps a slot to its second-level block: a hash table with linear probing, and one bit for each /16 that may have
 * blocks. One writer, readers without locks; an entry is one {@code long}, so that a reader sees it before or after a
 * change. The writer publishes a larger directory when this one is full.
 */
final class BlockDirectory
{
    /** Returned by {@link #find} for a slot without a block. */
    static final long ABSENT = 0;

    /** Blocks lie at multiples of this. */
    static final int BLOCK_ALIGNMENT = 1 << 9;

    private static final int ALIGNMENT_SHIFT = 9;
    private static final int KEY_BITS = 25;
    private static final long KEY_MASK = (1L << KEY_BITS) - 1;
    private static final int SMALLEST = 64;
    private static final int BITS_OF_16S = 1 << 16;
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Block address in the upper bits, slot + 1 below; 0 is free, an address of 0 a slot whose block was unlinked. */
    private final long[] entries;
    private final long[] mayHaveBelow16 = new long[BITS_OF_16S / Long.SIZE];
    private int used;

    /** Creates an empty directory. */
    BlockDirectory()
    {
        this(SMALLEST);
    }

    private BlockDirectory(final int capacity)
    {
        entries = new long[capacity];
    }

    /** Returns the address of a slot's block, or {@link #ABSENT}; any thread. */
    long find(final int slot)
    {
        for (int i = firstProbe(slot, entries.length);; i = i + 1 & entries.length - 1)
        {
            final long entry = (long)LONGS.getAcquire(entries, i);
            if (entry == 0 || (entry & KEY_MASK) == slot + 1)
            {
                return entry >>> KEY_BITS << ALIGNMENT_SHIFT;
            }
        }
    }

    /** Returns 1 where the /16 of a destination may have blocks, 0 where it has none; any thread. */
    int mayHaveBelow16(final int destination)
    {
        return (int)(mayHaveBelow16[destination >>> 22] >>> (destination >>> 16)) & 1;
    }

    /** Returns whether a new slot needs a {@link #larger()} directory. */
    boolean isFull()
    {
        return 2 * (used + 1) > entries.length;
    }

    /** Returns a directory of the same blocks, without unlinked slots, at most half full. */
    BlockDirectory larger()
    {
        final int[] slots = slots();
        final BlockDirectory larger = new BlockDirectory(
            Math.max(SMALLEST, BitUtil.findNextPositivePowerOfTwo(4 * (slots.length + 1))));
        for (final int slot : slots)
        {
            larger.put(slot, find(slot));
        }
        return larger;
    }

    /** Links a filled block, or unlinks the present one with {@link #ABSENT}. */
    void put(final int slot, final long block)
    {
        final int i = indexOf(slot);
        used += entries[i] == 0 ? 1 : 0;
        final int word = slot >>> 14;
        LONGS.setRelease(mayHaveBelow16, word, mayHaveBelow16[word] | 1L << (slot >>> 8));
        LONGS.setRelease(entries, i, block >>> ALIGNMENT_SHIFT << KEY_BITS | slot + 1);
    }

    /** Returns every slot that has a block. */
    int[] slots()
    {
        return Arrays.stream(entries)
            .filter(entry -> entry >>> KEY_BITS != 0)
            .mapToInt(entry -> (int)(entry & KEY_MASK) - 1)
            .toArray();
    }

    /** Returns false if no slot of a range has a block; the range is a multiple of 256 slots from such a multiple. */
    boolean mayHave(final int firstSlot, final int count)
    {
        for (int below16 = firstSlot >>> 8; below16 < firstSlot + count >>> 8; below16++)
        {
            if ((mayHaveBelow16[below16 >>> 6] >>> below16 & 1) != 0)
            {
                return true;
            }
        }
        return false;
    }

    long bytes()
    {
        return (long)(entries.length + mayHaveBelow16.length) * Long.BYTES;
    }

    private static int firstProbe(final int slot, final int length)
    {
        return slot * 0x9E3779B1 >>> Integer.numberOfLeadingZeros(length - 1);
    }

    private int indexOf(final int slot)
    {
        int i = firstProbe(slot, entries.length);
        while (entries[i] != 0 && (entries[i] & KEY_MASK) != slot + 1)
        {
            i = i + 1 & entries.length - 1;
        }
        return i;
    }
}
