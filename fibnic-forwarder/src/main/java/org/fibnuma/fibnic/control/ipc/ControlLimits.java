package org.fibnuma.fibnic.control.ipc;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the clients of a {@link ControlServer} may take together, and what they take. On the server's thread, but
 * {@link #pendingBytes()}.
 */
final class ControlLimits
{
    /** An operator, some scripts and an exporter use a few; an answer to each takes some MiB together. */
    static final int MAX_CLIENTS = 32;

    /** Longer than a client that works takes for an answer; who does not read at all is dropped then. */
    static final long READ_TIMEOUT_MS = 30_000;

    private final int maxClients;
    private final long readTimeoutMs;
    private final AtomicLong pendingBytes = new AtomicLong();
    private int clients;

    /**
     * Nobody is connected yet.
     *
     * @param maxClients    at once.
     * @param readTimeoutMs for a client to take one answer.
     */
    ControlLimits(final int maxClients, final long readTimeoutMs)
    {
        this.maxClients = maxClients;
        this.readTimeoutMs = readTimeoutMs;
    }

    int maxClients()
    {
        return maxClients;
    }

    long readTimeoutMs()
    {
        return readTimeoutMs;
    }

    /** A client comes; yields false where there are as many as may be. */
    boolean admit()
    {
        final boolean admitted = clients < maxClients;
        clients += admitted ? 1 : 0;
        return admitted;
    }

    /** A client that was admitted has gone. */
    void onGone()
    {
        clients--;
    }

    void onAnswer(final int bytes)
    {
        pendingBytes.addAndGet(bytes);
    }

    void onTaken(final int bytes)
    {
        pendingBytes.addAndGet(-bytes);
    }

    /** Bytes of answers that clients have not taken yet; any thread. */
    long pendingBytes()
    {
        return pendingBytes.get();
    }
}
