package org.fibnuma.ipnuma.memcached.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * Finds items by key. The number of buckets is fixed: 4 bytes for each 128 bytes of the store's memory. Keys are hashed
 * with random numbers drawn at the start, so that a client cannot choose keys that share a chain.
 */
final class ItemIndex
{
    private static final VarHandle LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int MEMORY_FOR_BUCKET = 128;
    private static final int MIN_BUCKETS = 1 << 10;
    private static final int MAX_BUCKETS = 1 << 27;

    private final ItemMemory memory;
    private final int[] buckets;
    private final long wordSecret;
    private final long stateSecret;
    private int count;

    ItemIndex(final ItemMemory memory, final long memoryBytes)
    {
        this.memory = memory;
        final long wanted = Math.max(MIN_BUCKETS, Math.min(MAX_BUCKETS, memoryBytes / MEMORY_FOR_BUCKET));
        this.buckets = new int[Integer.highestOneBit((int)wanted)];
        final SecureRandom random = new SecureRandom();
        // Odd, so that a product is not zero for all inputs.
        this.wordSecret = random.nextLong();
        this.stateSecret = random.nextLong() | 1;
    }

    int power()
    {
        return Integer.numberOfTrailingZeros(buckets.length);
    }

    int hash(final byte[] key, final int offset, final int length)
    {
        long state = stateSecret ^ length;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES)
        {
            state = mix((long)LONG.get(key, offset + i), state);
        }
        long rest = 0;
        for (; i < length; i++)
        {
            rest = rest << Byte.SIZE | key[offset + i] & 0xFF;
        }
        state = mix(rest, state);
        return (int)(state ^ state >>> Integer.SIZE);
    }

    private long mix(final long word, final long state)
    {
        final long left = word ^ wordSecret;
        final long right = state ^ stateSecret;
        return left * right ^ Math.multiplyHigh(left, right) ^ Long.rotateLeft(state, 29);
    }

    /** Returns the item with a key, or 0. */
    int find(final int hash, final byte[] key, final int offset, final int length)
    {
        int item = buckets[hash & buckets.length - 1];
        while (item != 0 &&
            (memory.getInt(item, ItemLayout.HASH_OFFSET) != hash || !memory.hasKey(item, key, offset, length)))
        {
            item = memory.getInt(item, ItemLayout.NEXT_OFFSET);
        }
        return item;
    }

    void add(final int item)
    {
        final int bucket = bucketOf(item);
        memory.putInt(item, ItemLayout.NEXT_OFFSET, buckets[bucket]);
        buckets[bucket] = item;
        count++;
    }

    void remove(final int item)
    {
        final int bucket = bucketOf(item);
        final int next = memory.getInt(item, ItemLayout.NEXT_OFFSET);
        if (buckets[bucket] == item)
        {
            buckets[bucket] = next;
        }
        else
        {
            int before = buckets[bucket];
            while (memory.getInt(before, ItemLayout.NEXT_OFFSET) != item)
            {
                before = memory.getInt(before, ItemLayout.NEXT_OFFSET);
            }
            memory.putInt(before, ItemLayout.NEXT_OFFSET, next);
        }
        count--;
    }

    private int bucketOf(final int item)
    {
        return memory.getInt(item, ItemLayout.HASH_OFFSET) & buckets.length - 1;
    }

    /** Returns the first item of a bucket. Bucket numbers wrap around at the number of buckets. */
    int first(final int bucket)
    {
        return buckets[bucket & buckets.length - 1];
    }

    int next(final int item)
    {
        return memory.getInt(item, ItemLayout.NEXT_OFFSET);
    }

    int count()
    {
        return count;
    }
}
