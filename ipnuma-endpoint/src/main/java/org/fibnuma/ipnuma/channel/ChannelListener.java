package org.fibnuma.ipnuma.channel;

/**
 * What an application on the endpoint's thread is told about a peer, whatever its format; called inside the endpoint's
 * duty cycle, and free to use the channel. Everything is ignored where the application does not say otherwise.
 */
public interface ChannelListener
{
    /** Ignores everything. */
    ChannelListener NONE = new ChannelListener()
    {
    };

    /**
     * Writes can land from now on.
     *
     * @param pcId of the peer.
     */
    default void onUp(final int pcId)
    {
    }

    /**
     * Nothing can land any more until {@link #onUp} comes again.
     *
     * @param pcId          of the peer.
     * @param pendingWrites taken, and not known to have landed.
     */
    default void onDown(final int pcId, final long pendingWrites)
    {
    }

    /**
     * The peer's endpoint was started anew: its memory is not what it was.
     *
     * @param pcId       of the peer.
     * @param lostWrites taken, and not known to have landed; none of them lands any more.
     */
    default void onPeerRestarted(final int pcId, final long lostWrites)
    {
    }

    /**
     * The answer to a read.
     *
     * @param pcId    of the peer.
     * @param tag     that the read was given.
     * @param address of the bytes, during this call; zeros where they could not be read.
     * @param length  that was asked for.
     * @param status  of {@link org.fibnuma.ipnuma.table.AccessStatus}.
     */
    default void onRead(final int pcId, final long tag, final long address, final int length, final int status)
    {
    }

    /**
     * The answer to an atomic.
     *
     * @param pcId     of the peer.
     * @param tag      that the atomic was given.
     * @param previous value before it.
     * @param status   of {@link org.fibnuma.ipnuma.table.AccessStatus}.
     */
    default void onAtomic(final int pcId, final long tag, final long previous, final int status)
    {
    }

    /**
     * What became of a write that was given a tag.
     *
     * @param pcId   of the peer.
     * @param tag    that the write was given.
     * @param status {@code OK} where it has taken effect in the peer's region; the access status with which the peer
     *               refused it; {@link org.fibnuma.ipnuma.table.AccessStatus#UNCERTAIN} or {@code UNCONFIRMED}.
     */
    default void onWritten(final int pcId, final long tag, final int status)
    {
    }

    /**
     * A read, an atomic or a write with a tag gets no answer any more; whether an atomic or a write took effect is not
     * known.
     *
     * @param pcId of the peer.
     * @param tag  that it was given.
     */
    default void onUnanswered(final int pcId, final long tag)
    {
    }

    /**
     * The peer rang, and all that it wrote before has landed.
     *
     * @param pcId of the peer.
     */
    default void onDoorbell(final int pcId)
    {
    }

    /**
     * The peer refused a write of ours.
     *
     * @param pcId          of the peer.
     * @param status        of {@link org.fibnuma.ipnuma.table.AccessStatus}.
     * @param remoteAddress that was written to.
     */
    default void onError(final int pcId, final int status, final long remoteAddress)
    {
    }

    /**
     * A region here refused an access of the peer. Comes as often as the peer tries.
     *
     * @param pcId          of the peer.
     * @param status        of {@link org.fibnuma.ipnuma.table.AccessStatus}.
     * @param remoteAddress that was to be accessed.
     */
    default void onRefused(final int pcId, final int status, final long remoteAddress)
    {
    }
}
