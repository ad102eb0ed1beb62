package org.fibnuma.fibnic.ports;

import org.fibnuma.core.port.KernelEntry;
import org.fibnuma.core.port.KernelQueue;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;

import java.util.List;

/** The queues of one worker by port index, valid until the ports change. Immutable; any thread. */
public final class PortQueues
{
    private final RxQueue[] rxQueues;
    private final TxQueue[] txQueues;
    private final KernelQueue[] kernelQueues;
    private final boolean[] partialChecksums;

    PortQueues(final List<? extends Port> ports, final int worker)
    {
        rxQueues = ports.stream().map(port -> port.rxQueue(worker)).toArray(RxQueue[]::new);
        txQueues = ports.stream().map(port -> port.txQueue(worker)).toArray(TxQueue[]::new);
        kernelQueues = ports.stream().map(
            port -> port.capability(KernelEntry.class).map(entry -> entry.kernelQueue(worker)).orElse(null))
            .toArray(KernelQueue[]::new);
        partialChecksums = new boolean[rxQueues.length];
        for (int port = 0; port < partialChecksums.length; port++)
        {
            partialChecksums[port] = ports.get(port).deliversPartialChecksums();
        }
    }

    /** Returns the number of ports, 1 or more. */
    public int size()
    {
        return rxQueues.length;
    }

    /** Returns the receive queues by port index, which the caller must not change. */
    public RxQueue[] rxQueues()
    {
        return rxQueues;
    }

    /** Returns the transmit queue of a port. */
    public TxQueue txQueue(final int port)
    {
        return txQueues[port];
    }

    /** Returns the queue that passes a port's frames to the kernel as if its interface had received them, or null. */
    public KernelQueue kernelQueue(final int port)
    {
        return kernelQueues[port];
    }

    /** Returns whether frames that a port receives may have partial checksums. */
    public boolean deliversPartialChecksums(final int port)
    {
        return partialChecksums[port];
    }

    /** Returns whether another port has this index in the later queues. */
    public boolean isReplaced(final int port, final PortQueues later)
    {
        return port >= txQueues.length || txQueues[port] != later.txQueues[port];
    }
}
