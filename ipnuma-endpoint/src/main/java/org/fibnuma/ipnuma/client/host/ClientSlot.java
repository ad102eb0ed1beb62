package org.fibnuma.ipnuma.client.host;

import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
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

    /** Most writes of a client that are sent and not answered: what a round trip needs, and no more of a session. */
    static final int MAX_WRITES = 128;

    private static final int NONE = 0;
    private static final long NEVER = -1;
    private static final int MAX_KEYS = 4096;

    private final int index;
    private final AtomicBuffer place;
    private final AtomicBuffer answerMemory;
    private final int ringCapacity;
    private final RequestRing sends;
    private final AnswerRing answers;
    private final Long2LongHashMap keys = new Long2LongHashMap(Region.NO_KEY);
    /** By peer, 0 before its connection was lost for the first time. */
    private final Long2LongHashMap generations = new Long2LongHashMap(0);
    /** Writes lost by peer, of failures that found no room in the answer ring. */
    private final Long2LongHashMap owedFailures = new Long2LongHashMap(NEVER);
    private int reserved;
    private int writes;
    private int owedFlush = NONE;
    private long claimedSinceNs;
    private boolean spoiled;
    private boolean givenUp;
    private boolean inUse;
    /** Of the client when it was given up: what it stores later does not count. */
    private long lastPid;

    ClientSlot(final AtomicBuffer file, final int offset, final int ringCapacity, final int index)
    {
        final int ringLength = ClientLayout.ringLength(ringCapacity);
        this.index = index;
        this.ringCapacity = ringCapacity;
        this.place = new UnsafeBuffer(file, offset, ClientLayout.SLOT_RINGS_OFFSET);
        this.answerMemory = new UnsafeBuffer(file, offset + ClientLayout.SLOT_RINGS_OFFSET + ringLength, ringLength);
        this.sends = new RequestRing(
            new UnsafeBuffer(file, offset + ClientLayout.SLOT_RINGS_OFFSET, ringLength), ringCapacity);
        this.answers = new AnswerRing(answerMemory, ringCapacity);
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

    /** Of its client, as that said before it was given up. */
    long pid()
    {
        return givenUp ? lastPid : place.getLong(ClientLayout.SLOT_PID_OFFSET);
    }

    /** A client has the place until {@link #reset}, whatever state is stored there. */
    void use()
    {
        inUse = true;
    }

    boolean isInUse()
    {
        return inUse;
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

    int read(final ControlledMessageHandler requests, final int limit)
    {
        return spoiled ? 0 : sends.read(requests, limit);
    }

    /** Whether all that it sent is done. */
    boolean isDrained()
    {
        return sends.end() == sends.position() && owedFlush == NONE;
    }

    /** What the client sent cannot be understood; it is given up at the next turn. */
    void spoil()
    {
        spoiled = true;
    }

    /** Nothing of what it sent is done any more. */
    void giveUp()
    {
        lastPid = pid();
        givenUp = true;
    }

    boolean isGivenUp()
    {
        return givenUp;
    }

    /** Whether the client stored something into its rings that no client may. */
    boolean isSpoiled()
    {
        return spoiled || sends.isBroken() || answers.isBroken();
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

    /** The connection with a peer is lost: what the client sends before it was told is not sent any more. */
    void onFailure(final int type, final int peerId, final long lostWrites)
    {
        generations.put(peerId, ClientMessage.nextGeneration((int)generations.get(peerId)));
        if (owedFailures.containsKey(peerId) || !tellFailure(type, peerId, lostWrites))
        {
            owedFailures.put(peerId, lostWrites + Math.max(0, owedFailures.get(peerId)));
        }
    }

    /** Tells what found no room before. */
    void tellOwedFailures()
    {
        if (!owedFailures.isEmpty())
        {
            final long peerId = owedFailures.keySet().iterator().nextValue();
            if (tellFailure(ClientMessage.PEER_DOWN, (int)peerId, owedFailures.get(peerId)))
            {
                owedFailures.remove(peerId);
            }
        }
    }

    private boolean tellFailure(final int type, final int peerId, final long lostWrites)
    {
        return hasRoom(MAX_ANSWER_LENGTH) && answer(type, peerId, 0, (int)generations.get(peerId), lostWrites);
    }

    /** Whether a request was sent before the client was told that a connection was lost. */
    boolean isOutdated(final int peerId, final int generation)
    {
        return generation != generations.get(peerId);
    }

    int owedFlush()
    {
        return owedFlush;
    }

    void oweFlush(final int peerId)
    {
        owedFlush = peerId;
    }

    /** Writes that were sent and are to be answered. */
    int writes()
    {
        return writes;
    }

    void countWrites(final int change)
    {
        writes += change;
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

    /** Whether an answer that nothing is kept for finds room. */
    boolean hasRoom(final int answerLength)
    {
        final boolean room = reserve(answerLength);
        if (room)
        {
            unreserve(answerLength);
        }
        return room;
    }

    void unreserve(final int answerLength)
    {
        reserved -= answerLength;
    }

    /** An answer without data; false where the ring is full. */
    boolean answer(final int type, final long correlation, final int status, final int length, final long value)
    {
        final int at = answers.claim(ClientMessage.ANSWER_DATA_OFFSET);
        if (at < 0)
        {
            return false;
        }
        putAnswer(at, correlation, status, length, value);
        answers.commit(at, type, ClientMessage.ANSWER_DATA_OFFSET);
        return true;
    }

    /** An answer with the bytes that were read; false where the ring is full. */
    boolean answerRead(final long correlation, final int status, final long address, final int length)
    {
        final int at = answers.claim(ClientMessage.ANSWER_DATA_OFFSET + length);
        if (at < 0)
        {
            return false;
        }
        putAnswer(at, correlation, status, length, 0);
        FrameMemory.copy(address, answerMemory.addressOffset() + at + ClientMessage.ANSWER_DATA_OFFSET, length);
        answers.commit(at, ClientMessage.READ_DONE, ClientMessage.ANSWER_DATA_OFFSET + length);
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
        if (!hasRoom(MAX_ANSWER_LENGTH) || !answer(type, peerId, status, 0, value))
        {
            place.putLongRelease(
                ClientLayout.SLOT_LOST_EVENTS_OFFSET, place.getLong(ClientLayout.SLOT_LOST_EVENTS_OFFSET) + 1);
        }
    }

    /** Empty and free for the next client, whatever the last one left, records begun and not ended too. */
    void reset()
    {
        sends.reset();
        answers.reset();
        place.putLong(ClientLayout.SLOT_PID_OFFSET, 0);
        place.putLong(ClientLayout.SLOT_HEARTBEAT_OFFSET, 0);
        place.putLong(ClientLayout.SLOT_LOST_EVENTS_OFFSET, 0);
        place.putInt(ClientLayout.SLOT_GENERATION_OFFSET, place.getInt(ClientLayout.SLOT_GENERATION_OFFSET) + 1);
        keys.clear();
        generations.clear();
        owedFailures.clear();
        reserved = 0;
        owedFlush = NONE;
        claimedSinceNs = NONE;
        spoiled = false;
        givenUp = false;
        inUse = false;
        place.putIntRelease(ClientLayout.SLOT_STATE_OFFSET, ClientLayout.SLOT_FREE);
    }
}
