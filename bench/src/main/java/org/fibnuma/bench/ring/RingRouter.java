package org.fibnuma.bench.ring;

import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
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
import org.fibnuma.fibnic.lossless.LosslessPorts;
import org.fibnuma.fibnic.lossless.LosslessReport;
import org.fibnuma.pfc.config.PfcConfig;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** One worker with ports in memory and frames of its own, without a control plane. Used by one thread. */
final class RingRouter implements AutoCloseable
{
    private static final int MTU = 1500;
    private static final int CHUNK = 2048;
    private static final int CHUNKS = 2048;
    private static final int COUNTERS = 512;

    private final MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, CHUNK);
    private final FramePool pool = new FramePool(region, CHUNK, 0, CHUNKS);
    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private final AdjacencyTable adjacencies = new AdjacencyTable();
    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.METADATA_LENGTH)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.COUNTER_LENGTH)));
    private final List<Port> ports = new ArrayList<>();
    private final List<RouterInterface> interfaces = new ArrayList<>();
    private ForwarderAgent agent;

    /** A link: the port behind it, and the neighbour that it leads to. */
    void connect(final String device, final PortSettings rings, final long mac, final long neighborMac)
    {
        final int index = ports.size();
        final Port port = Ports.open(new PortRequest("p" + index, device, index, List.of(pool), rings));
        ports.add(port);
        port.start();
        interfaces.add(new RouterInterface(mac, MTU, List.of()));
        adjacencies.set(1 + index, Adjacency.forward(index, 0, MTU, neighborMac, mac));
    }

    void route(final int address, final int port)
    {
        fib.announce(address, Integer.SIZE, 1 + port);
    }

    void start(final PfcConfig pfc, final NanoClock clock)
    {
        final InterfaceTable table = new InterfaceTable(ports.size());
        for (int port = 0; port < ports.size(); port++)
        {
            table.set(port, interfaces.get(port));
        }
        agent = new ForwarderAgent(new ForwarderContext()
            .ports(ports)
            .interfaces(table)
            .fib(fib)
            .readerEpochs(epochs)
            .adjacencies(adjacencies)
            .neighborResolveProxy(new NeighborResolveProxy(new ManyToOneRingBuffer(
                new UnsafeBuffer(ByteBuffer.allocateDirect(1024 + RingBufferDescriptor.TRAILER_LENGTH)))))
            .framePool(pool)
            .counters(counters)
            .lossless(new LosslessPorts(pfc, ports.stream().map(Port::name).toList(), 1, counters))
            .clock(clock)
            .conclude());
    }

    int doWork()
    {
        return agent.doWork();
    }

    FateReport fates()
    {
        return FateReport.of(counters);
    }

    LosslessReport pauses()
    {
        return LosslessReport.of(counters);
    }

    @Override
    public void close()
    {
        if (agent != null)
        {
            agent.onClose();
        }
        ports.forEach(Port::close);
        fib.close();
        region.close();
    }
}
