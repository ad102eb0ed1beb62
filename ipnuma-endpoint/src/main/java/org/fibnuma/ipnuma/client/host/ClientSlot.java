package org.fibnuma.ipnuma.client.host;

import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.client.ClientLayout;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.table.Region;

/** One client's place, as the endpoint's thread sees it. What the client stores there can spoil its own place only. */
final class ClientSlot
{
    /** Most bytes that one answer takes in its ring. */
    static final int MAX_ANSWER_LENGTH =
        Long.BYTES + ClientMessage.ANSWER_DATA_OFFSET + ClientMessage.MAX_DATA_LENGTH;

    private static final int NONE = 0;
    /** No position lies before it, whatever the client makes of its ring. */
    private static final long NEVER = Long.MIN_VALUE;
    private static final int MAX_KEYS = 4096;

    private final int index;
    private final AtomicBuffer place;
    private final AtomicBuffer sendMemory;
    private final AtomicBuffer answerMemory;
    private final int ringCapacity;
    private final RingBuffer sends;
    private final RingBuffer answers;
    private final Long2LongHashMap keys = new Long2LongHashMap(Region.NO_KEY);
    /** Position in the ring of requests by peer: what was sent to it before has nobody to go to any more. */
    private final Long2LongHashMap restarts = new Long2LongHashMap(NEVER);
    private long lastRestart = NEVER;
    private int reserved;
    private int owedFlush = NONE;
    private long claimedSinceNs;
    private boolean spoiled;
    private boolean givenUp;

    ClientSlot(final AtomicBuffer file, final int offset, final int ringCapacity, final int index)
    {
        final int ringLength = ClientLayout.ringLength(ringCapacity);
        this.index = index;
        this.ringCapacity = ringCapacity;
        this.place = new UnsafeBuffer(file, offset, ClientLayout.SLOT_RINGS_OFFSET);
        this.sendMemory = new UnsafeBuffer(file, offset + ClientLayout.SLOT_RINGS_OFFSET, ringLength);
        this.answerMemory = new UnsafeBuffer(file, offset + ClientLayout.SLOT_RINGS_OFFSET + ringLength, ringLength);
        this.sends = new OneToOneRingBuffer(sendMemory);
        this.answers = new OneToOneRingBuffer(answerMemory);
    }

    int index()
    {
        return index;
    }

    int state()
    {
        return place.getIntVolatile(ClientLayout.SLOT_STATE_OFFSET);
    }

    /** Only where it is still the state expected: the client may say at the same time that it has ended. */
    boolean changeState(final int expected, final int next)
    {
        return place.compareAndSetInt(ClientLayout.SLOT_STATE_OFFSET, expected, next);
    }

    long pid()
    {
        return place.getLong(ClientLayout.SLOT_PID_OFFSET);
    }

    /** Remembers when a claim was first seen, so that who dies while claiming is found out too. */
    boolean isClaimStale(final long nowNs, final long timeoutNs)
    {
        if (claimedSinceNs == NONE)
        {
            claimedSinceNs = nowNs;
        }
        return nowNs - claimedSinceNs > timeoutNs;
    }

    /** No heartbeat for the timeout, or one from a future that no living clock shows. */
    boolean isSilent(final long nowNs, final long timeoutNs)
    {
        final long age = nowNs - place.getLongVolatile(ClientLayout.SLOT_HEARTBEAT_OFFSET);
        return age > timeoutNs || age < -timeoutNs;
    }

    int ringCapacity()
    {
        return ringCapacity;
    }

    int read(final ControlledMessageHandler requests, final int limit)
    {
        try
        {
            return sends.controlledRead(requests, limit);
        }
        catch (final IndexOutOfBoundsException ignore)
        {
            // A record whose length leaves the ring: Agrona's bounds checks stopped it.
            spoiled = true;
            return 0;
        }
    }

    /** Whether all that it sent is done. */
    boolean isDrained()
    {
        return sends.size() == 0 && owedFlush == NONE;
    }

    /** What the client sent cannot be understood; it is given up at the next turn. */
    void spoil()
    {
        spoiled = true;
    }

    /** Nothing of what it sent is done any more. */
    void giveUp()
    {
        givenUp = true;
    }

    boolean isGivenUp()
    {
        return givenUp;
    }

    boolean isSpoiled()
    {
        return spoiled;
    }

    /** Of the region of a target, as this client has told it. */
    long key(final long target)
    {
        return keys.get(target >>> Integer.SIZE);
    }

    /** False where it has told too many. */
    boolean putKey(final long target, final long key)
    {
        final long region = target >>> Integer.SIZE;
        if (key == Region.NO_KEY)
        {
            keys.remove(region);
            return true;
        }
        if (keys.size() >= MAX_KEYS && !keys.containsKey(region))
        {
            return false;
        }
        keys.put(region, key);
        return true;
    }

    /** What waits for a peer that was started anew was meant for the memory that it had. */
    void onRestart(final int peerId)
    {
        final long position = sends.producerPosition();
        if (position > sends.consumerPosition())
        {
            lastRestart = position;
            restarts.put(peerId, position);
        }
    }

    /** Whether a request, by its index in the ring, was sent to an earlier run of its peer. */
    boolean isOutdated(final int peerId, final int recordIndex)
    {
        if (lastRestart == NEVER)
        {
            return false;
        }
        final long head = sends.consumerPosition();
        if (head >= lastRestart)
        {
            restarts.clear();
            lastRestart = NEVER;
            return false;
        }
        final long ahead = recordIndex - RecordDescriptor.HEADER_LENGTH - head & ringCapacity - 1;
        return head + ahead < restarts.get(peerId);
    }

    int owedFlush()
    {
        return owedFlush;
    }

    void oweFlush(final int peerId)
    {
        owedFlush = peerId;
    }

    /** Keeps room for an answer, so that none is ever lost. */
    boolean reserve(final int answerLength)
    {
        // Two answers more than asked for: at the ring's end up to one is lost to padding.
        if (answers.size() + reserved + answerLength + 2 * MAX_ANSWER_LENGTH > ringCapacity)
        {
            return false;
        }
        reserved += answerLength;
        return true;
    }

    void unreserve(final int answerLength)
    {
        reserved -= answerLength;
    }

    /** An answer without data; false where the ring is full. */
    boolean answer(final int type, final long correlation, final int status, final int length, final long value)
    {
        final int at = answers.tryClaim(type, ClientMessage.ANSWER_DATA_OFFSET);
        if (at < 0)
        {
            return false;
        }
        putAnswer(at, correlation, status, length, value);
        answers.commit(at);
        return true;
    }

    /** An answer with the bytes that were read; false where the ring is full. */
    boolean answerRead(final long correlation, final int status, final long address, final int length)
    {
        final int at = answers.tryClaim(ClientMessage.READ_DONE, ClientMessage.ANSWER_DATA_OFFSET + length);
        if (at < 0)
        {
            return false;
        }
        putAnswer(at, correlation, status, length, 0);
        FrameMemory.copy(address, answerMemory.addressOffset() + at + ClientMessage.ANSWER_DATA_OFFSET, length);
        answers.commit(at);
        return true;
    }

    private void putAnswer(
        final int at, final long correlation, final int status, final int length, final long value)
    {
        answerMemory.putLong(at + ClientMessage.ANSWER_CORRELATION_OFFSET, correlation);
        answerMemory.putInt(at + ClientMessage.ANSWER_STATUS_OFFSET, status);
        answerMemory.putInt(at + ClientMessage.ANSWER_LENGTH_OFFSET, length);
        answerMemory.putLong(at + ClientMessage.ANSWER_VALUE_OFFSET, value);
    }

    /** Something happened that nobody asked about: it may be lost, but is counted. */
    void event(final int type, final int peerId, final int status, final long value)
    {
        final boolean room = reserve(MAX_ANSWER_LENGTH);
        if (room)
        {
            unreserve(MAX_ANSWER_LENGTH);
        }
        if (!room || !answer(type, peerId, status, 0, value))
        {
            place.putLongRelease(
                ClientLayout.SLOT_LOST_EVENTS_OFFSET, place.getLong(ClientLayout.SLOT_LOST_EVENTS_OFFSET) + 1);
        }
    }

    /** Empty and free for the next client, whatever the last one left, records begun and not ended too. */
    void reset()
    {
        sendMemory.setMemory(0, sendMemory.capacity(), (byte)0);
        answerMemory.setMemory(0, answerMemory.capacity(), (byte)0);
        place.putLong(ClientLayout.SLOT_PID_OFFSET, 0);
        place.putLong(ClientLayout.SLOT_HEARTBEAT_OFFSET, 0);
        place.putLong(ClientLayout.SLOT_LOST_EVENTS_OFFSET, 0);
        place.putInt(ClientLayout.SLOT_GENERATION_OFFSET, place.getInt(ClientLayout.SLOT_GENERATION_OFFSET) + 1);
        keys.clear();
        restarts.clear();
        lastRestart = NEVER;
        reserved = 0;
        owedFlush = NONE;
        claimedSinceNs = NONE;
        spoiled = false;
        givenUp = false;
        place.putIntRelease(ClientLayout.SLOT_STATE_OFFSET, ClientLayout.SLOT_FREE);
    }
}
