package org.fibnuma.ipnuma.memcached.socket;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections of all transports. Any thread may use it. */
final class ConnectionLimit
{
    private final AtomicInteger count = new AtomicInteger();
    private final int most;

    ConnectionLimit(final int most)
    {
        this.most = most;
    }

    /** Counts a connection. Returns false, without counting, if the limit is reached. */
    boolean enter()
    {
        if (count.incrementAndGet() <= most)
        {
            return true;
        }
        count.decrementAndGet();
        return false;
    }

    void leave()
    {
        count.decrementAndGet();
    }

    int count()
    {
        return count.get();
    }
}
