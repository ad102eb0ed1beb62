package org.fibnuma.fibnic.plane;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.NeighborResolveProxy;
import org.fibnuma.fibnic.datapath.ForwarderContext;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The tables and counters of some workers, without a control plane. The thread that fills the tables is their only
 * writer; it closes this after the workers.
 */
public final class ForwardingPlane implements AutoCloseable
{
    /** More than the counters of a few workers and a few lossless ports. */
    private static final int COUNTERS = 1024;

    /** Some hundred requests; workers continue when it is full. */
    private static final int RESOLVE_RING_BYTES = 4096;

    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private final Ipv6Fib ipv6Fib = new Ipv6Fib(epochs);
    private final AdjacencyTable adjacencies = new AdjacencyTable();
    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.METADATA_LENGTH)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.COUNTER_LENGTH)));
    private final RingBuffer resolveRequests = new ManyToOneRingBuffer(
        new UnsafeBuffer(ByteBuffer.allocateDirect(RESOLVE_RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH)));

    /**
     * Returns the context of a worker over these tables, to be completed and concluded by the caller.
     *
     * @param ports of the worker, closed by the caller, as is the pool.
     */
    public ForwarderContext context(final List<Port> ports, final InterfaceTable interfaces, final FramePool pool)
    {
        return new ForwarderContext()
            .ports(ports)
            .interfaces(interfaces)
            .fib(fib)
            .ipv6Fib(ipv6Fib)
            .readerEpochs(epochs)
            .adjacencies(adjacencies)
            .neighborResolveProxy(new NeighborResolveProxy(resolveRequests))
            .framePool(pool)
            .counters(counters);
    }

    /** Returns the IPv4 FIB, which maps destinations to indexes of adjacencies. */
    public Ipv4Fib fib()
    {
        return fib;
    }

    /** Returns the IPv6 FIB, which maps destinations to indexes of the same adjacencies. */
    public Ipv6Fib ipv6Fib()
    {
        return ipv6Fib;
    }

    /** Returns the adjacencies. An adjacency must be set before a route refers to its index. */
    public AdjacencyTable adjacencies()
    {
        return adjacencies;
    }

    /** Returns the epochs that every worker over these tables registers with. */
    public ReaderEpochs epochs()
    {
        return epochs;
    }

    /** Returns the requests of the workers for unresolved neighbours, for at most one poller. */
    public RingBuffer resolveRequests()
    {
        return resolveRequests;
    }

    /** Returns the counters of all workers. */
    public CountersManager counters()
    {
        return counters;
    }

    /** Returns the dispositions of all frames as published so far. */
    public FateReport fates()
    {
        return FateReport.of(counters);
    }

    @Override
    public void close()
    {
        fib.close();
        ipv6Fib.close();
    }
}
