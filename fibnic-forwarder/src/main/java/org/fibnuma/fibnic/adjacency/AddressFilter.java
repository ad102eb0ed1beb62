package org.fibnuma.fibnic.adjacency;

import org.agrona.UnsafeApi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * A set of a few IPv4 and IPv6 addresses as a bitmap of their hashes: one access to the first-level cache rejects most
 * other addresses. One writer, the control thread; workers read without locks. {@value #BITS} hash bits take 2 KiB;
 * with ten addresses less than one in a thousand others is a false positive.
 */
public final class AddressFilter
{
    private static final int BITS = 14;
    /** 2^32 divided by the golden ratio (Knuth, volume 3, section 6.4). */
    private static final int HASH_FACTOR = 0x9E37_79B9;
    /** 2^64 divided by the golden ratio. */
    private static final long LONG_HASH_FACTOR = 0x9E37_79B9_7F4A_7C15L;
    private static final int WORD_SHIFT = 6;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long WORDS_BASE = UnsafeApi.arrayBaseOffset(long[].class);
    private static final int WORD_SIZE_SHIFT = 3;

    private final long[] words = new long[1 << BITS - WORD_SHIFT];
    /** How many of the addresses share a bit; control thread. */
    private final int[] counts = new int[1 << BITS];

    /** Adds an IPv4 address that was not added before; control thread. */
    public void add(final int address)
    {
        addBit(bit(address));
    }

    /** Adds an IPv6 address, in two halves, that was not added before; control thread. */
    public void add(final long high, final long low)
    {
        addBit(bit(high, low));
    }

    private void addBit(final int bit)
    {
        if (counts[bit]++ == 0)
        {
            WORD.setRelease(words, bit >>> WORD_SHIFT, words[bit >>> WORD_SHIFT] | 1L << bit);
        }
    }

    /** Removes an IPv4 address that was added before; control thread. */
    public void remove(final int address)
    {
        removeBit(bit(address));
    }

    /** Removes an IPv6 address, in two halves, that was added before; control thread. */
    public void remove(final long high, final long low)
    {
        removeBit(bit(high, low));
    }

    private void removeBit(final int bit)
    {
        if (--counts[bit] == 0)
        {
            WORD.setRelease(words, bit >>> WORD_SHIFT, words[bit >>> WORD_SHIFT] & ~(1L << bit));
        }
    }

    /**
     * Returns whether an address may have been added, without a branch, so that a caller can OR the faults of a frame
     * into one number; any thread.
     *
     * @param address any IPv4 address.
     * @return 0 where it was not added, else 1.
     */
    public long mayContain(final int address)
    {
        return get(bit(address));
    }

    /**
     * Returns whether an IPv6 address may have been added, as {@link #mayContain(int)} does; any thread.
     *
     * @param high the first eight bytes of any IPv6 address.
     * @param low  its last eight bytes.
     * @return 0 where it was not added, else 1.
     */
    public long mayContain(final long high, final long low)
    {
        return get(bit(high, low));
    }

    private long get(final int bit)
    {
        // The hash has as many bits as the array has words: no bounds check. With the null check the JIT treats the
        // access as one to an array, which does not order the accesses around it.
        final long word = UnsafeApi.getLong(
            Objects.requireNonNull(words), WORDS_BASE + ((bit >>> WORD_SHIFT) << WORD_SIZE_SHIFT));
        return word >>> bit & 1;
    }

    private static int bit(final int address)
    {
        return address * HASH_FACTOR >>> Integer.SIZE - BITS;
    }

    private static int bit(final long high, final long low)
    {
        return (int)((high * LONG_HASH_FACTOR + low) * LONG_HASH_FACTOR >>> Long.SIZE - BITS);
    }
}
