package org.fibnuma.ipnuma.client.host;

import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.client.ClientLayout;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.table.Region;

/**
 * The slot of one client, for the endpoint's thread. Stores of the client in its slot have no effect on other slots.
 */
final class ClientSlot
{
    /** Maximum length in bytes of one answer in the ring. */
    static final int MAX_ANSWER_LENGTH =
        Long.BYTES + ClientMessage.ANSWER_DATA_OFFSET + ClientMessage.MAX_DATA_LENGTH;

    /** Maximum number of unanswered writes of a client: enough for a round trip, without filling a session. */
    static final int MAX_WRITES = 128;

    /** Reason for ending a client that has stored invalid values. */
    static final String INVALID_RECORD = "has stored an invalid record";

    private static final int NONE = 0;
    private static final long NEVER = -1;
    private static final long UNKNOWN = -1;
    private static final int MAX_KEYS = 4096;

    private final int index;
    private final AtomicBuffer header;
    private final AtomicBuffer answerMemory;
    private final int ringCapacity;
    private final RequestRing sends;
    private final AnswerRing answers;
    private final Long2LongHashMap keys = new Long2LongHashMap(Region.NO_KEY);
    /** By peer; 0 until its connection is lost for the first time. */
    private final Long2LongHashMap generations = new Long2LongHashMap(0);
    /** Number of lost writes by peer, of failures that do not yet fit into the answer ring. */
    private final Long2LongHashMap owedFailures = new Long2LongHashMap(NEVER);
    /** Cached lookups: target region and key, peer and generation of the last request. Most requests repeat them. */
    private long lastRegion = UNKNOWN;
    private long lastKey;
    private long lastPeer = UNKNOWN;
    private long lastGeneration;
    private int reserved;
    private int writes;
    private long claimedSinceNs;
    /** The reason for ending the client, or null. */
    private String invalid;
    private boolean givenUp;
    private boolean inUse;
    /** Process id of an ended client, which may overwrite the one in its slot. */
    private long lastPid;

    ClientSlot(final AtomicBuffer file, final int offset, final int ringCapacity, final int index)
    {
        final int ringLength = ClientLayout.ringLength(ringCapacity);
        this.index = index;
        this.ringCapacity = ringCapacity;
        this.header = new UnsafeBuffer(file, offset, ClientLayout.SLOT_RINGS_OFFSET);
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
        return header.getIntVolatile(ClientLayout.SLOT_STATE_OFFSET);
    }

    /** Changes the state if it is still the expected one. The client may close at the same time. */
    boolean changeState(final int expected, final int next)
    {
        return header.compareAndSetInt(ClientLayout.SLOT_STATE_OFFSET, expected, next);
    }

    /** Returns the process id that the client stored before it was ended. */
    long pid()
    {
        return givenUp ? lastPid : header.getLong(ClientLayout.SLOT_PID_OFFSET);
    }

    /** Marks the slot as used by a client until {@link #reset}, independent of the stored state. */
    void use()
    {
        inUse = true;
    }

    boolean isInUse()
    {
        return inUse;
    }

    /**
     * Returns whether a claim has lasted longer than the timeout, because its client died. The first call begins the
     * time.
     */
    boolean isClaimStale(final long nowNs, final long timeoutNs)
    {
        if (claimedSinceNs == NONE)
        {
            claimedSinceNs = nowNs;
        }
        return nowNs - claimedSinceNs > timeoutNs;
    }

    /** Returns whether the heartbeat is older than the timeout, or further in the future than the timeout. */
    boolean isSilent(final long nowNs, final long timeoutNs)
    {
        final long age = nowNs - header.getLongVolatile(ClientLayout.SLOT_HEARTBEAT_OFFSET);
        return age > timeoutNs || age < -timeoutNs;
    }

    int read(final ControlledMessageHandler requests, final int limit)
    {
        return invalid != null ? 0 : sends.read(requests, limit);
    }

    /** Returns whether all records of the client are executed. */
    boolean isDrained()
    {
        return sends.end() == sends.position();
    }

    /** Returns whether the client is connected and all its records are executed. */
    boolean isIdle()
    {
        return inUse && !givenUp && invalid == null && isDrained();
    }

    /** Stores the reason for which the next tick ends the client. None of its records is executed until then. */
    void markInvalid(final String reason)
    {
        invalid = reason;
    }

    /** Ends the client: none of its records is executed any more. */
    void giveUp()
    {
        lastPid = pid();
        givenUp = true;
    }

    boolean isGivenUp()
    {
        return givenUp;
    }

    /** Returns the reason for ending the client, such as invalid data in its rings, or null. */
    String invalidity()
    {
        return invalid == null && (sends.isBroken() || answers.isBroken()) ? INVALID_RECORD : invalid;
    }

    long key(final long target)
    {
        final long region = target >>> Integer.SIZE;
        if (region != lastRegion)
        {
            lastRegion = region;
            lastKey = keys.get(region);
        }
        return lastKey;
    }

    /** Sets the key of a target's region. Returns false if the client has set too many. */
    boolean putKey(final long target, final long key)
    {
        final long region = target >>> Integer.SIZE;
        lastRegion = UNKNOWN;
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

    /** Records the loss of a connection. Requests that the client sends before it is notified are refused. */
    void onFailure(final int type, final int peerId, final long lostWrites)
    {
        generations.put(peerId, ClientMessage.nextGeneration((int)generations.get(peerId)));
        lastPeer = UNKNOWN;
        if (owedFailures.containsKey(peerId) || !reportFailure(type, peerId, lostWrites))
        {
            owedFailures.put(peerId, lostWrites + Math.max(0, owedFailures.get(peerId)));
        }
    }

    /** Reports a failure that did not fit into the answer ring before. */
    void reportOwedFailures()
    {
        if (!owedFailures.isEmpty())
        {
            final long peerId = owedFailures.keySet().iterator().nextValue();
            if (reportFailure(ClientMessage.PEER_DOWN, (int)peerId, owedFailures.get(peerId)))
            {
                owedFailures.remove(peerId);
            }
        }
    }

    private boolean reportFailure(final int type, final int peerId, final long lostWrites)
    {
        return hasRoom(MAX_ANSWER_LENGTH) && answer(type, peerId, 0, (int)generations.get(peerId), lostWrites);
    }

    /** Returns whether a request was sent before the client was notified of a lost connection. */
    boolean isOutdated(final int peerId, final int generation)
    {
        if (peerId != lastPeer)
        {
            lastPeer = peerId;
            lastGeneration = generations.get(peerId);
        }
        return generation != lastGeneration;
    }

    int writes()
    {
        return writes;
    }

    void countWrites(final int change)
    {
        writes += change;
    }

    /** Reserves space in the ring for an answer, so that no answer is lost. */
    boolean reserve(final int answerLength)
    {
        // Two answers more than requested: up to one is lost to padding at the ring's end.
        if (answers.size() + reserved + answerLength + 2 * MAX_ANSWER_LENGTH > ringCapacity)
        {
            return false;
        }
        reserved += answerLength;
        return true;
    }

    /** Returns whether there is space for an answer without a reservation. */
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

    /** Resets the counts of unanswered requests after an error has interrupted a call. */
    void awaitNothing()
    {
        reserved = 0;
        writes = 0;
    }

    /** Writes an answer without data; returns false if the ring is full. */
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

    /** Writes an answer with the bytes that were read; returns false if the ring is full. */
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

    /** Writes an event, or only counts it if the ring is full. */
    void event(final int type, final int peerId, final int status, final long value)
    {
        if (!hasRoom(MAX_ANSWER_LENGTH) || !answer(type, peerId, status, 0, value))
        {
            header.putLongRelease(
                ClientLayout.SLOT_LOST_EVENTS_OFFSET, header.getLong(ClientLayout.SLOT_LOST_EVENTS_OFFSET) + 1);
        }
    }

    /** Clears the slot for the next client, including incomplete records. */
    void reset()
    {
        sends.reset();
        answers.reset();
        header.putLong(ClientLayout.SLOT_PID_OFFSET, 0);
        header.putLong(ClientLayout.SLOT_HEARTBEAT_OFFSET, 0);
        header.putLong(ClientLayout.SLOT_LOST_EVENTS_OFFSET, 0);
        header.putInt(ClientLayout.SLOT_GENERATION_OFFSET, header.getInt(ClientLayout.SLOT_GENERATION_OFFSET) + 1);
        keys.clear();
        lastRegion = UNKNOWN;
        generations.clear();
        lastPeer = UNKNOWN;
        owedFailures.clear();
        reserved = 0;
        claimedSinceNs = NONE;
        invalid = null;
        givenUp = false;
        inUse = false;
        header.putIntRelease(ClientLayout.SLOT_STATE_OFFSET, ClientLayout.SLOT_FREE);
    }
}
