package org.fibnuma.ipnuma.client;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;

import java.nio.file.Path;

/** Dies between the beginning and the end of a record. */
public final class HalfRecordClient
{
    private HalfRecordClient()
    {
    }

    /**
     * Sends one whole record to PC ID 2, begins another and is gone.
     *
     * @param arguments directory of the endpoint, region id.
     */
    public static void main(final String[] arguments)
    {
        final ClientFile file = ClientFile.open(Path.of(arguments[0]));
        final AtomicBuffer buffer = file.buffer();
        final AtomicBuffer memory = new UnsafeBuffer(
            buffer, file.claimSlot() + buffer.getInt(ClientLayout.SEND_RING_OFFSET),
            ClientLayout.ringLength(buffer.getInt(ClientLayout.RING_CAPACITY_OFFSET)));
        final OneToOneRingBuffer sends = new OneToOneRingBuffer(memory);
        for (int i = 0; i < 2; i++)
        {
            final int at = sends.tryClaim(ClientMessage.WRITE, ClientMessage.DATA_OFFSET + Long.BYTES);
            memory.putLong(at, ClientMessage.target(2, Integer.parseInt(arguments[1]), 8L * i));
            memory.putInt(at + ClientMessage.LENGTH_OFFSET, Long.BYTES);
            memory.putLong(at + ClientMessage.DATA_OFFSET, 77);
            if (i == 0)
            {
                sends.commit(at);
            }
        }
        System.out.print('r');
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
