package org.fibnuma.fibnic.control;

import org.agrona.concurrent.EpochClock;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.SharedInterface;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Logs when receive queues of an interface get or lose a worker, because their number changes. Warns once for each port
 * that receives frames which do not fit its receive buffers. Control thread.
 */
final class PortLog
{
    private static final long INTERVAL_MS = TimeUnit.SECONDS.toMillis(1);

    private final List<Port> ports;
    private final EpochClock clock;
    private final Consumer<String> log;
    private final Set<Port> warned = Collections.newSetFromMap(new IdentityHashMap<>());
    private long nextMs;

    /** Ports may be added later. */
    PortLog(final List<Port> ports, final EpochClock clock, final Consumer<String> log)
    {
        this.ports = ports;
        this.clock = clock;
        this.log = log;
    }

    /** Polls the queues, and once a second the counters; returns the number of log lines. */
    int poll()
    {
        int lines = 0;
        final boolean isDue = clock.time() >= nextMs;
        nextMs = isDue ? clock.time() + INTERVAL_MS : nextMs;
        for (final Port port : ports)
        {
            final SharedInterface shared = port.capability(SharedInterface.class).orElse(null);
            if (shared != null && shared.followSettings())
            {
                lines++;
                log.accept(queues(port, shared.unservedQueues()));
            }
            if (isDue && port.deviceCounter(PortCounter.RX_TRUNCATED) > 0 && warned.add(port))
            {
                lines++;
                log.accept("port " + port.name() + ": frames are longer than its receive buffers and are lost " +
                    "(rxTruncated of show ports --json counts them): set frame-size = 4096, or the neighbours' MTUs " +
                    "to this port's " + port.mtu());
            }
        }
        return lines;
    }

    private static String queues(final Port port, final int unserved)
    {
        final int workers = port.queueCount();
        return "port " + port.name() + " (" + port.device() + "): " + (unserved == 0 ?
            "every receive queue has a worker again" :
            "unserved-queues=" + unserved + ": it has " + (workers + unserved) + " receive queues for " + workers +
            " workers, so the kernel gets the frames of the others: set the number of queues back to " + workers +
            " with ethtool -L, or restart the router with workers = " + (workers + unserved));
    }
}
