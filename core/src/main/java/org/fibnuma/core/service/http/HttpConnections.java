package org.fibnuma.core.service.http;

import io.netty.channel.Channel;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The connections of an {@link HttpServer} and their counts. Used by the server's thread, except the counts for tests.
 */
final class HttpConnections
{
    private final HttpLimits limits;
    /** Connections without a request in progress, the one that has been idle for longest first. */
    private final Set<Channel> idle = new LinkedHashSet<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger answering = new AtomicInteger();
    private final AtomicLong pendingBytes = new AtomicLong();

    HttpConnections(final HttpLimits limits)
    {
        this.limits = limits;
    }

    HttpLimits limits()
    {
        return limits;
    }

    /** Counts a new connection; returns false if all connections allowed have a request in progress. */
    boolean admit(final Channel channel)
    {
        if (open.get() >= limits.maxConnections())
        {
            final Iterator<Channel> oldest = idle.iterator();
            if (!oldest.hasNext())
            {
                return false;
            }
            final Channel replaced = oldest.next();
            oldest.remove();
            replaced.close();
        }
        open.incrementAndGet();
        idle.add(channel);
        count();
        return true;
    }

    /** Called when the request of an admitted connection is complete. */
    void onRequest(final Channel channel)
    {
        idle.remove(channel);
        count();
    }

    /** Called when an admitted connection has read its answer. */
    void onAnswered(final Channel channel)
    {
        if (channel.isOpen())
        {
            idle.add(channel);
            count();
        }
    }

    /** Called when an admitted connection has ended. */
    void onClosed(final Channel channel)
    {
        idle.remove(channel);
        open.decrementAndGet();
        count();
    }

    private void count()
    {
        answering.set(open.get() - idle.size());
    }

    /** Adds to the bytes of answers that clients have not read yet, or subtracts from them. */
    void addPending(final long bytes)
    {
        pendingBytes.addAndGet(bytes);
    }

    /** Returns whether another answer may be sent. */
    boolean hasRoom()
    {
        return pendingBytes.get() < limits.maxPendingBytes();
    }

    /** Returns the number of admitted connections; any thread. */
    int open()
    {
        return open.get();
    }

    /** Returns the number of admitted connections without a request in progress; any thread. */
    int idle()
    {
        return open.get() - answering.get();
    }

    /** Returns the bytes of answers that clients have not read yet; any thread. */
    long pendingBytes()
    {
        return pendingBytes.get();
    }
}
