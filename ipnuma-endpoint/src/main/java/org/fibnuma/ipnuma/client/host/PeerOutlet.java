package org.fibnuma.ipnuma.client.host;

/**
 * Requests of clients to peers. A call that returns false had no effect and is repeated later: the record stays in its
 * ring, and a full ring stops its client. Belongs to the endpoint's thread.
 */
public interface PeerOutlet
{
    /** Returns whether there is a peer with a PC ID; otherwise requests for it are refused. */
    boolean hasPeer(int peerId);

    /** Returns the length in bytes of the longest write to a known peer now, 1,024 or more. */
    int longestWrite(int peerId);

    /**
     * Stores bytes at a peer.
     *
     * @param target      of a known peer, from {@code ClientMessage.target}.
     * @param key         that the client set for its region, 0 for none.
     * @param dataAddress of the bytes, valid until this returns.
     * @param length      1 to {@link #longestWrite}.
     * @param ordered     whether it takes effect after everything sent before to this peer.
     * @param tag         for {@link ClientRings#onWritten}, 0 for none; a write with a tag leaves without a flush.
     * @return false if it cannot be sent now.
     */
    boolean write(long target, long key, long dataAddress, int length, boolean ordered, long tag);

    /** Returns whether writes to a known peer pass by memory now, and so {@link #scatter} can be used. */
    boolean passesByMemory(int peerId);

    /**
     * Stores the pieces of a list at a peer, if {@link #passesByMemory}.
     *
     * @param target      first byte of a region of a known peer.
     * @param key         that the client set for its region, 0 for none.
     * @param listAddress of a {@link org.fibnuma.ipnuma.wire.ScatterList}, valid until this returns.
     * @param length      of the list in bytes, 1 or more.
     * @param tag         as of {@link #write}, one for the list.
     * @return false if nothing was sent: the pieces have to be stored one by one.
     */
    boolean scatter(long target, long key, long listAddress, int length, long tag);

    /**
     * Reads bytes of a peer.
     *
     * @param target of a known peer.
     * @param key    that the client set for its region, 0 for none.
     * @param length 1 to 1,024.
     * @param tag    for {@link ClientRings#onRead}.
     * @return false if it cannot be sent now.
     */
    boolean read(long target, long key, int length, long tag);

    /**
     * Changes 4 or 8 bytes at a peer atomically.
     *
     * @param operation of {@code AtomicOperation}.
     * @param target    of a known peer.
     * @param key       that the client set for its region, 0 for none.
     * @param operand   to add or store.
     * @param compare   value on which compare and swap stores.
     * @param width     4 or 8.
     * @param tag       for {@link ClientRings#onAtomic}.
     * @return false if it cannot be sent now.
     */
    boolean atomic(int operation, long target, long key, long operand, long compare, int width, long tag);

    /** Sends a doorbell to the peer with a PC ID; returns false if it cannot be sent now. */
    boolean doorbell(int peerId);

    /** Sends what is gathered for the peer with a PC ID; returns false if it cannot be sent now. */
    boolean flush(int peerId);

    /** Returns whether the peer with a known PC ID is connected; before, flushed data wait for the connection. */
    boolean isUp(int peerId);
}
