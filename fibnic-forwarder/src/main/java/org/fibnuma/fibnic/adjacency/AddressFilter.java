package org.fibnuma.fibnic.adjacency;

import org.agrona.UnsafeApi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * A few IPv4 addresses as a bitmap over some bits of their hash: it tells most other addresses apart at the cost of one
 * access to the first cache. One writer, the control thread; workers read without locks. {@value #BITS} hash bits make
 * 2 KiB, so that of a thousand other addresses less than one is taken for one of ten.
 */
public final class AddressFilter
{
    private static final int BITS = 14;
    /** 2^32 divided by the golden ratio (Knuth, volume 3, section 6.4). */
    private static final int HASH_FACTOR = 0x9E37_79B9;
    private static final int WORD_SHIFT = 6;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long WORDS_BASE = UnsafeApi.arrayBaseOffset(long[].class);
    private static final int WORD_SIZE_SHIFT = 3;

    private final long[] words = new long[1 << BITS - WORD_SHIFT];
    /** How many of the addresses share a bit; control thread. */
    private final int[] counts = new int[1 << BITS];

    /** A filter with no address. */
    public AddressFilter()
    {
    }

    /**
     * Adds an address; control thread.
     *
     * @param address that is not in it.
     */
    public void add(final int address)
    {
        final int bit = bit(address);
        if (counts[bit]++ == 0)
        {
            WORD.setRelease(words, bit >>> WORD_SHIFT, words[bit >>> WORD_SHIFT] | 1L << bit);
        }
    }

    /**
     * Takes an address out; control thread.
     *
     * @param address that is in it.
     */
    public void remove(final int address)
    {
        final int bit = bit(address);
        if (--counts[bit] == 0)
        {
            WORD.setRelease(words, bit >>> WORD_SHIFT, words[bit >>> WORD_SHIFT] & ~(1L << bit));
        }
    }

    /**
     * Whether an address may be one of those added, without a comparison, so that what is wrong with a frame can be
     * gathered in one number; any thread.
     *
     * @param address any.
     * @return 0 where it is none of them, else 1.
     */
    public long mayContain(final int address)
    {
        final int bit = bit(address);
        // A hash of so many bits names a word of the array: no bounds check. The null check tells the JIT that this
        // access is one to an array, which does not order the accesses around it.
        final long word = UnsafeApi.getLong(
            Objects.requireNonNull(words), WORDS_BASE + ((bit >>> WORD_SHIFT) << WORD_SIZE_SHIFT));
        return word >>> bit & 1;
    }

    private static int bit(final int address)
    {
        return address * HASH_FACTOR >>> Integer.SIZE - BITS;
    }
}
