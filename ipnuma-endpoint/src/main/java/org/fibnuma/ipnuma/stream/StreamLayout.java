package org.fibnuma.ipnuma.stream;

import org.agrona.BitUtil;

/**
 * Layout of a program's region. Programs differ only in these two numbers. Offsets are relative to the region.
 *
 * @param connections  number of slots, 1 to 16,384.
 * @param ringCapacity bytes of the ring of each slot, a power of two from 4 KiB to 1 MiB.
 */
record StreamLayout(int connections, int ringCapacity)
{
    static final int MAX_CONNECTIONS = 16_384;
    static final int MIN_RING_CAPACITY = 4 * 1024;
    static final int MAX_RING_CAPACITY = 1 << 20;

    /** Connections that share one summary byte. */
    static final int GROUP = 64;
    /** Group of the hello slots in the summary. Group 1 has connections 0 to 63. */
    static final int HELLO_GROUP = 0;
    /** Number of hello slots. */
    static final int HELLOS = 64;
    static final int HELLO_LENGTH = 64;
    static final int HEADER_LENGTH = 128;

    /** A byte that peers store to find out whether the region still exists. */
    static final int PROBE_OFFSET = 480;

    private static final int SUMMARY_OFFSET = 0;
    private static final int HELLO_OFFSET = 512;
    private static final int READY_OFFSET = HELLO_OFFSET + HELLOS * HELLO_LENGTH;
    private static final int PAGE = 4096;
    private static final long MAX_SIZE = 1 << 30;
    private static final int CAPACITY_SHIFT = 24;
    private static final int CONNECTIONS_MASK = (1 << CAPACITY_SHIFT) - 1;

    static boolean isValid(final int connections, final int ringCapacity)
    {
        return connections >= 1 && connections <= MAX_CONNECTIONS && BitUtil.isPowerOfTwo(ringCapacity) &&
            ringCapacity >= MIN_RING_CAPACITY && ringCapacity <= MAX_RING_CAPACITY &&
            new StreamLayout(connections, ringCapacity).size() <= MAX_SIZE;
    }

    /** Returns the layout that a peer has packed, or null if the values are invalid. */
    static StreamLayout unpack(final int packed)
    {
        final int shift = packed >>> CAPACITY_SHIFT;
        final int count = packed & CONNECTIONS_MASK;
        final int capacity = shift < Integer.SIZE - 1 ? 1 << shift : 0;
        return isValid(count, capacity) ? new StreamLayout(count, capacity) : null;
    }

    /** Returns both numbers in one: binary logarithm of the capacity in bits 31 to 24, connections below. */
    int pack()
    {
        return Integer.numberOfTrailingZeros(ringCapacity) << CAPACITY_SHIFT | connections;
    }

    /** Returns the offset of the summary byte of a group. */
    static int summary(final int group)
    {
        return SUMMARY_OFFSET + group;
    }

    int groups()
    {
        return (connections + GROUP - 1) / GROUP;
    }

    /** Returns the offset of a hello slot. */
    static int hello(final int index)
    {
        return HELLO_OFFSET + index * HELLO_LENGTH;
    }

    /** Returns the offset of the ready byte of a slot. */
    int ready(final int slot)
    {
        return READY_OFFSET + slot;
    }

    /** Returns the offset of the header of a slot. */
    int header(final int slot)
    {
        return READY_OFFSET + groups() * GROUP + slot * HEADER_LENGTH;
    }

    /** Returns the offset of the ring of a slot. */
    int ring(final int slot)
    {
        return (int)(ringsOffset() + (long)slot * ringCapacity);
    }

    private long ringsOffset()
    {
        return BitUtil.align(READY_OFFSET + groups() * GROUP + connections * HEADER_LENGTH, PAGE);
    }

    /** Returns the length of the region in bytes, a multiple of 4,096. */
    long size()
    {
        return ringsOffset() + (long)connections * ringCapacity;
    }
}
