package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.TxQueue;

import java.util.Map;

/**
 * The ways between the router's ports and this host's kernel.
 *
 * @param shared takes the kernel's frames from every port that has no way of its own; null where there is none.
 * @param own    by the index of a port whose device the kernel does not see: the interface that stands for it there.
 *               Frames for the kernel that come in by the port go up by it; what the kernel sends through it leaves by
 *               the port.
 */
public record KernelPaths(Port shared, Map<Integer, KernelPort> own)
{
    /** No way: the kernel gets its frames without us. */
    public static final KernelPaths NONE = new KernelPaths(null, Map.of());

    /** A worker's queues to the kernel by port index, null where there is none. */
    TxQueue[] txQueues(final int worker, final int portCount)
    {
        final TxQueue[] txQueues = new TxQueue[portCount];
        for (int port = 0; port < portCount; port++)
        {
            final Port path = own.containsKey(port) ? own.get(port) : shared;
            txQueues[port] = path == null ? null : path.txQueue(worker);
        }
        return txQueues;
    }
}
