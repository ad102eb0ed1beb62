package org.fibnuma.bench.pipeline;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.bench.fib.NextHopNumbering;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
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

import java.nio.ByteBuffer;
import java.util.List;

/**
 * One worker between two ports, without a control plane: all routes of a table lead out of the second port, each to
 * its next hop. Used by one thread.
 */
public final class LoadedRouter implements AutoCloseable
{
    /** Link-layer addresses of the next hops, counted up from this one. */
    public static final long NEXT_HOP_MAC = MacAddress.parse("02:00:00:00:02:00");

    private static final int MTU = 1500;
    private static final int COUNTERS = 256;

    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private final AdjacencyTable adjacencies = new AdjacencyTable();
    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.METADATA_LENGTH)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.COUNTER_LENGTH)));
    private final ForwarderAgent agent;

    /**
     * Loads the table.
     *
     * @param routes   of the table.
     * @param ports    receiving and sending; not closed by this.
     * @param pool     of the ports.
     * @param firstMac link-layer address of the first port; the second has the next.
     */
    public LoadedRouter(final RouteList routes, final List<Port> ports, final FramePool pool, final long firstMac)
    {
        load(routes, firstMac + 1);
        final InterfaceTable interfaces = new InterfaceTable(2);
        interfaces.set(0, new RouterInterface(firstMac, MTU, List.of()));
        interfaces.set(1, new RouterInterface(firstMac + 1, MTU, List.of()));
        agent = new ForwarderAgent(new ForwarderContext()
            .ports(ports)
            .interfaces(interfaces)
            .fib(fib)
            .readerEpochs(epochs)
            .adjacencies(adjacencies)
            .neighborResolveProxy(new NeighborResolveProxy(new ManyToOneRingBuffer(
                new UnsafeBuffer(ByteBuffer.allocateDirect(1024 + RingBufferDescriptor.TRAILER_LENGTH)))))
            .framePool(pool)
            .counters(counters)
            .conclude());
    }

    private void load(final RouteList routes, final long outMac)
    {
        final NextHopNumbering numbering = new NextHopNumbering(NextHopNumbering.AS_THEY_ARE, routes);
        for (int i = 0; i < routes.size(); i++)
        {
            final int adjacency = numbering.adjacencyOf(routes, i);
            adjacencies.set(
                adjacency, Adjacency.forward(1, routes.nextHop(i), MTU, NEXT_HOP_MAC + adjacency, outMac));
            fib.announce(routes.prefix(i), routes.length(i), adjacency);
        }
    }

    /**
     * The worker.
     *
     * @return to be driven by the caller.
     */
    public ForwarderAgent agent()
    {
        return agent;
    }

    /**
     * How wide the table is.
     *
     * @return bits a code.
     */
    public int codeBits()
    {
        return fib.codeBits();
    }

    /**
     * What has become of all frames.
     *
     * @return as published so far.
     */
    public FateReport fates()
    {
        return FateReport.of(counters);
    }

    @Override
    public void close()
    {
        agent.onClose();
        fib.close();
    }
}
