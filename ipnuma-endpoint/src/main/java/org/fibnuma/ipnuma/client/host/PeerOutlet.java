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
     * @param peerId        PC ID.
     * @param remoteAddress 48 bits.
     * @param dataAddress   of the bytes, valid until this returns.
     * @param length        1 to 1,024.
     * @param ordered       after everything sent before to this peer.
     * @return false where there is no room.
     */
    boolean write(int peerId, long remoteAddress, long dataAddress, int length, boolean ordered);

    /**
     * Asks a peer for bytes.
     *
     * @param peerId        PC ID.
     * @param remoteAddress 48 bits.
     * @param length        1 to 1,024.
     * @param tag           for {@link ClientRings#onRead}.
     * @return false where there is no room.
     */
    boolean read(int peerId, long remoteAddress, int length, long tag);

    /**
     * Changes 4 or 8 bytes at a peer in one step.
     *
     * @param peerId        PC ID.
     * @param operation     of {@code AtomicOperation}.
     * @param remoteAddress 48 bits.
     * @param operand       to add or store.
     * @param compare       what must stand there for a compare and swap to store.
     * @param width         4 or 8.
     * @param tag           for {@link ClientRings#onAtomic}.
     * @return false where there is no room.
     */
    boolean atomic(int peerId, int operation, long remoteAddress, long operand, long compare, int width, long tag);

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
     * Keeps the key of a peer's region.
     *
     * @param peerId   PC ID.
     * @param regionId 0 to 65,535.
     * @param key      that accesses shall show from now on.
     */
    void key(int peerId, int regionId, long key);
}
