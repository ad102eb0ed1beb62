package org.fibnuma.ipnuma.endpoint;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;

/**
 * Logs the latest reason why datagrams of a peer were refused, and their number, at most one line in {@link
 * #INTERVAL_NS}. The line is written when counters are published. Endpoint's thread.
 */
final class RefusalLog
{
    static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOGGER = LoggerFactory.getLogger(RefusalLog.class);

    private final String peer;
    private String reason;
    private long refused;
    private boolean wasWritten;
    private long writtenNs;

    RefusalLog(final String peer)
    {
        this.peer = peer;
    }

    /** Records a refused datagram with the reason and what to do. */
    void refused(final String why)
    {
        reason = why;
        refused++;
    }

    /** Writes the line if one is due; returns false if a line waits. */
    boolean write(final long nowNs)
    {
        if (reason != null && !(wasWritten && nowNs - writtenNs < INTERVAL_NS))
        {
            LOGGER.warn("peer {}: datagrams refused={}: {}", peer, refused, reason);
            wasWritten = true;
            writtenNs = nowNs;
            reason = null;
            refused = 0;
        }
        return reason == null;
    }
}
