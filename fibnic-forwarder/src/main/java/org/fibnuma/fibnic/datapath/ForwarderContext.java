package org.fibnuma.fibnic.datapath;

import org.agrona.BitUtil;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.fibnic.acl.AccessTable;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.NeighborResolveProxy;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.PortDrops;
import org.fibnuma.fibnic.fate.VlanTraffic;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.lossless.LosslessPorts;
import org.fibnuma.fibnic.multipath.FlowHash;
import org.fibnuma.fibnic.ports.KernelPaths;
import org.fibnuma.fibnic.ports.PortTable;
import org.fibnuma.fibnic.rate.IcmpSettings;
import org.fibnuma.fibnic.rate.RateLimit;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * The settings and parts of a {@link ForwarderAgent}. Each worker has its own context. The constructors of the stages
 * read the fields, after {@link #conclude()}.
 */
public final class ForwarderContext
{
    /** With four ports, full FIFOs of 1,518-byte frames delay a frame by 3.9 ms at 1 Gbit/s, 0.4 ms at 10 Gbit/s. */
    public static final int DEFAULT_EGRESS_FIFO_DEPTH = 64;

    /** A TCP initial window is 10 segments (RFC 6928); a neighbour answers before much of it has arrived. */
    public static final int DEFAULT_HOLD_FRAMES_PER_NEIGHBOR = 8;

    /** An eighth of a receive ring: a scan of unused addresses must leave the chunks that forwarding needs. */
    public static final int DEFAULT_HOLD_FRAMES = 256;

    /** Three requests, one per second, as Linux sends before it gives up (mcast_solicit). */
    public static final long DEFAULT_HOLD_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);

    /** Linux's icmp_msgs_per_sec. */
    public static final int DEFAULT_ICMP_ERRORS_PER_SECOND = 1000;

    /** Linux's icmp_msgs_burst. */
    public static final int DEFAULT_ICMP_ERROR_BURST = 50;

    int worker;
    List<Port> ports = List.of();
    PortTable portTable;
    KernelPaths kernelPaths = KernelPaths.NONE;
    InterfaceTable interfaces;
    Ipv4Fib fib;
    Ipv6Fib ipv6Fib;
    ReaderEpochs readerEpochs;
    AdjacencyTable adjacencies;
    NeighborResolveProxy neighborResolveProxy;
    AccessTable accessTable = new AccessTable();
    FlowHash flowHash = new FlowHash(0);
    AtomicReference<FlowTable> flows = new AtomicReference<>();
    LosslessPorts lossless;
    private VlanTraffic vlanTraffic;
    private PortDrops portDrops;
    CapturePoint capturePoint = new CapturePoint();
    FramePool framePool;
    CountersManager counters;
    NanoClock clock = SystemNanoClock.INSTANCE;
    EpochClock epochClock = SystemEpochClock.INSTANCE;
    int egressFifoDepth = DEFAULT_EGRESS_FIFO_DEPTH;
    int holdFramesPerNeighbor = DEFAULT_HOLD_FRAMES_PER_NEIGHBOR;
    int holdFrames = DEFAULT_HOLD_FRAMES;
    long holdTimeoutNs = DEFAULT_HOLD_TIMEOUT_NS;
    RateLimit icmpErrors = new RateLimit(DEFAULT_ICMP_ERRORS_PER_SECOND, DEFAULT_ICMP_ERROR_BURST);
    IcmpSettings icmpSettings = new IcmpSettings();
    boolean kernelMartians;
    boolean forwardLooseSourceRoutes;
    boolean forwardOldBroadcasts;
    boolean forwardsIpv6;
    boolean sendsIpv6Redirects;

    /**
     * Checks that every required part is set and every setting is in range.
     *
     * @throws IllegalArgumentException with the name of the setting that is wrong.
     */
    public ForwarderContext conclude()
    {
        require(interfaces != null, "interfaces", null);
        vlanTraffic = vlanTraffic == null ? new VlanTraffic(worker + 1) : vlanTraffic;
        portDrops = portDrops == null ? new PortDrops(worker + 1) : portDrops;
        require(fib != null, "fib", null);
        require(ipv6Fib != null || !forwardsIpv6, "ipv6Fib", null);
        require(readerEpochs != null, "readerEpochs", null);
        require(adjacencies != null, "adjacencies", null);
        require(neighborResolveProxy != null, "neighborResolveProxy", null);
        require(framePool != null, "framePool", null);
        require(counters != null, "counters", null);
        require(!ports.isEmpty() && ports.size() <= FateCounters.MAX_PORTS, "ports", ports.size());
        require(worker >= 0 && ports.stream().allMatch(port -> worker < port.queueCount()), "worker", worker);
        portTable = portTable == null ? new PortTable(ports, ports.size()) : portTable;
        require(places() >= ports.size() && places() <= FateCounters.MAX_PORTS, "portTable", places());
        require(interfaces.size() == places(), "interfaces", interfaces.size());
        require(egressFifoDepth > 0 && BitUtil.isPowerOfTwo(egressFifoDepth), "egressFifoDepth", egressFifoDepth);
        require(holdFramesPerNeighbor > 0 && holdFramesPerNeighbor <= FrameBatch.CAPACITY,
            "holdFramesPerNeighbor", holdFramesPerNeighbor);
        require(holdFrames > 0, "holdFrames", holdFrames);
        require(holdTimeoutNs > 0, "holdTimeoutNs", holdTimeoutNs);
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
     * Sets the number of the worker, from 0: the index of its queue of every port, and part of the labels of its
     * counters.
     */
    public ForwarderContext worker(final int worker)
    {
        this.worker = worker;
        return this;
    }

    /** Sets the open ports of the router, by port index; 1 to {@link FateCounters#MAX_PORTS}. */
    public ForwarderContext ports(final List<Port> ports)
    {
        this.ports = ports;
        return this;
    }

    /**
     * Sets the table by which all workers follow changes of the ports; its ports are those of {@link #ports(List)} at
     * first. By default the ports do not change.
     */
    public ForwarderContext portTable(final PortTable portTable)
    {
        this.portTable = portTable;
        return this;
    }

    /** Returns the most ports that there can be. */
    int places()
    {
        return portTable.places();
    }

    /** Returns the transmit queues of the worker by port index, null for an index that no port has yet. */
    TxQueue[] txQueues()
    {
        final TxQueue[] txQueues = new TxQueue[places()];
        for (int port = 0; port < ports.size(); port++)
        {
            txQueues[port] = ports.get(port).txQueue(worker);
        }
        return txQueues;
    }

    VlanOutput newVlanOutput(final FateCounters fates)
    {
        return new VlanOutput(
            interfaces, adjacencies.links(), vlanTraffic.ofWorker(worker),
            lossless == null ? null : lossless.config().classifier(), fates.ownIngress());
    }

    VlanInput newVlanInput(final FateCounters fates)
    {
        return new VlanInput(interfaces, vlanTraffic.ofWorker(worker), fates, lossless != null);
    }

    FateCounters newFateCounters()
    {
        return new FateCounters(counters, worker, IntStream.range(0, places())
            .mapToObj(port -> port < ports.size() ? ports.get(port).name() : FateCounters.NO_NAME).toList(),
            portDrops.ofWorker(worker));
    }

    /** Sets the paths to the kernel; {@link KernelPaths#NONE} if the kernel receives its frames without the router. */
    public ForwarderContext kernelPaths(final KernelPaths kernelPaths)
    {
        this.kernelPaths = kernelPaths;
        return this;
    }

    /** Sets the interfaces of the router, one for each port that it can have. */
    public ForwarderContext interfaces(final InterfaceTable interfaces)
    {
        this.interfaces = interfaces;
        return this;
    }

    /** Sets the IPv4 FIB, which all workers share. */
    public ForwarderContext fib(final Ipv4Fib fib)
    {
        this.fib = fib;
        return this;
    }

    /** Sets the IPv6 FIB, which all workers share; required if {@link #forwardsIpv6(boolean)}. */
    public ForwarderContext ipv6Fib(final Ipv6Fib ipv6Fib)
    {
        this.ipv6Fib = ipv6Fib;
        return this;
    }

    /**
     * Sets the epochs that the FIBs were made with. Through them this worker reports that it no longer uses replaced
     * parts of the FIBs.
     */
    public ForwarderContext readerEpochs(final ReaderEpochs readerEpochs)
    {
        this.readerEpochs = readerEpochs;
        return this;
    }

    /** Sets the table of adjacencies that the FIB refers to by index; all workers share it. */
    public ForwarderContext adjacencies(final AdjacencyTable adjacencies)
    {
        this.adjacencies = adjacencies;
        return this;
    }

    /** Sets the proxy for requests to resolve neighbours, which all workers share. */
    public ForwarderContext neighborResolveProxy(final NeighborResolveProxy neighborResolveProxy)
    {
        this.neighborResolveProxy = neighborResolveProxy;
        return this;
    }

    /** Sets the frame pool that the ports were opened with for this worker. */
    public ForwarderContext framePool(final FramePool framePool)
    {
        this.framePool = framePool;
        return this;
    }

    /** Sets the access lists, which all workers share; by default there are none. */
    public ForwarderContext accessTable(final AccessTable accessTable)
    {
        this.accessTable = accessTable;
        return this;
    }

    /** Sets the hash of flows, which all workers share; by default by addresses. */
    public ForwarderContext flowHash(final FlowHash flowHash)
    {
        this.flowHash = flowHash;
        return this;
    }

    /** Sets the holder of the table of flows, which all workers share; it may be empty, as it is by default. */
    public ForwarderContext flows(final AtomicReference<FlowTable> flows)
    {
        this.flows = flows;
        return this;
    }

    /** Sets the lossless priorities, which all workers share; null for none. */
    public ForwarderContext lossless(final LosslessPorts lossless)
    {
        this.lossless = lossless;
        return this;
    }

    /** Sets the counters of the VLAN interfaces, which all workers share; by default the worker has its own. */
    public ForwarderContext vlanTraffic(final VlanTraffic vlanTraffic)
    {
        this.vlanTraffic = vlanTraffic;
        return this;
    }

    /** Sets the drops by port, which all workers share; by default the worker has its own. */
    public ForwarderContext portDrops(final PortDrops portDrops)
    {
        this.portDrops = portDrops;
        return this;
    }

    /** Sets the switch for captures of this worker's frames; by default one that is never switched on. */
    public ForwarderContext capturePoint(final CapturePoint capturePoint)
    {
        this.capturePoint = capturePoint;
        return this;
    }

    /** Sets the manager in which the counters of all workers are made. */
    public ForwarderContext counters(final CountersManager counters)
    {
        this.counters = counters;
        return this;
    }

    /** Sets the monotonic clock for rate limits, polls of the kernel, held frames and PFC pauses. */
    public ForwarderContext clock(final NanoClock clock)
    {
        this.clock = clock;
        return this;
    }

    /** Sets the number of frames in the FIFO of each pair of ingress and egress port, a power of two. */
    public ForwarderContext egressFifoDepth(final int egressFifoDepth)
    {
        this.egressFifoDepth = egressFifoDepth;
        return this;
    }

    /** Sets the most frames held for one neighbour, 1 to {@link FrameBatch#CAPACITY}. */
    public ForwarderContext holdFramesPerNeighbor(final int holdFramesPerNeighbor)
    {
        this.holdFramesPerNeighbor = holdFramesPerNeighbor;
        return this;
    }

    /** Sets the most frames held for all neighbours, 1 or more. */
    public ForwarderContext holdFrames(final int holdFrames)
    {
        this.holdFrames = holdFrames;
        return this;
    }

    /** Sets the time, above 0 ns, that the first frame for a neighbour waits before all for it are dropped. */
    public ForwarderContext holdTimeoutNs(final long holdTimeoutNs)
    {
        this.holdTimeoutNs = holdTimeoutNs;
        return this;
    }

    /** Sets the limit of ICMP errors, which all workers share; redirects have a limit of the same size. */
    public ForwarderContext icmpErrors(final RateLimit icmpErrors)
    {
        this.icmpErrors = icmpErrors;
        return this;
    }

    /** Sets the settings of ICMP errors, which all workers share. */
    public ForwarderContext icmpSettings(final IcmpSettings icmpSettings)
    {
        this.icmpSettings = icmpSettings;
        return this;
    }

    /**
     * Sets whether IPv4 addresses of 0/8 and 240/4 are unicast addresses as in the kernel, not martians of RFC 1812
     * section 5.3.7.
     */
    public ForwarderContext kernelMartians(final boolean kernelMartians)
    {
        this.kernelMartians = kernelMartians;
        return this;
    }

    /** Sets the clock for IP timestamp options, in milliseconds since 1970 UTC. */
    public ForwarderContext epochClock(final EpochClock epochClock)
    {
        this.epochClock = epochClock;
        return this;
    }

    /**
     * Sets whether frames with a loose source route are forwarded (RFC 1812 section 5.3.13.4), by default false. Frames
     * with a strict source route never are.
     */
    public ForwarderContext forwardLooseSourceRoutes(final boolean forwardLooseSourceRoutes)
    {
        this.forwardLooseSourceRoutes = forwardLooseSourceRoutes;
        return this;
    }

    /**
     * Sets whether {prefix, 0} of a connected network is the address of a host (RFC 1812 section 4.2.3.1). By default
     * it is not, and frames to it are dropped.
     */
    public ForwarderContext forwardOldBroadcasts(final boolean forwardOldBroadcasts)
    {
        this.forwardOldBroadcasts = forwardOldBroadcasts;
        return this;
    }

    /** Sets whether IPv6 is forwarded. By default every IPv6 frame is left to the kernel of this host. */
    public ForwarderContext forwardsIpv6(final boolean forwardsIpv6)
    {
        this.forwardsIpv6 = forwardsIpv6;
        return this;
    }

    /** Sets whether ICMPv6 redirects are sent (RFC 4861 section 8.2), by default false. */
    public ForwarderContext sendsIpv6Redirects(final boolean sendsIpv6Redirects)
    {
        this.sendsIpv6Redirects = sendsIpv6Redirects;
        return this;
    }
}
