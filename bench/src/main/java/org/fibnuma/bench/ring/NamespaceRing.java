package org.fibnuma.bench.ring;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.bench.traffic.PausableSender;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fabric.deadlock.RingDemonstration;
import org.fibnuma.fabric.export.AddressPlan;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.pfc.quanta.PauseQuanta;
import org.fibnuma.pfc.wire.MacControl;
import org.fibnuma.pfc.wire.PfcFrameFlyweight;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The ring with router processes, each in a network namespace. Links between routers are shared memory, because a veth
 * pair has no flow control: it drops what does not fit, and a router's whole buffer would pass through it before the
 * neighbour's pause is read. Hosts are AF_XDP ports of this process on veth pairs, driven by the caller. Needs root.
 * <p>
 * These links are as fast as the processor and therefore never full; {@link #congest} fills the buffers.
 */
final class NamespaceRing extends RouterRing
{
    private static final long BITS_PER_SECOND = 100_000_000L;
    private static final int FRAME_LENGTH = 1000;
    private static final int MTU = 1500;
    /** Bits per second of each host, which do not fill the ring. */
    private static final double RATE = 20e6;
    private static final int HOLD_MS = 1500;
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final long IDLE_NS = 20_000;
    /** The longest pause lasts 336 ms at 100 Mb/s. */
    private static final long RENEWAL_NS = 200_000_000;

    private final RingDemonstration ring;
    private final Fabric fabric;
    private final AddressPlan addresses;
    private final RingConfig config;
    private final Host hostNamespace = Host.open("hosts");
    private final List<Host> namespaces = new ArrayList<>();
    private final List<RouterProcess> processes = new ArrayList<>();
    private final List<HostPort> hostPorts = new ArrayList<>();
    private final List<Long> hostMacs = new ArrayList<>();
    private final PfcFrameFlyweight pfc = new PfcFrameFlyweight();
    private boolean isHeld;
    private long nextRenewalNs;

    private NamespaceRing(final RingDemonstration ring, final ForwardingTables tables)
    {
        this.ring = ring;
        fabric = tables.fabric();
        addresses = new AddressPlan(fabric);
        config = new RingConfig(tables, BITS_PER_SECOND);
    }

    /** Starts routers with forwarding tables of the ring, and hosts that do not send yet. */
    static NamespaceRing open(final RingDemonstration ring, final ForwardingTables tables)
    {
        return AllOrNothing.open(new NamespaceRing(ring, tables), opened ->
        {
            opened.startRouters();
            opened.startHosts();
        });
    }

    private void startRouters()
    {
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            namespaces.add(Host.open(fabric.switchName(node)));
        }
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            final String name = fabric.serverName(server);
            hostNamespace.connect(name, namespaces.get(fabric.serverSwitch(server)), name, MTU);
        }
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            processes.add(RouterProcess.start(
                namespaces.get(node),
                config.of(node, server -> hostNamespace.macAddress(fabric.serverName(server))),
                PATIENCE,
                List.of("-XX:TieredStopAtLevel=1")));
        }
    }

    private void startHosts()
    {
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            final String name = fabric.serverName(server);
            final HostPort port = HostPort.openWithPauses(hostNamespace.namespaceFile(), name);
            hostPorts.add(port);
            hostMacs.add(MacAddress.parse(hostNamespace.macAddress(name)));
            hosts.add(new PausableSender(
                port.port(),
                port.pool(),
                new HostFrames(
                    MacAddress.parse(namespaces.get(fabric.serverSwitch(server)).macAddress(name)),
                    hostMacs.get(server), addresses.ofServer(server), FRAME_LENGTH),
                addresses.ofServer(ring.across(server)),
                BITS_PER_SECOND,
                true,
                frame ->
                {
                }));
        }
    }

    /**
     * Lets all hosts send while those at S0 pause it, like slow receivers; then ends the pause. Frames for these hosts
     * fill S0, and then the routers before it.
     */
    @Override
    void congest()
    {
        send(true);
        hold(true);
        run(HOLD_MS);
        hold(false);
    }

    private void hold(final boolean held)
    {
        isHeld = held;
        nextRenewalNs = System.nanoTime() + RENEWAL_NS;
        pause(held ? PauseQuanta.MAX : 0);
    }

    @Override
    void send(final boolean on)
    {
        hosts.forEach(host -> host.stream(PRIORITY, on ? RATE : 0));
    }

    @Override
    void run(final long millis)
    {
        final long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long nowNs = System.nanoTime();
        while (nowNs - end < 0)
        {
            int work = 0;
            for (final PausableSender host : hosts)
            {
                work += host.doWork(nowNs);
            }
            if (isHeld && nowNs - nextRenewalNs >= 0)
            {
                nextRenewalNs = nowNs + RENEWAL_NS;
                pause(PauseQuanta.MAX);
            }
            if (work == 0)
            {
                LockSupport.parkNanos(IDLE_NS);
            }
            nowNs = System.nanoTime();
        }
    }

    private void pause(final int quanta)
    {
        for (int server = 0; server < hostPorts.size() && fabric.serverSwitch(server) == 0; server++)
        {
            final HostPort host = hostPorts.get(server);
            final long chunk = host.pool().allocate();
            final long frame = chunk + FramePool.HEADROOM;
            pfc.wrap(frame).compose(hostMacs.get(server)).pause(PRIORITY, quanta);
            if (!host.port().txQueue(0).offer(chunk, frame, MacControl.FRAME_LENGTH))
            {
                host.pool().release(chunk);
            }
            host.port().txQueue(0).flush();
        }
    }

    @Override
    long dropped()
    {
        long dropped = 0;
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            dropped += query(node, "drops").path("dropped").asLong();
        }
        return dropped;
    }

    /**
     * Returns how many frames veth pairs and hosts lost, from the counters of the kernel and of the sockets: a veth
     * pair has no flow control, and a process may be suspended for longer than its rings last.
     */
    long lostOnTheWay()
    {
        long lost = interfaceDrops(hostNamespace);
        for (final HostPort host : hostPorts)
        {
            for (final PortCounter counter : PortCounter.values())
            {
                lost += host.port().deviceCounter(counter);
            }
        }
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            lost += interfaceDrops(namespaces.get(node));
            for (final JsonNode port : query(node, "ports").path("ports"))
            {
                lost += port.path("rxRingFull").asLong() + port.path("rxNoBuffer").asLong() +
                    port.path("rxDropped").asLong();
            }
        }
        return lost;
    }

    /** Sums columns 3 and 11 of /proc/net/dev after each name: dropped on receive, dropped on transmit. */
    private static long interfaceDrops(final Host host)
    {
        return host.run("cat", "/proc/net/dev").lines().filter(line -> line.contains(":"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip().split(" +"))
            .mapToLong(columns -> Long.parseLong(columns[3]) + Long.parseLong(columns[11])).sum();
    }

    @Override
    long[] stopped()
    {
        final long[] stopped = new long[fabric.channelCount()];
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            final JsonNode rows = query(node, "pfc").path("priorities");
            for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
            {
                for (final JsonNode row : rows)
                {
                    if (row.path("port").asText().equals(fabric.portName(channel)))
                    {
                        stopped[channel] = row.path("pausedRxNs").asLong();
                    }
                }
            }
        }
        return stopped;
    }

    private JsonNode query(final int node, final String what)
    {
        try (ControlClient client = ControlClient.connect(config.routerName(node)))
        {
            return client.ask(ControlProtocol.request(what));
        }
        catch (final IOException ex)
        {
            throw new UserException("router " + fabric.switchName(node) + " does not answer: " + ex.getMessage(), ex);
        }
    }

    @Override
    public void close()
    {
        for (final RouterProcess process : processes)
        {
            process.terminate();
            process.close();
        }
        hostPorts.forEach(HostPort::close);
        namespaces.forEach(Host::close);
        hostNamespace.close();
    }
}
