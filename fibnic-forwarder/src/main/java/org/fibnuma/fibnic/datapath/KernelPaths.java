package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.TxQueue;

import java.util.Map;

/**
 * The ways between the router's ports and this host's kernel.
 *
 * @param shared         takes the kernel's frames from every port that has no way of its own; null where there is
 *                       none.
 * @param own            by the index of a port whose device the kernel does not see: the interface that stands for it
 *                       there. Frames for the kernel that come in by the port go up by it; what the kernel sends
 *                       through it leaves by the port.
 * @param puntsPerSecond frames that each worker lets up from a port in the long run, 1 or more.
 */
public record KernelPaths(Port shared, Map<Integer, KernelPort> own, int puntsPerSecond)
{
    /**
     * A frame costs a worker one or two microseconds, so that a flood takes a fifth of its time at most; TCP to the
     * router itself is not slowed below a gigabit.
     */
    public static final int DEFAULT_PUNTS_PER_SECOND = 100_000;

    /** No way: the kernel gets its frames without us. */
    public static final KernelPaths NONE = new KernelPaths(null, Map.of(), DEFAULT_PUNTS_PER_SECOND);

    /** Of a second: what comes at once after a quiet time, such as the windows of a router's BGP sessions. */
    private static final int BURST_DIVISOR = 10;
    private static final int LEAST_BURST = 64;

    /** A worker's limits by port index, so that a flood by one port leaves the others theirs. */
    TokenBucket[] limits(final int portCount, final NanoClock clock)
    {
        final TokenBucket[] limits = new TokenBucket[portCount];
        for (int port = 0; port < portCount; port++)
        {
            limits[port] =
                new TokenBucket(puntsPerSecond, Math.max(LEAST_BURST, puntsPerSecond / BURST_DIVISOR), clock);
        }
        return limits;
    }

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
