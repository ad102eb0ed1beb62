package org.fibnuma.fibnic.control.ipc;

import java.util.concurrent.atomic.AtomicLong;

/** Limits and usage of all clients of a {@link ControlServer}. Server's thread, except {@link #pendingBytes()}. */
final class ControlLimits
{
    /** An operator, some scripts and an exporter use a few connections; all answers together take some MiB. */
    static final int MAX_CLIENTS = 32;

    /** Longer than a working client needs to read an answer; other clients are disconnected. */
    static final long READ_TIMEOUT_MS = 30_000;

    private final int maxClients;
    private final long readTimeoutMs;
    private final AtomicLong pendingBytes = new AtomicLong();
    private int clients;

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

    /** Counts a new client; returns false where the limit is reached. */
    boolean admit()
    {
        final boolean admitted = clients < maxClients;
        clients += admitted ? 1 : 0;
        return admitted;
    }

    /** An admitted client has disconnected. */
    void onGone()
    {
        clients--;
    }

    /** Adds to the bytes of answers that clients have not read; negative to subtract. */
    void addPending(final int bytes)
    {
        pendingBytes.addAndGet(bytes);
    }

    /** Returns the bytes of answers that clients have not read; any thread. */
    long pendingBytes()
    {
        return pendingBytes.get();
    }
}
