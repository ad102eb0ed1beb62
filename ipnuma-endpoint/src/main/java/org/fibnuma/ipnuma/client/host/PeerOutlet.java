package org.fibnuma.ipnuma.client.host;

/**
 * The way from clients to peers. A call that returns false changed nothing and is made again later: the record stays
 * in its ring, and a full ring stops its client. Endpoint's thread.
 */
public interface PeerOutlet
{
    /**
     * Whether there is such a peer.
     *
     * @param peerId PC ID, any.
     * @return false: the request is refused.
     */
    boolean hasPeer(int peerId);

    /**
     * Stores bytes at a peer.
     *
     * @param target      of a peer that there is, as {@code ClientMessage.target} makes it.
     * @param key         that the client told for its region, 0 for none.
     * @param dataAddress of the bytes, valid until this returns.
     * @param length      1 to 1,024.
     * @param ordered     after everything sent before to this peer.
     * @param tag         for {@link ClientRings#onWritten}, 0 for none; a write with a tag leaves without a flush.
     * @return false where there is no room.
     */
    boolean write(long target, long key, long dataAddress, int length, boolean ordered, long tag);

    /**
     * Asks a peer for bytes.
     *
     * @param target of a peer that there is.
     * @param key    that the client told for its region, 0 for none.
     * @param length 1 to 1,024.
     * @param tag    for {@link ClientRings#onRead}.
     * @return false where there is no room.
     */
    boolean read(long target, long key, int length, long tag);

    /**
     * Changes 4 or 8 bytes at a peer in one step.
     *
     * @param operation of {@code AtomicOperation}.
     * @param target    of a peer that there is.
     * @param key       that the client told for its region, 0 for none.
     * @param operand   to add or store.
     * @param compare   what must stand there for a compare and swap to store.
     * @param width     4 or 8.
     * @param tag       for {@link ClientRings#onAtomic}.
     * @return false where there is no room.
     */
    boolean atomic(int operation, long target, long key, long operand, long compare, int width, long tag);

    /**
     * Rings at a peer.
     *
     * @param peerId PC ID.
     * @return false where there is no room.
     */
    boolean doorbell(int peerId);

    /**
     * Lets go of what is gathered for a peer.
     *
     * @param peerId PC ID.
     * @return false where there is no room.
     */
    boolean flush(int peerId);

    /**
     * Whether what was flushed leaves, rather than waits for a connection.
     *
     * @param peerId PC ID of a peer that there is.
     * @return false before the peer is up.
     */
    boolean isUp(int peerId);
}
