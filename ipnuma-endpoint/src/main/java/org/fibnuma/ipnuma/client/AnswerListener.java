package org.fibnuma.ipnuma.client;

import org.agrona.DirectBuffer;

/** Takes what comes back to a client, on the thread that polls. Each method does nothing unless it is overridden. */
public interface AnswerListener
{
    /** Takes no notice. */
    AnswerListener NONE = new AnswerListener()
    {
    };

    /**
     * Bytes that were asked for.
     *
     * @param correlation of the request.
     * @param status      of {@link ClientStatus}; zeros are read where it is not OK.
     * @param buffer      valid until this returns.
     * @param offset      of the first byte.
     * @param length      in bytes.
     */
    default void onRead(
        final long correlation, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    /**
     * An atomic operation is done.
     *
     * @param correlation of the request.
     * @param status      of {@link ClientStatus}.
     * @param previous    value before, 0 where it was refused.
     */
    default void onAtomic(final long correlation, final int status, final long previous)
    {
    }

    /**
     * What became of a write that was given a correlation.
     *
     * @param correlation of the request.
     * @param status      {@link ClientStatus#OK} where the bytes are in the peer's region; otherwise why not, or why
     *                    that is not known.
     */
    default void onWritten(final long correlation, final int status)
    {
    }

    /**
     * A flush, key or removal is done.
     *
     * @param correlation of the request.
     * @param status      of {@link ClientStatus}.
     */
    default void onDone(final long correlation, final int status)
    {
    }

    /**
     * Something happened to a peer. Events that find no room in the answer ring are lost and counted.
     *
     * @param type   {@link ClientMessage#PEER_UP} to {@link ClientMessage#PEER_ERROR}.
     * @param peerId PC ID.
     * @param status of {@link ClientStatus}, with an error.
     * @param value  writes that did not get there, or the remote address of an error.
     */
    default void onPeer(final int type, final int peerId, final int status, final long value)
    {
    }
}
