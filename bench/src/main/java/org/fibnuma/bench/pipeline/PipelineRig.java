package org.fibnuma.bench.pipeline;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.bench.fib.AddressSample;
import org.fibnuma.bench.fib.NextHopNumbering;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.NeighborResolveProxy;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.datapath.ForwarderAgent;
import org.fibnuma.fibnic.datapath.ForwarderContext;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableException;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * One worker with two ports in memory and a host at the far end of each: traffic goes in on the left and, whatever
 * its next hop, out on the right.
 */
final class PipelineRig implements AutoCloseable
{
    private static final int CHUNK = 2048;
    private static final int CHUNKS = 8192;
    private static final int RING = 2048;
    private static final int MTU = 1500;
    private static final int COUNTERS = 256;
    private static final int DESTINATIONS = 1 << 20;

    private static final long LEFT_MAC = MacAddress.parse("02:00:00:00:01:00");
    private static final long RIGHT_MAC = MacAddress.parse("02:00:00:00:01:01");
    private static final long HOST_MAC = MacAddress.parse("02:00:00:00:02:00");
    private static final int HOST = Ipv4Address.parse("198.18.0.2");

    private final MemoryRegion region = MemoryRegion.ofChunks(2 * CHUNKS, CHUNK);
    private final FramePool routerPool = new FramePool(region, CHUNK, 0, CHUNKS);
    private final FramePool hostPool = new FramePool(region, CHUNK, CHUNKS, CHUNKS);
    private final Port left = open("mem:pipeline-left", 0, routerPool);
    private final Port right = open("mem:pipeline-right", 1, routerPool);
    private final Port leftHost = open("mem:pipeline-left@far", 0, hostPool);
    private final Port rightHost = open("mem:pipeline-right@far", 1, hostPool);
    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private final AdjacencyTable adjacencies = new AdjacencyTable();
    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.METADATA_LENGTH)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.COUNTER_LENGTH)));
    private final int[] destinations;
    private final ForwarderAgent router;

    PipelineRig(final RouteList routes)
    {
        load(routes);
        destinations = destinations(routes);
        final InterfaceTable interfaces = new InterfaceTable(2);
        interfaces.set(0, new RouterInterface(LEFT_MAC, MTU, List.of()));
        interfaces.set(1, new RouterInterface(RIGHT_MAC, MTU, List.of()));
        router = new ForwarderAgent(new ForwarderContext()
            .ports(List.of(left, right))
            .interfaces(interfaces)
            .fib(fib)
            .readerEpochs(epochs)
            .adjacencies(adjacencies)
            .neighborResolveProxy(new NeighborResolveProxy(new ManyToOneRingBuffer(
                new UnsafeBuffer(ByteBuffer.allocateDirect(1024 + RingBufferDescriptor.TRAILER_LENGTH)))))
            .framePool(routerPool)
            .counters(counters)
            .conclude());
    }

    private static Port open(final String device, final int index, final FramePool pool)
    {
        final PortSettings settings = new PortSettings(RING, RING, 0, 0, false);
        final Port port = Ports.open(new PortRequest(device, device, index, List.of(pool), settings));
        port.start();
        return port;
    }

    private void load(final RouteList routes)
    {
        final NextHopNumbering numbering = new NextHopNumbering(NextHopNumbering.AS_THEY_ARE, routes);
        for (int i = 0; i < routes.size(); i++)
        {
            final int adjacency = numbering.adjacencyOf(routes, i);
            adjacencies.set(
                adjacency, Adjacency.forward(1, routes.nextHop(i), MTU, HOST_MAC + adjacency, RIGHT_MAC));
            fib.announce(routes.prefix(i), routes.length(i), adjacency);
        }
    }

    private static int[] destinations(final RouteList routes)
    {
        final int[] forwarded = Arrays.stream(new AddressSample(routes, 1).ofRoutes(DESTINATIONS))
            .filter(PipelineRig::isForwarded).toArray();
        if (forwarded.length == 0)
        {
            throw new RouteTableException("no route of the table leads to a host that a router may forward to");
        }
        return forwarded;
    }

    /** Neither this network, nor loopback, nor multicast and above: what RFC 1812 section 5.3.7 lets through. */
    private static boolean isForwarded(final int address)
    {
        final int octet = address >>> Byte.SIZE * 3;
        return octet > 0 && octet != 127 && octet < 224;
    }

    ForwarderAgent router()
    {
        return router;
    }

    int codeBits()
    {
        return fib.codeBits();
    }

    TestTraffic traffic(final int frameLength)
    {
        return new TestTraffic(
            leftHost.txQueue(0), hostPool, destinations, frameLength, HOST_MAC, LEFT_MAC, HOST);
    }

    TestSink sink()
    {
        return new TestSink(rightHost, hostPool);
    }

    FateReport fates()
    {
        return FateReport.of(counters);
    }

    @Override
    public void close()
    {
        router.onClose();
        left.close();
        right.close();
        leftHost.close();
        rightHost.close();
        fib.close();
        region.close();
    }
}
