package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.NeighborResolvePoller;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.adjacency.SourceAddresses;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.lossless.LosslessPorts;
import org.fibnuma.fibnic.plane.ForwardingPlane;
import org.fibnuma.fibnic.ports.KernelPaths;
import org.fibnuma.fibnic.rate.RateLimit;
import org.fibnuma.fibnic.stage.StageObserver;
import org.fibnuma.pfc.config.PfcConfig;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A router with ports in memory, and the hosts' ends of their links. Port {@code p} has the addresses 10.0.p.1/24,
 * 2001:db8:p::1/64 and fe80::p:1/64 and the MAC address 02:00:00:00:01:0p; its link's one resolved host is 10.0.p.2 and
 * 2001:db8:p::2 with 02:00:00:00:02:0p. IPv6 is forwarded if the settings say so.
 */
final class RouterFixture implements AutoCloseable
{
    static final int CHUNK = 4096;
    static final int CHUNKS = 1024;
    static final int RING = 256;
    static final int MTU = 1500;

    static final int LOCAL = 100;
    static final int BROADCAST = 101;
    static final int BLACKHOLE = 102;
    static final int UNREACHABLE = 103;
    static final int PROHIBIT = 104;
    static final int KERNEL = 105;
    static final int NO_ROUTE = 106;
    static final int PUNT = 107;
    static final int GLEAN = 110;
    /** Plus the port: the resolved host's IPv6 address. */
    static final int HOST6 = 130;
    static final int UNRESOLVED = 120;

    private static final int NONE = -1;
    private static final AtomicInteger SERIAL = new AtomicInteger();

    final MemoryRegion region;
    final FramePool routerPool;
    final FramePool hostPool;
    final ForwardingPlane plane = new ForwardingPlane();
    final ReaderEpochs epochs = plane.epochs();
    final Ipv4Fib fib = plane.fib();
    final Ipv6Fib ipv6Fib = plane.ipv6Fib();
    final AdjacencyTable adjacencies = plane.adjacencies();
    final CachedNanoClock clock = new CachedNanoClock();
    final InterfaceTable interfaces;
    /** The first worker. */
    final ForwarderAgent agent;
    final List<ForwarderAgent> agents = new ArrayList<>();
    /** Port and address of each request. */
    final List<String> resolveRequests = new ArrayList<>();
    final Port punt;
    final KernelPort own;

    private final List<FramePool> routerPools = new ArrayList<>();
    private final List<FramePool> hostPools = new ArrayList<>();
    private final List<Port> ports = new ArrayList<>();
    final List<Port> hosts = new ArrayList<>();
    private final NeighborResolvePoller poller;
    private final FrameBatch hostBatch = new FrameBatch();

    RouterFixture()
    {
        this(2, context ->
        {
        });
    }

    RouterFixture(final int portCount, final Consumer<ForwarderContext> settings)
    {
        this(portCount, 1, NONE, settings, ForwarderAgent::of);
    }

    /** A router that treats every frame as an exception. */
    static RouterFixture ofExceptions(final int portCount, final Consumer<ForwarderContext> settings)
    {
        return new RouterFixture(portCount, 1, NONE, settings, context ->
        {
            final EgressQueues egress = EgressQueues.of(context);
            final FrameClassifier classifier = new FrameClassifier(context, egress.counters())
            {
                @Override
                void process(
                    final FrameBatch batch,
                    final RouterInterface ingress,
                    final FrameList ipv4,
                    final FrameList ipv6,
                    final FrameList exceptions)
                {
                    super.process(batch, ingress, ipv4, ipv6, exceptions);
                    exceptions.takeAll(ipv4);
                    exceptions.takeAll(ipv6);
                }
            };
            return new ForwarderAgent(context, egress, classifier);
        });
    }

    /** With a way to the kernel of its own for one port. */
    RouterFixture(final int portCount, final int hiddenPort)
    {
        this(portCount, 1, hiddenPort, context ->
        {
        }, ForwarderAgent::of);
    }

    /** With a way to the kernel of its own for one port, and settings. */
    static RouterFixture withKernelInterface(
        final int portCount, final int port, final Consumer<ForwarderContext> settings)
    {
        return new RouterFixture(portCount, 1, port, settings, ForwarderAgent::of);
    }

    /** Two ports and lossless priorities. */
    static RouterFixture lossless(final PfcConfig config, final int workers)
    {
        return lossless(2, config, workers);
    }

    static RouterFixture lossless(final int portCount, final PfcConfig config, final int workers)
    {
        return lossless(portCount, config, workers, context -> context.forwardsIpv6(true));
    }

    static RouterFixture lossless(
        final int portCount, final PfcConfig config, final int workers, final Consumer<ForwarderContext> settings)
    {
        final List<String> names = IntStream.range(0, portCount).mapToObj(port -> "p" + port).toList();
        final AtomicReference<LosslessPorts> shared = new AtomicReference<>();
        return new RouterFixture(portCount, workers, NONE, context ->
        {
            if (shared.get() == null)
            {
                shared.set(new LosslessPorts(config, names, workers, context.counters));
            }
            settings.accept(context.lossless(shared.get()));
        }, ForwarderAgent::of);
    }

    private RouterFixture(
        final int portCount,
        final int workers,
        final int hiddenPort,
        final Consumer<ForwarderContext> settings,
        final Function<ForwarderContext, ForwarderAgent> worker)
    {
        final int serial = SERIAL.incrementAndGet();
        region = MemoryRegion.ofChunks(2 * workers * CHUNKS, CHUNK);
        for (int i = 0; i < workers; i++)
        {
            routerPools.add(new FramePool(region, CHUNK, i * CHUNKS, CHUNKS));
            hostPools.add(new FramePool(region, CHUNK, (workers + i) * CHUNKS, CHUNKS));
        }
        routerPool = routerPools.get(0);
        hostPool = hostPools.get(0);
        interfaces = new InterfaceTable(portCount);
        for (int p = 0; p < portCount; p++)
        {
            ports.add(open("mem:fixture" + serial + "-" + p, p, routerPools));
            hosts.add(open("mem:fixture" + serial + "-" + p + "@far", p, hostPools));
            connect(p);
        }
        punt = open("mem:fixture" + serial + "-punt", portCount, routerPools);
        hosts.add(open("mem:fixture" + serial + "-punt@far", portCount, hostPools));
        own = new MemoryKernelPort(open("mem:fixture" + serial + "-own", portCount + 1, routerPools));
        hosts.add(open("mem:fixture" + serial + "-own@far", portCount + 1, hostPools));
        special(LOCAL, AdjacencyKind.LOCAL);
        special(BROADCAST, AdjacencyKind.BROADCAST);
        special(BLACKHOLE, AdjacencyKind.BLACKHOLE);
        special(UNREACHABLE, AdjacencyKind.UNREACHABLE);
        special(PROHIBIT, AdjacencyKind.PROHIBIT);
        special(KERNEL, AdjacencyKind.KERNEL);
        special(PUNT, AdjacencyKind.PUNT);
        special(NO_ROUTE, AdjacencyKind.NO_ROUTE);
        poller = new NeighborResolvePoller(
            plane.resolveRequests(), (port, address) -> resolveRequests.add(port + " " + address));
        for (int i = 0; i < workers; i++)
        {
            agents.add(worker.apply(context(i, hiddenPort, settings)));
        }
        agent = agents.get(0);
    }

    private ForwarderContext context(
        final int worker, final int hiddenPort, final Consumer<ForwarderContext> settings)
    {
        final ForwarderContext context = plane.context(ports, interfaces, routerPools.get(worker))
            .worker(worker)
            .kernelPaths(new KernelPaths(punt, hiddenPort == NONE ? Map.of() : Map.of(hiddenPort, own),
                new RateLimit(KernelPaths.DEFAULT_PUNTS_PER_SECOND)))
            .clock(clock);
        settings.accept(context);
        return context.conclude();
    }

    private static Port open(final String device, final int index, final List<FramePool> pools)
    {
        final PortSettings settings = new PortSettings(RING, RING, 0, 0, false);
        final Port port = Ports.open(new PortRequest("p" + index, device, index, pools, settings));
        port.start();
        return port;
    }

    private void connect(final int p)
    {
        connect(p, false);
        adjacencies.set(1 + p, Adjacency.forward(
            p, IpAddress.parse("10.0." + p + ".2"), MTU, hostMac(p), routerMac(p)));
        adjacencies.set(GLEAN + p, Adjacency.glean(p, MTU));
        route("10.0." + p + ".0", 24, GLEAN + p);
        route("10.0." + p + ".1", 32, LOCAL);
        route("10.0." + p + ".2", 32, 1 + p);
        route("10.0." + p + ".255", 32, BROADCAST);
        interfaces.hostAddresses().add(TestFrame.ip("10.0." + p + ".1"));
        interfaces.hostAddresses().add(TestFrame.ip("10.0." + p + ".255"));
        connectIpv6(p);
    }

    private void connectIpv6(final int p)
    {
        final IpAddress host = IpAddress.parse("2001:db8:" + p + "::2");
        adjacencies.set(HOST6 + p, Adjacency.forward(p, host, MTU, hostMac(p), routerMac(p)));
        routeIpv6("2001:db8:" + p + "::", 64, GLEAN + p);
        routeIpv6("2001:db8:" + p + "::1", 128, LOCAL);
        routeIpv6("2001:db8:" + p + "::2", 128, HOST6 + p);
        final IpAddress own = IpAddress.parse("2001:db8:" + p + "::1");
        interfaces.hostAddresses().add(own.high(), own.low());
    }

    /** Whether the port's interface sends redirects. */
    void connect(final int p, final boolean sendsRedirects)
    {
        set(p, RouterInterface.of(
            routerMac(p), MTU, List.of(
                new KernelAddress(p, IpAddress.parse("10.0." + p + ".1"), 24),
                new KernelAddress(p, IpAddress.parse("fe80::" + p + ":1"), 64),
                new KernelAddress(p, IpAddress.parse("2001:db8:" + p + "::1"), 64)),
            sendsRedirects));
    }

    /** Replaces an interface, and the addresses that the sources of errors are selected from. */
    void set(final int p, final RouterInterface routerInterface)
    {
        interfaces.set(p, routerInterface);
        interfaces.sources(SourceAddresses.ofInterfaces(
            IntStream.range(0, interfaces.size()).mapToObj(interfaces::get).toList()));
    }

    private void special(final int index, final AdjacencyKind kind)
    {
        adjacencies.set(index, Adjacency.of(kind));
    }

    static long routerMac(final int port)
    {
        return MacAddress.parse("02:00:00:00:01:00") + port;
    }

    static long hostMac(final int port)
    {
        return MacAddress.parse("02:00:00:00:02:00") + port;
    }

    void route(final String prefix, final int length, final int adjacency)
    {
        fib.announce(TestFrame.ip(prefix), length, adjacency);
    }

    void routeIpv6(final String prefix, final int length, final int adjacency)
    {
        final IpAddress address = IpAddress.parse(prefix);
        ipv6Fib.announce(address.high(), address.low(), length, adjacency);
    }

    /** A host's frame arrives at a port. */
    void receive(final int port, final byte[] frame)
    {
        receive(port, 0, frame);
    }

    /** A host's frame arrives at one queue of a port. */
    void receive(final int port, final int queue, final byte[] frame)
    {
        final long chunk = hostPools.get(queue).allocate();
        final long address = chunk + FramePool.HEADROOM;
        FrameMemory.putBytes(address, frame);
        assertTrue(hosts.get(port).txQueue(queue).offer(chunk, address, frame.length), "the link is full");
        hosts.get(port).txQueue(queue).flush();
    }

    /** Passes what the first worker receives from a port through the stages, with an observer; returns how much. */
    int process(final int port, final StageObserver observer)
    {
        final FrameBatch frames = agent.pipeline.frames;
        frames.clear();
        final int received = ports.get(port).rxQueue(0).receive(frames);
        if (received > 0)
        {
            agent.pipeline.process(observer);
        }
        return received;
    }

    /** Duty cycles until nothing happens any more. */
    void run()
    {
        int work;
        do
        {
            work = 0;
            for (final ForwarderAgent each : agents)
            {
                work += each.doWork();
            }
        }
        while (work > 0);
        poller.poll(Integer.MAX_VALUE);
    }

    /** What has left by a port since the last time. */
    List<byte[]> sent(final int port)
    {
        final List<byte[]> frames = new ArrayList<>();
        for (int queue = 0; queue < hostPools.size(); queue++)
        {
            while (receiveAtHost(port, queue, frames) > 0)
            {
                run();
            }
        }
        return frames;
    }

    /** The host at one queue of a port takes what there is and forgets it. */
    void discard(final int port, final int queue)
    {
        final FrameBatch batch = new FrameBatch();
        hosts.get(port).rxQueue(queue).receive(batch);
        for (int i = 0; i < batch.size(); i++)
        {
            hostPools.get(queue).release(batch.handle(i));
        }
        hosts.get(port).txQueue(queue).flush();
    }

    private int receiveAtHost(final int port, final int queue, final List<byte[]> frames)
    {
        hostBatch.clear();
        hosts.get(port).rxQueue(queue).receive(hostBatch);
        for (int i = 0; i < hostBatch.size(); i++)
        {
            final byte[] frame = new byte[hostBatch.length(i)];
            FrameMemory.getBytes(hostBatch.address(i), frame);
            frames.add(frame);
            hostPools.get(queue).release(hostBatch.handle(i));
        }
        hosts.get(port).txQueue(queue).flush();
        return hostBatch.size();
    }

    /** What the kernel was given since the last time. */
    List<byte[]> punted()
    {
        return sent(ports.size());
    }

    /** The number to send and receive by at the kernel's end of {@link #own}. */
    int kernelEnd()
    {
        return ports.size() + 1;
    }

    /** One frame in at port 0, all that comes of it out at port 1. */
    List<byte[]> forward(final byte[] frame)
    {
        receive(0, frame);
        run();
        return sent(1);
    }

    FateReport report()
    {
        return plane.fates();
    }

    CountersManager counters()
    {
        return plane.counters();
    }

    long count(final ForwarderCounter counter)
    {
        return report().get(counter);
    }

    /** Every frame so far was dropped for one reason. */
    void assertAllDropped(final DropReason reason)
    {
        final FateReport report = report();
        assertEquals(report.get(ForwarderCounter.RECEIVED), report.get(reason), reason.label());
        assertBalanced();
    }

    /** No frame and no chunk got lost; what was sent and not looked at is forgotten. */
    void assertBalanced()
    {
        assertTrue(report().isBalanced(), "received is not the sum of fates");
        for (int port = 0; port < hosts.size(); port++)
        {
            sent(port);
        }
        assertEquals(
            (long)routerPools.size() * CHUNKS - count(ForwarderCounter.HELD),
            routerPools.stream().mapToLong(FramePool::available).sum(),
            "chunks of the router");
    }

    @Override
    public void close()
    {
        agents.forEach(ForwarderAgent::onClose);
        punt.close();
        own.close();
        ports.forEach(Port::close);
        hosts.forEach(Port::close);
        plane.close();
        region.close();
    }
}
