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

    /** Ends, whatever the endpoint thinks of it. */
    public void close()
    {
        buffer.putLong(slot + ClientLayout.SLOT_HEARTBEAT_OFFSET, -(1L << 60));
        buffer.putIntRelease(slot, ClientLayout.SLOT_CLOSING);
    }
}
