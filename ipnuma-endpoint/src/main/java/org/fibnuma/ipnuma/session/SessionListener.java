package org.fibnuma.ipnuma.session;

/**
 * Receives events and answers of a session, on the endpoint's thread inside {@link Session#onDatagram} or
 * {@link Session#poll}. Every method may use the session.
 */
public interface SessionListener
{
    /** The connection is established. */
    void onUp();

    /**
     * The connection has ended: the peer stopped answering, dropped it, or one side closed it.
     *
     * @param pendingWrites writes that were taken and may or may not have taken effect.
     */
    void onDown(long pendingWrites);

    /**
     * The peer has restarted and lost its state. Replaces {@link #onDown} if there was a connection, and comes before
     * {@link #onUp} of the next one.
     *
     * @param lostWrites writes that were taken and may or may not have taken effect; none takes effect any more.
     */
    void onPeerRestarted(long lostWrites);

    /**
     * Receives the answer to a read.
     *
     * @param tag     tag of the read.
     * @param address of the bytes, which are valid during this call; zeros if they could not be read.
     * @param length  requested length in bytes.
     * @param status  an {@link org.fibnuma.ipnuma.table.AccessStatus}.
     */
    void onRead(long tag, long address, int length, int status);

    /**
     * Receives the answer to an atomic.
     *
     * @param tag      tag of the atomic.
     * @param previous value before it.
     * @param status   an access status.
     */
    void onAtomic(long tag, long previous, int status);

    /**
     * The peer has acknowledged a write with a tag. Calls come in the order of the writes.
     *
     * @param tag    tag of the write.
     * @param status {@code OK} if it has taken effect; the access status with which the peer refused it; {@link
     *        org.fibnuma.ipnuma.table.AccessStatus#UNCERTAIN}.
     */
    default void onWritten(final long tag, final int status)
    {
    }

    /**
     * A read, an atomic or a write with a tag gets no answer because the connection was lost. An atomic or a write may
     * or may not have taken effect. Comes before {@link #onDown} or {@link #onPeerRestarted}.
     */
    void onUnanswered(long tag);

    /** The peer rang its doorbell, and everything that it wrote before has taken effect. */
    void onDoorbell();

    /**
     * The peer refused a write of this side.
     *
     * @param status        an access status.
     * @param remoteAddress address of the write.
     */
    void onError(int status, long remoteAddress);

    /**
     * A region of this side refused a write of the peer. Called for each such write.
     *
     * @param status        an access status.
     * @param remoteAddress address of the write.
     */
    default void onRefused(final int status, final long remoteAddress)
    {
    }
}
