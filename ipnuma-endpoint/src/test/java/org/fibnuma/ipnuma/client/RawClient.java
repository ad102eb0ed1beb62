package org.fibnuma.ipnuma.client;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;

import java.nio.file.Path;

/** A client that stores any records, valid or not, and whose heartbeat is the caller's. */
public final class RawClient
{
    private static final int ANY_TYPE = 1;

    private final AtomicBuffer buffer;
    private final int slot;
    private final AtomicBuffer memory;
    private final OneToOneRingBuffer sends;
    private final OneToOneRingBuffer answers;

    /** Claims a slot of the endpoint with a directory. */
    public RawClient(final Path endpointDirectory)
    {
        final ClientFile file = ClientFile.open(endpointDirectory);
        buffer = file.buffer();
        slot = file.claimSlot();
        memory = ring(ClientLayout.SEND_RING_OFFSET);
        sends = new OneToOneRingBuffer(memory);
        answers = new OneToOneRingBuffer(ring(ClientLayout.ANSWER_RING_OFFSET));
    }

    private AtomicBuffer ring(final int offsetField)
    {
        return new UnsafeBuffer(buffer, slot + buffer.getInt(offsetField),
            ClientLayout.ringLength(buffer.getInt(ClientLayout.RING_CAPACITY_OFFSET)));
    }

    /** Stores a heartbeat. */
    public void beat(final long nowNs)
    {
        buffer.putLongRelease(slot + ClientLayout.SLOT_HEARTBEAT_OFFSET, nowNs);
    }

    /** Sends a record with any type and content. */
    public void send(final int type, final byte[] content)
    {
        final int at = claim(content.length);
        memory.putBytes(at, content);
        memory.putInt(RecordDescriptor.typeOffset(at - RecordDescriptor.HEADER_LENGTH), type);
        sends.commit(at);
    }

    /** Begins a record that never ends. */
    public void sendHalf(final int length)
    {
        claim(length);
    }

    private int claim(final int length)
    {
        final int at = sends.tryClaim(ANY_TYPE, length);
        if (at < 0)
        {
            throw new IllegalStateException("the ring is full");
        }
        return at;
    }

    /** Sends a record whose header has any length. */
    public void sendWithLength(final int type, final int length)
    {
        final int at = claim(ClientMessage.MIN_REQUEST_LENGTH) - RecordDescriptor.HEADER_LENGTH;
        memory.putInt(RecordDescriptor.typeOffset(at), type);
        memory.putIntRelease(RecordDescriptor.lengthOffset(at), length);
    }

    /** Returns whether the endpoint has executed all records. */
    public boolean isExecuted()
    {
        return sends.size() == 0;
    }

    /** Reads the answers that have arrived. */
    public void poll(final MessageHandler handler)
    {
        answers.read(handler);
    }

    /** Returns the state of the slot. */
    public int state()
    {
        return buffer.getIntVolatile(slot + ClientLayout.SLOT_STATE_OFFSET);
    }

    /** Leaves the slot. */
    public void close()
    {
        buffer.putIntRelease(slot + ClientLayout.SLOT_STATE_OFFSET, ClientLayout.SLOT_CLOSING);
    }
}
