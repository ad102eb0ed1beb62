package org.fibnuma.ipnuma.channel;

/**
 * Receives events and answers of peers of every format, on the endpoint's thread inside its duty cycle. Every method
 * may use the channel. Methods that are not overridden do nothing.
 */
public interface ChannelListener
{
    /** Ignores all events and answers. */
    ChannelListener NONE = new ChannelListener()
    {
    };

    /** Called when writes can take effect at a peer. */
    default void onUp(final int pcId)
    {
    }

    /**
     * Called when no write can take effect at a peer until the next {@link #onUp}.
     *
     * @param pcId          of the peer.
     * @param pendingWrites accepted writes that may have taken effect.
     */
    default void onDown(final int pcId, final long pendingWrites)
    {
    }

    /**
     * Called when the endpoint of a peer has restarted and lost its state. Replaces {@link #onDown} if there was a
     * connection, and precedes {@link #onUp} of the next one.
     *
     * @param pcId       of the peer.
     * @param lostWrites accepted writes that may have taken effect. None takes effect later.
     */
    default void onPeerRestarted(final int pcId, final long lostWrites)
    {
    }

    /**
     * Receives the answer to a read.
     *
     * @param pcId    of the peer.
     * @param tag     request tag of the read.
     * @param address of the bytes, which are valid during this call; zeros if they could not be read.
     * @param length  requested length in bytes.
     * @param status  an {@link org.fibnuma.ipnuma.table.AccessStatus}.
     */
    default void onRead(final int pcId, final long tag, final long address, final int length, final int status)
    {
    }

    /**
     * Receives the answer to an atomic.
     *
     * @param pcId     of the peer.
     * @param tag      request tag of the atomic.
     * @param previous value before the atomic.
     * @param status   an {@link org.fibnuma.ipnuma.table.AccessStatus}.
     */
    default void onAtomic(final int pcId, final long tag, final long previous, final int status)
    {
    }

    /**
     * Receives the result of a write with a request tag. The results of one peer are in the order of the writes.
     *
     * @param pcId   of the peer.
     * @param tag    request tag of the write.
     * @param status {@code OK} if it has taken effect; the access status with which the peer refused it; {@link
     *               org.fibnuma.ipnuma.table.AccessStatus#UNCERTAIN} or {@code UNCONFIRMED}.
     */
    default void onWritten(final int pcId, final long tag, final int status)
    {
    }

    /**
     * Called when a read, an atomic or a write with this request tag gets no answer. An atomic or a write may have
     * taken effect. Precedes {@link #onDown} or {@link #onPeerRestarted} if a connection was lost.
     */
    default void onUnanswered(final int pcId, final long tag)
    {
    }

    /** Called when a peer has sent a doorbell and everything that it wrote before has taken effect. */
    default void onDoorbell(final int pcId)
    {
    }

    /**
     * Called when a peer has refused a write of this endpoint.
     *
     * @param pcId          of the peer.
     * @param status        an {@link org.fibnuma.ipnuma.table.AccessStatus}.
     * @param remoteAddress address of the write.
     */
    default void onError(final int pcId, final int status, final long remoteAddress)
    {
    }

    /**
     * Called for each access of a peer that a region of this endpoint has refused.
     *
     * @param pcId          of the peer.
     * @param status        an {@link org.fibnuma.ipnuma.table.AccessStatus}.
     * @param remoteAddress address of the access.
     */
    default void onRefused(final int pcId, final int status, final long remoteAddress)
    {
    }
}
