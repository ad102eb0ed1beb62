package org.fibnuma.fibnic.control;

import org.fibnuma.core.port.Port;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A line for each port whose link goes or comes, at most one a second: a link that flaps is told of once in that time,
 * with how often it changed. Ports begin with a link. One thread.
 */
final class LinkLog
{
    private static final Logger LOG = LoggerFactory.getLogger(LinkLog.class);
    private static final long INTERVAL_MS = TimeUnit.SECONDS.toMillis(1);

    private final List<Port> ports;
    private final boolean[] seen;
    private final int[] changes;
    private final long[] nextMs;

    LinkLog(final List<Port> ports)
    {
        this.ports = ports;
        this.seen = new boolean[ports.size()];
        this.changes = new int[ports.size()];
        this.nextMs = new long[ports.size()];
        Arrays.fill(seen, true);
    }

    /** Yields whether a line was written. */
    boolean onLook(final int port, final boolean up, final long nowMs)
    {
        if (up != seen[port])
        {
            seen[port] = up;
            changes[port]++;
        }
        if (changes[port] == 0 || nowMs < nextMs[port])
        {
            return false;
        }
        final String state = up ? "link up" : "link down: what leaves by it is lost";
        if (changes[port] > 1)
        {
            LOG.info("port {}: {} after {} changes", ports.get(port).name(), state, changes[port]);
        }
        else
        {
            LOG.info("port {}: {}", ports.get(port).name(), state);
        }
        changes[port] = 0;
        nextMs[port] = nowMs + INTERVAL_MS;
        return true;
    }
}
