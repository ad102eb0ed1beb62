package org.fibnuma.fibnic.control;

import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.SharedInterface;

import java.util.List;
import java.util.function.Consumer;

/** Logs when receive queues of an interface get or lose a worker, because their number changes. Control thread. */
final class QueueLog
{
    private final List<Port> ports;
    private final Consumer<String> log;

    /** Ports may be added later. */
    QueueLog(final List<Port> ports, final Consumer<String> log)
    {
        this.ports = ports;
        this.log = log;
    }

    /** Polls every port; returns the number of log lines. */
    int poll()
    {
        int lines = 0;
        for (final Port port : ports)
        {
            final SharedInterface shared = port.capability(SharedInterface.class).orElse(null);
            if (shared != null && shared.followSettings())
            {
                lines++;
                log.accept(line(port, shared.unservedQueues()));
            }
        }
        return lines;
    }

    private static String line(final Port port, final int unserved)
    {
        final int workers = port.queueCount();
        return "port " + port.name() + " (" + port.device() + "): " + (unserved == 0 ?
            "every receive queue has a worker again" :
            "unserved-queues=" + unserved + ": it has " + (workers + unserved) + " receive queues for " + workers +
            " workers, so the kernel gets the frames of the others: set the number of queues back to " + workers +
            " with ethtool -L, or restart the router with workers = " + (workers + unserved));
    }
}
