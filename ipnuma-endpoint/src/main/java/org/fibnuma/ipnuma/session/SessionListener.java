package org.fibnuma.ipnuma.session;

/**
 * What happens to a session, told on the endpoint's thread inside {@link Session#onDatagram} or {@link Session#poll}.
 * The session may be used in every one of them.
 */
public interface SessionListener
{
    /** The connection stands. */
    void onUp();

    /**
     * The connection is gone: the peer stopped answering, dropped it, or one side closed it.
     *
     * @param pendingWrites writes that were taken and of which it is not known whether they landed.
     */
    void onDown(long pendingWrites);

    /**
     * The peer's endpoint is another run than before: what it knew is gone. Comes in place of {@link #onDown} where the
     * connection stood, and before {@link #onUp} of the next.
     *
     * @param lostWrites writes that were taken and of which it is not known whether they landed; none of them lands
     *                   any more.
     */
    void onPeerRestarted(long lostWrites);

    /**
     * The answer to a read.
     *
     * @param tag     that the read was given.
     * @param address of the bytes, which are valid during this call; zeros where they could not be read.
     * @param length  that was asked for.
     * @param status  an access status of {@link org.fibnuma.ipnuma.table.AccessStatus}.
     */
    void onRead(long tag, long address, int length, int status);

    /**
     * The answer to an atomic.
     *
     * @param tag      that the atomic was given.
     * @param previous value before it.
     * @param status   an access status.
     */
    void onAtomic(long tag, long previous, int status);

    /**
     * The peer has acknowledged a write that was given a tag, in the order in which such writes were taken.
     *
     * @param tag    that the write was given.
     * @param status {@code OK} where it has taken effect in the peer's region; the access status with which the peer
     *               refused it; {@link org.fibnuma.ipnuma.table.AccessStatus#UNCERTAIN}.
     */
    default void onWritten(final long tag, final int status)
    {
    }

    /**
     * A read, an atomic or a write with a tag gets no answer any more, because the connection is gone. Whether an
     * atomic or a write took effect is not known. Comes before {@link #onDown} or {@link #onPeerRestarted}.
     *
     * @param tag that it was given.
     */
    void onUnanswered(long tag);

    /** The peer rang, and all that it wrote before has landed. */
    void onDoorbell();

    /**
     * The peer refused a write of ours.
     *
     * @param status        an access status.
     * @param remoteAddress that was written to.
     */
    void onError(int status, long remoteAddress);

    /**
     * A region here refused a write of the peer. Comes as often as the peer writes so.
     *
     * @param status        an access status.
     * @param remoteAddress that the peer wrote to.
     */
    default void onRefused(final int status, final long remoteAddress)
    {
    }
}
