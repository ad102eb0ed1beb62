package org.fibnuma.fibnic.adjacency;

import org.agrona.UnsafeApi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * A set of a few IPv4 and IPv6 addresses as a table with one bit for each value of a hash: one access to the
 * first-level cache rejects most other addresses. One writer, the control thread; workers read without locks. An IPv6
 * address is two numbers, its first and its last eight bytes.
 * <p>
 * {@value #BITS} hash bits take 2 KiB; a byte for each value would take as much of the first-level cache as the frames
 * of some batches. With ten addresses less than one in a thousand others is a false positive.
 */
public final class AddressFilter
{
    private static final int BITS = 14;
    /** 2^32 divided by the golden ratio (Knuth, volume 3, section 6.4). */
    private static final int HASH_FACTOR = 0x9E37_79B9;
    /** 2^64 divided by the golden ratio. */
    private static final long LONG_HASH_FACTOR = 0x9E37_79B9_7F4A_7C15L;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(int[].class);
    private static final long WORDS_BASE = UnsafeApi.arrayBaseOffset(int[].class);
    private static final int WORD_SHIFT = 5;
    private static final int SIGN = Integer.MIN_VALUE;

    /** One bit for each hash, 1 where an address has it. */
    private final int[] present = new int[1 << BITS - WORD_SHIFT];
    /** Number of addresses with each hash; control thread. */
    private final int[] counts = new int[1 << BITS];

    /** Adds an IPv4 address that was not added before; control thread. */
    public void add(final int address)
    {
        addHash(hash(address));
    }

    /** Adds an IPv6 address that was not added before; control thread. */
    public void add(final long high, final long low)
    {
        addHash(hash(high, low));
    }

    private void addHash(final int hash)
    {
        if (counts[hash]++ == 0)
        {
            WORD.setRelease(present, hash >>> WORD_SHIFT, present[hash >>> WORD_SHIFT] | SIGN >>> hash);
        }
    }

    /** Removes an IPv4 address that was added before; control thread. */
    public void remove(final int address)
    {
        removeHash(hash(address));
    }

    /** Removes an IPv6 address that was added before; control thread. */
    public void remove(final long high, final long low)
    {
        removeHash(hash(high, low));
    }

    private void removeHash(final int hash)
    {
        if (--counts[hash] == 0)
        {
            WORD.setRelease(present, hash >>> WORD_SHIFT, present[hash >>> WORD_SHIFT] & ~(SIGN >>> hash));
        }
    }

    /** Returns false if an IPv4 address was not added, true if it may have been; any thread. */
    public boolean mayContain(final int address)
    {
        return sign(address) < 0;
    }

    /** Returns false if an IPv6 address was not added, true if it may have been; any thread. */
    public boolean mayContain(final long high, final long low)
    {
        return sign(high, low) < 0;
    }

    /**
     * Returns a negative number if {@link #mayContain(int)} is true; any thread. There is no branch, so that a caller
     * can OR the results of several checks of a frame.
     */
    public int sign(final int address)
    {
        return get(hash(address));
    }

    /** Returns a negative number if {@link #mayContain(long, long)} is true, as {@link #sign(int)}; any thread. */
    public int sign(final long high, final long low)
    {
        return get(hash(high, low));
    }

    private int get(final int hash)
    {
        // The table has an entry for every hash: no bounds check. With the null check the JIT treats the access as one
        // to an array, which does not order the accesses around it.
        final int word = UnsafeApi.getInt(
            Objects.requireNonNull(present), WORDS_BASE + (hash >>> WORD_SHIFT) * (long)Integer.BYTES);
        return word << hash;
    }

    private static int hash(final int address)
    {
        return address * HASH_FACTOR >>> Integer.SIZE - BITS;
    }

    private static int hash(final long high, final long low)
    {
        return (int)((high * LONG_HASH_FACTOR + low) * LONG_HASH_FACTOR >>> Long.SIZE - BITS);
    }
}
