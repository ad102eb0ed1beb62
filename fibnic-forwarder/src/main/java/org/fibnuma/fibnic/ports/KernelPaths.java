package org.fibnuma.fibnic.ports;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.fibnic.rate.RateLimit;
import org.fibnuma.fibnic.rate.TokenBucket;

import java.util.Map;

/**
 * The ports that connect the router to the kernel of this host.
 *
 * @param shared passes on frames for the kernel from ports without an entry in {@code own}, unless the port is a
 *               {@link org.fibnuma.core.port.KernelEntry} that accepts them; null for none.
 * @param own    by index of a port whose device the kernel does not see: the interface that represents it in the
 *               kernel. Frames for the kernel that the port receives go to this interface. Frames that the kernel sends
 *               by this interface leave by the port.
 * @param punts  rate limit of the frames that each worker punts from a port. The burst suffices for the
 *              windows of BGP sessions.
 */
public record KernelPaths(Port shared, Map<Integer, KernelPort> own, RateLimit punts)
{
    /**
     * A punted frame costs a worker 1 to 2 us: a flood takes a fifth of its time at most. TCP to the router is not
     * limited below 1 Gbit/s.
     */
    public static final int DEFAULT_PUNTS_PER_SECOND = 100_000;

    /** No paths: the kernel receives its frames without the router. */
    public static final KernelPaths NONE = new KernelPaths(null, Map.of(), new RateLimit(DEFAULT_PUNTS_PER_SECOND));

    /** Returns the limits of one worker by port index; a flood on one port does not affect the others. */
    public TokenBucket[] limits(final int portCount, final NanoClock clock)
    {
        final TokenBucket[] limits = new TokenBucket[portCount];
        for (int port = 0; port < portCount; port++)
        {
            limits[port] = new TokenBucket(punts, clock);
        }
        return limits;
    }

    /** Returns by port index whether the kernel accepts frames with VLAN tags from the path of the port. */
    public boolean[] takesTags(final int portCount)
    {
        final boolean[] takesTags = new boolean[portCount];
        own.keySet().forEach(port -> takesTags[port] = true);
        return takesTags;
    }

    /** Returns the queues of one worker to the kernel by port index, null for none. */
    public TxQueue[] txQueues(final int worker, final int portCount)
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
