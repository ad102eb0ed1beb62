package org.fibnuma.core.port.shm;

import org.agrona.UnsafeApi;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Bounded FIFO of frames in memory that two processes share, for one producer and one consumer thread. Each frame has a
 * slot, whose first eight bytes are its position and its length; the frame follows at once. The consumer polls the slot
 * of the next frame: the cache line that says that there is a frame has the frame's first 56 bytes.
 * <p>
 * Both sides also publish their positions. The producer reads the consumer's only if its copy means full. The consumer
 * reads the producer's only after many polls without a frame, to find frames whose slots were lost because the file was
 * truncated and restored with zeros. Whatever the other process writes, a position or length affects frames only.
 */
final class SlotRing
{
    /** No frame: result of {@link #poll}. */
    static final int NONE = -1;

    // Each position has a pair of cache lines of its own, because of the adjacent-line prefetcher.
    private static final int TAIL_OFFSET = 0;
    private static final int HEAD_OFFSET = 128;
    private static final int SLOTS_OFFSET = 256;
    private static final int FRAME_OFFSET = Long.BYTES;
    /** Longest frame and header; no power of two, so that the first lines of slots use all sets of a cache. */
    private static final int SLOT_STRIDE = ShmLayout.LONGEST_FRAME + 64;

    /** Keeps the mapping alive. */
    private final AtomicBuffer file;
    private final int capacity;
    private final int mask;
    private final int offset;
    private final long slots;
    private long head;
    private long headCopy;
    private long tail;
    private long skips;

    /**
     * Makes a ring, which is empty if the memory is zeroed, and else continues from where its previous users ended.
     *
     * @param file     that contains it, outside the heap.
     * @param offset   of its first byte, a multiple of 64.
     * @param capacity in frames, a power of two.
     */
    SlotRing(final AtomicBuffer file, final int offset, final int capacity)
    {
        file.checkLimit((int)(offset + bytes(capacity)));
        this.file = file;
        this.offset = offset;
        this.capacity = capacity;
        this.mask = capacity - 1;
        this.slots = file.addressOffset() + offset + SLOTS_OFFSET;
        this.head = file.getLongVolatile(offset + HEAD_OFFSET);
        this.headCopy = head;
        this.tail = endOf(file.getLongVolatile(offset + TAIL_OFFSET));
    }

    /** Returns the memory in bytes that a ring of a capacity in frames needs, at most 2 GiB. */
    static long bytes(final int capacity)
    {
        return SLOTS_OFFSET + (long)capacity * SLOT_STRIDE;
    }

    /** Returns the position behind the frames that were written from a position on, published or not. */
    private long endOf(final long position)
    {
        long end = position;
        for (int i = 0; i < capacity && lengthAt(end) != NONE; i++)
        {
            end++;
        }
        return end;
    }

    /**
     * Producer: copies a frame into the ring, where the consumer sees it at once.
     *
     * @param address of its first byte.
     * @param length  in bytes, at most {@link ShmLayout#LONGEST_FRAME}.
     * @return false if the ring is full.
     */
    boolean offer(final long address, final int length)
    {
        if (isFull())
        {
            headCopy = file.getLongVolatile(offset + HEAD_OFFSET);
            if (isFull())
            {
                return false;
            }
        }
        final long slot = slot(tail);
        UnsafeApi.copyMemory(address, slot + FRAME_OFFSET, length);
        UnsafeApi.putLongRelease(null, slot, sequence(tail) << Integer.SIZE | length);
        tail++;
        return true;
    }

    /** Producer: publishes its position, for the next owner of this end and for a consumer that has lost frames. */
    void publish()
    {
        file.putLongRelease(offset + TAIL_OFFSET, tail);
    }

    /** True also if another process has stored a position that no consumer of this ring can have. */
    private boolean isFull()
    {
        return Long.compareUnsigned(tail - headCopy, capacity) >= 0;
    }

    /** Consumer: returns the length of the next frame as the producer wrote it, 1 or more, or {@link #NONE}. */
    int poll()
    {
        return lengthAt(head);
    }

    /** Consumer: returns the address of the next frame, which has {@link ShmLayout#LONGEST_FRAME} readable bytes. */
    long frame()
    {
        return slot(head) + FRAME_OFFSET;
    }

    /** Consumer: goes on to the frame after the next; its slot is free after {@link #consume}. */
    void advance()
    {
        head++;
    }

    /** Consumer: frees the slots behind it. Again now and then, since a restored file has lost the position. */
    void consume()
    {
        file.putLongRelease(offset + HEAD_OFFSET, head);
    }

    /** Consumer: goes on to the producer's position if the next frame does not come from its slot any more. */
    void skipLost()
    {
        final long published = file.getLongVolatile(offset + TAIL_OFFSET);
        // The header is read again, since the frame may have come before the position was read.
        if (published != head && poll() == NONE)
        {
            skips++;
            head = published;
        }
    }

    /** Consumer: skips all frames. */
    void discard()
    {
        head = endOf(file.getLongVolatile(offset + TAIL_OFFSET));
        consume();
    }

    /** Consumer: returns how often frames were skipped because they had been lost. */
    long skips()
    {
        return skips;
    }

    /** Returns the length of the frame of a position, NONE if its slot has none, or one without a positive length. */
    private int lengthAt(final long position)
    {
        final long header = UnsafeApi.getLongAcquire(null, slot(position));
        return header >>> Integer.SIZE == sequence(position) && (int)header > 0 ? (int)header : NONE;
    }

    /** Returns the upper half of the header of a position, as the lower half of a number. */
    private static long sequence(final long position)
    {
        return position + 1 & 0xffff_ffffL;
    }

    private long slot(final long position)
    {
        return slots + (long)((int)position & mask) * SLOT_STRIDE;
    }
}
