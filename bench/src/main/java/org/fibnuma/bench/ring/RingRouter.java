package org.fibnuma.bench.ring;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.datapath.ForwarderAgent;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.lossless.LosslessPorts;
import org.fibnuma.fibnic.lossless.LosslessReport;
import org.fibnuma.fibnic.plane.ForwardingPlane;
import org.fibnuma.pfc.config.PfcConfig;

import java.util.ArrayList;
import java.util.List;

/** A worker with ports in memory and frames of its own, without a control plane. Used by one thread. */
final class RingRouter implements AutoCloseable
{
    private static final int MTU = 1500;
    private static final int CHUNK = 2048;
    private static final int CHUNKS = 2048;

    private final MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, CHUNK);
    private final FramePool pool = new FramePool(region, CHUNK, 0, CHUNKS);
    private final ForwardingPlane plane = new ForwardingPlane();
    private final List<Port> ports = new ArrayList<>();
    private final List<RouterInterface> interfaces = new ArrayList<>();
    private ForwarderAgent agent;

    /** Adds a port and the adjacency of its neighbour. */
    void connect(final String device, final PortSettings rings, final long mac, final long neighborMac)
    {
        final int index = ports.size();
        final Port port = Ports.open(new PortRequest("p" + index, device, index, List.of(pool), rings));
        ports.add(port);
        port.start();
        interfaces.add(new RouterInterface(mac, MTU, List.of()));
        plane.adjacencies().set(1 + index, Adjacency.forward(index, IpAddress.NONE, MTU, neighborMac, mac));
    }

    void route(final int address, final int port)
    {
        plane.fib().announce(address, Integer.SIZE, 1 + port);
    }

    void start(final PfcConfig pfc, final NanoClock clock)
    {
        agent = ForwarderAgent.of(plane.context(ports, new InterfaceTable(interfaces), pool)
            .lossless(new LosslessPorts(pfc, ports.stream().map(Port::name).toList(), 1, plane.counters()))
            .clock(clock)
            .conclude());
    }

    int doWork()
    {
        return agent.doWork();
    }

    FateReport fates()
    {
        return plane.fates();
    }

    LosslessReport pauses()
    {
        return LosslessReport.of(plane.counters());
    }

    @Override
    public void close()
    {
        if (agent != null)
        {
            agent.onClose();
        }
        ports.forEach(Port::close);
        plane.close();
        region.close();
    }
}
