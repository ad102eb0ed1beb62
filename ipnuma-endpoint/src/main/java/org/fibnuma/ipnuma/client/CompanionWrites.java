package org.fibnuma.ipnuma.client;

/**
 * Executes writes of one client on the thread of its endpoint, between two duty cycles, without the client's ring. The
 * order of the client's requests is kept: no write is executed while the ring has a request.
 */
public interface CompanionWrites
{
    /** Result of a write. */
    enum Outcome
    {
        /** The peer's channel has accepted the write. */
        EXECUTED,
        /** The peer's channel has not accepted the write ({@link org.fibnuma.ipnuma.channel.PeerChannel}). */
        NO_ROOM,
        /** The write has to use the client's ring. */
        NOT_DIRECT
    }

    /**
     * Returns the length in bytes of the longest write to the peer of a target, or 0 if no write can be executed now.
     */
    int longest(long target);

    /**
     * Executes a write as if it were in the client's ring.
     *
     * @param target      destination, {@link ClientMessage#target}.
     * @param generation  of the connection, as last reported to the client.
     * @param dataAddress native address of the bytes.
     * @param length      1 to the larger of 1,024 and {@link #longest}.
     * @param flags       {@link ClientMessage#ORDERED}, {@link ClientMessage#THEN_FLUSH}, added.
     * @param correlation 0, or returned with the answer.
     */
    Outcome write(long target, int generation, long dataAddress, int length, int flags, long correlation);

    /**
     * Returns whether writes currently pass by memory to the peer of a target, so that {@link #scatter} can be used.
     */
    boolean passesByMemory(long target);

    /**
     * Executes ordered writes into one region at once, if {@link #passesByMemory}.
     *
     * @param target      first byte of the region, {@link ClientMessage#target}.
     * @param generation  of the connection, as last reported to the client.
     * @param listAddress native address of a {@link org.fibnuma.ipnuma.wire.ScatterList}.
     * @param length      of the list in bytes, 1 or more.
     * @param correlation 0, or returned with the one answer.
     * @return whether the peer's channel has accepted the list. If not, the pieces have to be written one by one.
     */
    boolean scatter(long target, int generation, long listAddress, int length, long correlation);
}
