package org.fibnuma.ipnuma.client;

import org.agrona.DirectBuffer;

/** Receives answers and events of a client, on the polling thread. Methods that are not overridden do nothing. */
public interface AnswerListener
{
    /** Ignores all answers and events. */
    AnswerListener NONE = new AnswerListener()
    {
    };

    /**
     * Receives the answer to a read.
     *
     * @param correlation of the request.
     * @param status      of {@link ClientStatus}; the bytes are zeros if it is not OK.
     * @param buffer      valid until this returns.
     * @param offset      of the first byte.
     * @param length      in bytes.
     */
    default void onRead(
        final long correlation, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    /**
     * Receives the answer to an atomic.
     *
     * @param correlation of the request.
     * @param status      of {@link ClientStatus}.
     * @param previous    value before, 0 if it was refused.
     */
    default void onAtomic(final long correlation, final int status, final long previous)
    {
    }

    /**
     * Receives the result of a write with a correlation.
     *
     * @param correlation of the request.
     * @param status      {@link ClientStatus#OK} if the bytes are in the peer's region. Otherwise the reason why they
     *                    are not, or why this is uncertain.
     */
    default void onWritten(final long correlation, final int status)
    {
    }

    /** Receives the {@link ClientStatus} of a flush, a new key or a removal with this correlation. */
    default void onDone(final long correlation, final int status)
    {
    }

    /**
     * Receives an event of a peer. If the answer ring is full, events are lost and counted.
     *
     * @param type   {@link ClientMessage#PEER_UP} to {@link ClientMessage#PEER_ERROR}.
     * @param peerId PC ID.
     * @param status of {@link ClientStatus}, with an error.
     * @param value  number of lost writes, or the remote address of an error.
     */
    default void onPeer(final int type, final int peerId, final int status, final long value)
    {
    }
}
