package org.fibnuma.ipnuma.client;

/**
 * Executes writes of one client on the thread of its endpoint, between two duty cycles, without the client's ring. The
 * order of the client's requests is kept: nothing is executed while the ring has a request.
 */
public interface CompanionWrites
{
    /** What has become of a write. */
    enum Outcome
    {
        /** The peer's channel has taken it. */
        EXECUTED,
        /** The peer's channel has not taken it ({@link org.fibnuma.ipnuma.channel.PeerChannel}). */
        NO_ROOM,
        /** It has to go through the client's ring. */
        NOT_DIRECT
    }

    /** Returns the length in bytes of the longest write to the peer of a target, 0 if none can be executed now. */
    int longest(long target);

    /**
     * Executes a write as if it were in the client's ring.
     *
     * @param target      destination, {@link ClientMessage#target}.
     * @param generation  of the connection that the client knows.
     * @param dataAddress native address of the bytes.
     * @param length      1 to the larger of 1,024 and {@link #longest}.
     * @param flags       {@link ClientMessage#ORDERED}, {@link ClientMessage#THEN_FLUSH}, added.
     * @param correlation 0, or returned with the answer.
     * @return what has become of it.
     */
    Outcome write(long target, int generation, long dataAddress, int length, int flags, long correlation);

    /** Returns whether writes pass to the peer of a target by memory now, and so {@link #scatter} can be used. */
    boolean passesByMemory(long target);

    /**
     * Executes ordered writes into one region at once, if {@link #passesByMemory}.
     *
     * @param target      first byte of the region, {@link ClientMessage#target}.
     * @param generation  of the connection that the client knows.
     * @param listAddress native address of a {@link org.fibnuma.ipnuma.wire.ScatterList}.
     * @param length      of the list in bytes, 1 or more.
     * @param correlation 0, or returned with the one answer.
     * @return whether the peer's channel has taken it; if not, the pieces have to be written one by one.
     */
    boolean scatter(long target, int generation, long listAddress, int length, long correlation);
}
