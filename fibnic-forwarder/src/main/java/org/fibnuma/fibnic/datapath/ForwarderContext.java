package org.fibnuma.fibnic.datapath;

import org.agrona.BitUtil;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.NeighborResolveProxy;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.lossless.LosslessPorts;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a {@link ForwarderAgent} is made of. Each worker has one of its own. */
public final class ForwarderContext
{
    /** With four ports, full FIFOs of 1,518-byte frames delay a frame by 3.9 ms at a gigabit, 0.4 ms at ten. */
    public static final int DEFAULT_EGRESS_FIFO_DEPTH = 64;

    /** A TCP initial window is 10 segments (RFC 6928); a neighbour answers before much of it has arrived. */
    public static final int DEFAULT_HOLD_FRAMES_PER_NEIGHBOR = 8;

    /** An eighth of a receive ring: a scan of unused addresses must not use up the chunks that forwarding needs. */
    public static final int DEFAULT_HOLD_FRAMES = 256;

    /** Three requests a second apart: what Linux sends before it gives a neighbour up (mcast_solicit). */
    public static final long DEFAULT_HOLD_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);

    /** Linux's icmp_msgs_per_sec. */
    public static final int DEFAULT_ICMP_ERRORS_PER_SECOND = 1000;

    /** Linux's icmp_msgs_burst. */
    public static final int DEFAULT_ICMP_ERROR_BURST = 50;

    private int worker;
    private List<Port> ports = List.of();
    private KernelPaths kernelPaths = KernelPaths.NONE;
    private InterfaceTable interfaces;
    private Ipv4Fib fib;
    private ReaderEpochs readerEpochs;
    private AdjacencyTable adjacencies;
    private NeighborResolveProxy neighborResolveProxy;
    private LosslessPorts lossless;
    private FramePool framePool;
    private CountersManager counters;
    private NanoClock clock = SystemNanoClock.INSTANCE;
    private EpochClock epochClock = SystemEpochClock.INSTANCE;
    private int egressFifoDepth = DEFAULT_EGRESS_FIFO_DEPTH;
    private int holdFramesPerNeighbor = DEFAULT_HOLD_FRAMES_PER_NEIGHBOR;
    private int holdFrames = DEFAULT_HOLD_FRAMES;
    private long holdTimeoutNs = DEFAULT_HOLD_TIMEOUT_NS;
    private int icmpErrorsPerSecond = DEFAULT_ICMP_ERRORS_PER_SECOND;
    private int icmpErrorBurst = DEFAULT_ICMP_ERROR_BURST;
    private boolean forwardLooseSourceRoutes;
    private boolean forwardOldBroadcasts;

    /**
     * Checks that everything needed is there and in range.
     *
     * @return this.
     * @throws IllegalArgumentException naming the setting that is wrong.
     */
    public ForwarderContext conclude()
    {
        require(interfaces != null, "interfaces", null);
        require(fib != null, "fib", null);
        require(readerEpochs != null, "readerEpochs", null);
        require(adjacencies != null, "adjacencies", null);
        require(neighborResolveProxy != null, "neighborResolveProxy", null);
        require(framePool != null, "framePool", null);
        require(counters != null, "counters", null);
        require(!ports.isEmpty() && ports.size() <= FateCounters.MAX_PORTS, "ports", ports.size());
        require(interfaces.size() == ports.size(), "interfaces", interfaces.size());
        require(worker >= 0 && ports.stream().allMatch(port -> worker < port.queueCount()), "worker", worker);
        require(egressFifoDepth > 0 && BitUtil.isPowerOfTwo(egressFifoDepth), "egressFifoDepth", egressFifoDepth);
        require(holdFramesPerNeighbor > 0 && holdFramesPerNeighbor <= FrameBatch.CAPACITY,
            "holdFramesPerNeighbor", holdFramesPerNeighbor);
        require(holdFrames > 0, "holdFrames", holdFrames);
        require(holdTimeoutNs > 0, "holdTimeoutNs", holdTimeoutNs);
        require(icmpErrorsPerSecond > 0 && icmpErrorsPerSecond <= TimeUnit.SECONDS.toNanos(1),
            "icmpErrorsPerSecond", icmpErrorsPerSecond);
        require(icmpErrorBurst > 0, "icmpErrorBurst", icmpErrorBurst);
        return this;
    }

    private static void require(final boolean met, final String name, final Object value)
    {
        if (!met)
        {
            throw new IllegalArgumentException("forwarder: " + name + " cannot be " + value);
        }
    }

    /**
     * Number of the worker: its queue of every port and the name of its counters.
     *
     * @param worker 0 or more.
     * @return this.
     */
    public ForwarderContext worker(final int worker)
    {
        this.worker = worker;
        return this;
    }

    int worker()
    {
        return worker;
    }

    /**
     * The ports to route between, in the order of their indices.
     *
     * @param ports open, from 1 to {@link FateCounters#MAX_PORTS}.
     * @return this.
     */
    public ForwarderContext ports(final List<Port> ports)
    {
        this.ports = ports;
        return this;
    }

    List<Port> ports()
    {
        return ports;
    }

    /** The worker's transmit queue of each port. */
    TxQueue[] txQueues()
    {
        return ports.stream().map(port -> port.txQueue(worker)).toArray(TxQueue[]::new);
    }

    FateCounters newFateCounters()
    {
        return new FateCounters(counters, worker, ports.stream().map(Port::name).toList());
    }

    /**
     * The ways to this host's kernel and from it.
     *
     * @param kernelPaths {@link KernelPaths#NONE} where the ports themselves leave the kernel's frames to it.
     * @return this.
     */
    public ForwarderContext kernelPaths(final KernelPaths kernelPaths)
    {
        this.kernelPaths = kernelPaths;
        return this;
    }

    KernelPaths kernelPaths()
    {
        return kernelPaths;
    }

    /**
     * The router's own addresses.
     *
     * @param interfaces as many interfaces as ports.
     * @return this.
     */
    public ForwarderContext interfaces(final InterfaceTable interfaces)
    {
        this.interfaces = interfaces;
        return this;
    }

    InterfaceTable interfaces()
    {
        return interfaces;
    }

    /**
     * Where destinations lead.
     *
     * @param fib shared by all workers.
     * @return this.
     */
    public ForwarderContext fib(final Ipv4Fib fib)
    {
        this.fib = fib;
        return this;
    }

    Ipv4Fib fib()
    {
        return fib;
    }

    /**
     * What tells the control thread that this worker holds nothing of the FIB any more.
     *
     * @param readerEpochs that the FIB was made with.
     * @return this.
     */
    public ForwarderContext readerEpochs(final ReaderEpochs readerEpochs)
    {
        this.readerEpochs = readerEpochs;
        return this;
    }

    ReaderEpochs readerEpochs()
    {
        return readerEpochs;
    }

    /**
     * What the FIB's indices mean.
     *
     * @param adjacencies shared by all workers.
     * @return this.
     */
    public ForwarderContext adjacencies(final AdjacencyTable adjacencies)
    {
        this.adjacencies = adjacencies;
        return this;
    }

    AdjacencyTable adjacencies()
    {
        return adjacencies;
    }

    /**
     * The way to ask for a neighbour.
     *
     * @param neighborResolveProxy shared by all workers.
     * @return this.
     */
    public ForwarderContext neighborResolveProxy(final NeighborResolveProxy neighborResolveProxy)
    {
        this.neighborResolveProxy = neighborResolveProxy;
        return this;
    }

    NeighborResolveProxy neighborResolveProxy()
    {
        return neighborResolveProxy;
    }

    /**
     * The chunks of this worker's queues.
     *
     * @param framePool that the ports were opened with for this worker.
     * @return this.
     */
    public ForwarderContext framePool(final FramePool framePool)
    {
        this.framePool = framePool;
        return this;
    }

    FramePool framePool()
    {
        return framePool;
    }

    /** Lossless priorities, shared by all workers; null for none. */
    public ForwarderContext lossless(final LosslessPorts lossless)
    {
        this.lossless = lossless;
        return this;
    }

    LosslessPorts lossless()
    {
        return lossless;
    }

    /**
     * Where the worker's counters are made.
     *
     * @param counters shared by all workers.
     * @return this.
     */
    public ForwarderContext counters(final CountersManager counters)
    {
        this.counters = counters;
        return this;
    }

    CountersManager counters()
    {
        return counters;
    }

    /**
     * Time for the rate limit and for frames that wait; read only when one of them is concerned.
     *
     * @param clock monotonic.
     * @return this.
     */
    public ForwarderContext clock(final NanoClock clock)
    {
        this.clock = clock;
        return this;
    }

    NanoClock clock()
    {
        return clock;
    }

    /**
     * Frames in the FIFO of each pair of ingress and egress port.
     *
     * @param egressFifoDepth a power of two.
     * @return this.
     */
    public ForwarderContext egressFifoDepth(final int egressFifoDepth)
    {
        this.egressFifoDepth = egressFifoDepth;
        return this;
    }

    int egressFifoDepth()
    {
        return egressFifoDepth;
    }

    /**
     * Frames that wait for one neighbour at most.
     *
     * @param holdFramesPerNeighbor 1 to {@link FrameBatch#CAPACITY}.
     * @return this.
     */
    public ForwarderContext holdFramesPerNeighbor(final int holdFramesPerNeighbor)
    {
        this.holdFramesPerNeighbor = holdFramesPerNeighbor;
        return this;
    }

    int holdFramesPerNeighbor()
    {
        return holdFramesPerNeighbor;
    }

    /**
     * Frames that wait for all neighbours at most.
     *
     * @param holdFrames 1 or more.
     * @return this.
     */
    public ForwarderContext holdFrames(final int holdFrames)
    {
        this.holdFrames = holdFrames;
        return this;
    }

    int holdFrames()
    {
        return holdFrames;
    }

    /**
     * How long the first frame for a neighbour waits before all are dropped.
     *
     * @param holdTimeoutNs nanoseconds, above 0.
     * @return this.
     */
    public ForwarderContext holdTimeoutNs(final long holdTimeoutNs)
    {
        this.holdTimeoutNs = holdTimeoutNs;
        return this;
    }

    long holdTimeoutNs()
    {
        return holdTimeoutNs;
    }

    /**
     * ICMP errors that this worker makes at most in the long run; redirects have as much for themselves.
     *
     * @param icmpErrorsPerSecond 1 to 1,000,000,000.
     * @return this.
     */
    public ForwarderContext icmpErrorsPerSecond(final int icmpErrorsPerSecond)
    {
        this.icmpErrorsPerSecond = icmpErrorsPerSecond;
        return this;
    }

    int icmpErrorsPerSecond()
    {
        return icmpErrorsPerSecond;
    }

    /**
     * ICMP errors that this worker makes at once after a quiet time; redirects have as many for themselves.
     *
     * @param icmpErrorBurst 1 or more.
     * @return this.
     */
    public ForwarderContext icmpErrorBurst(final int icmpErrorBurst)
    {
        this.icmpErrorBurst = icmpErrorBurst;
        return this;
    }

    int icmpErrorBurst()
    {
        return icmpErrorBurst;
    }

    /**
     * Time of day for IP timestamp options; read only for a frame with one.
     *
     * @param epochClock milliseconds since 1970 in universal time.
     * @return this.
     */
    public ForwarderContext epochClock(final EpochClock epochClock)
    {
        this.epochClock = epochClock;
        return this;
    }

    EpochClock epochClock()
    {
        return epochClock;
    }

    /**
     * Whether frames with a loose source route are forwarded (RFC 1812 section 5.3.13.4); those with a strict one never
     * are.
     *
     * @param forwardLooseSourceRoutes false, the default, to drop them.
     * @return this.
     */
    public ForwarderContext forwardLooseSourceRoutes(final boolean forwardLooseSourceRoutes)
    {
        this.forwardLooseSourceRoutes = forwardLooseSourceRoutes;
        return this;
    }

    boolean forwardLooseSourceRoutes()
    {
        return forwardLooseSourceRoutes;
    }

    /**
     * Whether {prefix, 0} of a connected network is an address of one host (RFC 1812 section 4.2.3.1).
     *
     * @param forwardOldBroadcasts false, the default, to drop frames to it.
     * @return this.
     */
    public ForwarderContext forwardOldBroadcasts(final boolean forwardOldBroadcasts)
    {
        this.forwardOldBroadcasts = forwardOldBroadcasts;
        return this;
    }

    boolean forwardOldBroadcasts()
    {
        return forwardOldBroadcasts;
    }
}
