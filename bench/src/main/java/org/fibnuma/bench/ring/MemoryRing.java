package org.fibnuma.bench.ring;

import org.agrona.concurrent.CachedNanoClock;
import org.fibnuma.bench.traffic.PausableSender;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fabric.deadlock.RingDemonstration;
import org.fibnuma.fabric.export.AddressPlan;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.pfc.config.MacFlowControl;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcLink;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.fibnuma.pfc.headroom.HeadroomRequest;
import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.priority.PfcCounter;
import org.fibnuma.pfc.priority.PriorityClassifier;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Routers and hosts in this process, run in turn on a shared virtual clock, so that the same tables always give the
 * same result. A link is a ring of {@value #FRAMES_PER_STEP} frames that is emptied once per step, which is one gigabit
 * per second. The routers pause each other with PFC frames over these links; their watchdogs are off.
 */
final class MemoryRing extends RouterRing
{
    private static final int FRAMES_PER_STEP = 4;
    private static final long BITS_PER_SECOND = 1_000_000_000L;
    private static final int FRAME_LENGTH = 1000;
    private static final int WIRE_LENGTH = FRAME_LENGTH + 24;
    private static final long STEP_NS = FRAMES_PER_STEP * WIRE_LENGTH * (long)Byte.SIZE;
    private static final int HOST_CHUNK = 2048;
    private static final int HOST_CHUNKS = 2048;
    /** Small buffers: a pause after 16 frames, its end at 2, and headroom for 32. */
    private static final PfcLink LINK = new PfcLink(
        "", 0, BITS_PER_SECOND, 16 * WIRE_LENGTH, 2 * WIRE_LENGTH, 32 * WIRE_LENGTH,
        HeadroomModel.OWN.compute(new HeadroomRequest(BITS_PER_SECOND)), MacFlowControl.OFF);
    private static final PortSettings RINGS = new PortSettings(FRAMES_PER_STEP, FRAMES_PER_STEP, 0, 64, false);
    private static final long ROUTER_MAC = MacAddress.parse("02:00:00:00:01:00");
    private static final long HOST_MAC = MacAddress.parse("02:00:00:00:02:00");
    private static final AtomicInteger SERIAL = new AtomicInteger();

    private final String name = "mem:ring-" + SERIAL.incrementAndGet() + "-";
    private final Fabric fabric;
    private final AddressPlan addresses;
    private final CachedNanoClock clock = new CachedNanoClock();
    private final MemoryRegion hostRegion = MemoryRegion.ofChunks(HOST_CHUNKS, HOST_CHUNK);
    private final FramePool hostPool = new FramePool(hostRegion, HOST_CHUNK, 0, HOST_CHUNKS);
    private final List<Port> hostPorts = new ArrayList<>();
    private final List<RingRouter> routers = new ArrayList<>();

    /** Creates routers with forwarding tables of the ring, and hosts that do not send yet. */
    MemoryRing(final RingDemonstration ring, final ForwardingTables tables)
    {
        fabric = tables.fabric();
        addresses = new AddressPlan(fabric);
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            routers.add(new RingRouter());
            connectRouters(node);
        }
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            connectHost(server, addresses.ofServer(ring.across(server)));
        }
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            for (int server = 0; server < fabric.serverCount(); server++)
            {
                if (fabric.serverSwitch(server) != node)
                {
                    routers.get(node).route(
                        addresses.ofServer(server), tables.next(node, server) - fabric.firstChannel(node));
                }
            }
            routers.get(node).start(pfc(), clock);
        }
    }

    private static PfcConfig pfc()
    {
        return new PfcConfig(
            0, 1 << PRIORITY, PriorityClassifier.byDscp(PriorityClassifier.classSelectors()), PausePolicyKind.POOC,
            PauseTimeLaw.DEFAULT, 0, 1, LINK, Map.of(), null, null);
    }

    private void connectRouters(final int node)
    {
        for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
        {
            final int back = fabric.reverse(channel);
            final String device = name + Math.min(channel, back) + (channel < back ? "" : "@far");
            routers.get(node).connect(device, RINGS, ROUTER_MAC + channel, ROUTER_MAC + back);
        }
    }

    private void connectHost(final int server, final int destination)
    {
        final RingRouter router = routers.get(fabric.serverSwitch(server));
        final String device = name + "host" + server;
        final long routerMac = ROUTER_MAC + fabric.channelCount() + server;
        final long hostMac = HOST_MAC + server;
        final int own = addresses.ofServer(server);
        router.connect(device, RINGS, routerMac, hostMac);
        router.route(own, fabric.degree(fabric.serverSwitch(server)) + hostsBefore(server));
        final Port port = Ports.open(new PortRequest("host", device + "@far", 0, List.of(hostPool), RINGS));
        port.start();
        hostPorts.add(port);
        hosts.add(new PausableSender(
            port, hostPool, new HostFrames(routerMac, hostMac, own, FRAME_LENGTH), destination, BITS_PER_SECOND, true,
            frame ->
            {
            }));
    }

    private int hostsBefore(final int server)
    {
        int count = 0;
        while (server - count > 0 && fabric.serverSwitch(server - count - 1) == fabric.serverSwitch(server))
        {
            count++;
        }
        return count;
    }

    @Override
    void send(final boolean on)
    {
        hosts.forEach(host -> host.stream(PRIORITY, on ? BITS_PER_SECOND : 0));
    }

    @Override
    void congest()
    {
        send(true);
    }

    @Override
    void run(final long millis)
    {
        for (long left = TimeUnit.MILLISECONDS.toNanos(millis); left > 0; left -= STEP_NS)
        {
            clock.update(clock.nanoTime() + STEP_NS);
            hosts.forEach(host -> host.doWork(clock.nanoTime()));
            routers.forEach(RingRouter::doWork);
        }
    }

    @Override
    long dropped()
    {
        return routers.stream().mapToLong(router -> router.fates().dropped()).sum();
    }

    @Override
    long[] stopped()
    {
        final long[] stopped = new long[fabric.channelCount()];
        for (int channel = 0; channel < stopped.length; channel++)
        {
            final int node = fabric.source(channel);
            stopped[channel] = routers.get(node).pauses().get(
                channel - fabric.firstChannel(node), PRIORITY, PfcCounter.PAUSED_RX_NS);
        }
        return stopped;
    }

    @Override
    public void close()
    {
        routers.forEach(RingRouter::close);
        hostPorts.forEach(Port::close);
        hostRegion.close();
    }
}
