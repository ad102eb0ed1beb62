package org.fibnuma.ipnuma.client;

import org.agrona.concurrent.AtomicBuffer;

import java.nio.file.Path;
import java.util.Random;

/** Stores what it likes into its own place. */
public final class HostileClient
{
    private static final int TAIL_OFFSET = 128;
    private static final int[] LENGTHS = {
        0, 1, 7, 8, 16, 24, 32, 40, 64, 1072, 4096, 16 * 1024, Integer.MAX_VALUE, Integer.MAX_VALUE - 7, -1};

    private final AtomicBuffer buffer;
    private final int slot;
    private final int ring;
    private final int capacity;

    /**
     * Takes a place.
     *
     * @param endpointDirectory of the endpoint.
     */
    public HostileClient(final Path endpointDirectory)
    {
        final ClientFile file = ClientFile.open(endpointDirectory);
        buffer = file.buffer();
        slot = file.claimSlot();
        ring = slot + buffer.getInt(ClientLayout.SEND_RING_OFFSET);
        capacity = buffer.getInt(ClientLayout.RING_CAPACITY_OFFSET);
    }

    /**
     * Fills the ring with records that are half sense and half nonsense.
     *
     * @param random what to store.
     */
    public void store(final Random random)
    {
        final byte[] garbage = new byte[capacity];
        random.nextBytes(garbage);
        buffer.putBytes(ring, garbage);
        for (int at = 0; at < capacity - 64;)
        {
            final int length = LENGTHS[random.nextInt(LENGTHS.length)];
            buffer.putInt(ring + at, length);
            buffer.putInt(ring + at + 4, random.nextInt(11) - 1);
            buffer.putLong(ring + at + 8, ClientMessage.target(2, 7, random.nextInt(70_000)));
            buffer.putInt(ring + at + 24, random.nextInt(1100) - 10);
            at += 8 * (1 + random.nextInt(40));
        }
        buffer.putLong(ring + capacity + TAIL_OFFSET, random.nextLong());
        if (random.nextInt(4) == 0)
        {
            buffer.putLong(ring + capacity + 3 * TAIL_OFFSET, random.nextLong());
        }
        buffer.putLongRelease(slot + ClientLayout.SLOT_HEARTBEAT_OFFSET, System.nanoTime());
    }

    /**
     * Stores the header of a request at the beginning of the ring, as if it were complete.
     *
     * @param length of the record with its header.
     * @param type   of it.
     */
    public void storeHeader(final int length, final int type)
    {
        buffer.putInt(ring + Integer.BYTES, type);
        buffer.putIntRelease(ring, length);
    }

    /**
     * Stores the position up to which it has read answers.
     *
     * @param position any.
     */
    public void storeAnswerHead(final long position)
    {
        buffer.putLongRelease(slot + buffer.getInt(ClientLayout.ANSWER_RING_OFFSET) + capacity + 3 * TAIL_OFFSET,
            position);
    }

    /**
     * Stores a flush that wants an answer, as the first record.
     *
     * @param peerId to flush.
     */
    public void storeFlush(final int peerId)
    {
        buffer.putLong(ring + Long.BYTES + ClientMessage.TARGET_OFFSET, ClientMessage.target(peerId, 0, 0));
        buffer.putLong(ring + Long.BYTES + ClientMessage.CORRELATION_OFFSET, 1);
        storeHeader(Long.BYTES + ClientMessage.MIN_REQUEST_LENGTH, ClientMessage.FLUSH);
    }

    /**
     * Stores the position up to which it has written requests.
     *
     * @param position any.
     */
    public void storeTail(final long position)
    {
        buffer.putLongRelease(ring + capacity + TAIL_OFFSET, position);
    }

    /**
     * Stores the state of its place.
     *
     * @param state any.
     */
    public void storeState(final int state)
    {
        buffer.putIntRelease(slot + ClientLayout.SLOT_STATE_OFFSET, state);
    }

    /**
     * The state of its place.
     *
     * @return as stored there.
     */
    public int state()
    {
        return buffer.getIntVolatile(slot + ClientLayout.SLOT_STATE_OFFSET);
    }

    /** Ends, whatever the endpoint thinks of it. */
    public void close()
    {
        buffer.putLong(slot + ClientLayout.SLOT_HEARTBEAT_OFFSET, -(1L << 60));
        buffer.putIntRelease(slot, ClientLayout.SLOT_CLOSING);
    }
}
