package org.fibnuma.ipnuma.client;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.ringbuffer.RingBuffer;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** Reads the answer ring of a client. */
final class AnswerReader implements MessageHandler
{
    private static final int LIMIT = 64;

    private final RingBuffer answers;
    private final AnswerListener listener;
    private final AtomicIntegerArray generations;
    private long awaitedRegion;
    private boolean hasRegion;
    private int regionStatus;
    private int regionId;
    private long regionKey;

    /** Creates a reader that stores the generation of a lost connection, by PC ID, after it has called the listener. */
    AnswerReader(final RingBuffer answers, final AnswerListener listener, final AtomicIntegerArray generations)
    {
        this.generations = generations;
        this.answers = answers;
        this.listener = listener;
    }

    int poll()
    {
        return answers.read(this, LIMIT);
    }

    @Override
    public void onMessage(final int type, final MutableDirectBuffer buffer, final int index, final int length)
    {
        final long correlation = buffer.getLong(index + ClientMessage.ANSWER_CORRELATION_OFFSET);
        final int status = buffer.getInt(index + ClientMessage.ANSWER_STATUS_OFFSET);
        final int bytes = buffer.getInt(index + ClientMessage.ANSWER_LENGTH_OFFSET);
        final long value = buffer.getLong(index + ClientMessage.ANSWER_VALUE_OFFSET);
        switch (type)
        {
            case ClientMessage.READ_DONE:
                listener.onRead(correlation, status, buffer, index + ClientMessage.ANSWER_DATA_OFFSET, bytes);
                break;
            case ClientMessage.ATOMIC_DONE:
                listener.onAtomic(correlation, status, value);
                break;
            case ClientMessage.WRITE_DONE:
                listener.onWritten(correlation, status);
                break;
            case ClientMessage.DONE:
                listener.onDone(correlation, status);
                break;
            case ClientMessage.REGION_DONE:
                onRegion(correlation, status, bytes, value);
                break;
            default:
                listener.onPeer(type, (int)correlation, status, value);
                if (type == ClientMessage.PEER_DOWN || type == ClientMessage.PEER_RESTARTED)
                {
                    generations.set((int)correlation, bytes);
                }
                break;
        }
    }

    private void onRegion(final long correlation, final int status, final int id, final long key)
    {
        if (correlation == awaitedRegion)
        {
            hasRegion = true;
            regionStatus = status;
            regionId = id;
            regionKey = key;
        }
    }

    void awaitRegion(final long correlation)
    {
        awaitedRegion = correlation;
        hasRegion = false;
    }

    boolean hasRegion()
    {
        return hasRegion;
    }

    int regionStatus()
    {
        return regionStatus;
    }

    int regionId()
    {
        return regionId;
    }

    long regionKey()
    {
        return regionKey;
    }
}
