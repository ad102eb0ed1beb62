package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;

import java.util.List;

/** The queues of one worker by port index, from one change of the ports to the next. Immutable; any thread. */
final class PortQueues
{
    private final RxQueue[] rxQueues;
    private final TxQueue[] txQueues;
    private final boolean[] partialChecksums;

    PortQueues(final List<? extends Port> ports, final int worker)
    {
        rxQueues = ports.stream().map(port -> port.rxQueue(worker)).toArray(RxQueue[]::new);
        txQueues = ports.stream().map(port -> port.txQueue(worker)).toArray(TxQueue[]::new);
        partialChecksums = new boolean[rxQueues.length];
        for (int port = 0; port < partialChecksums.length; port++)
        {
            partialChecksums[port] = ports.get(port).deliversPartialChecksums();
        }
    }

    int size()
    {
        return rxQueues.length;
    }

    /** Returns the receive queues, which the caller must not change. */
    RxQueue[] rxQueues()
    {
        return rxQueues;
    }

    TxQueue txQueue(final int port)
    {
        return txQueues[port];
    }

    boolean deliversPartialChecksums(final int port)
    {
        return partialChecksums[port];
    }

    /** Returns whether another port has this index in the later queues. */
    boolean isReplaced(final int port, final PortQueues later)
    {
        return port >= txQueues.length || txQueues[port] != later.txQueues[port];
    }
}
