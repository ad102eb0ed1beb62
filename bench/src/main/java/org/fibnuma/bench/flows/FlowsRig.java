package org.fibnuma.bench.flows;

import org.fibnuma.bench.lab.RoutedHosts;
import org.fibnuma.bench.lab.Waiting;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.NamespaceAccess;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.traffic.TrafficGenerator;
import org.fibnuma.core.traffic.TrafficSender;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Two hosts and a router between them, with a stateful filter and masquerading if wanted, and UDP connections from the
 * left host to scattered addresses at the right one.
 */
final class FlowsRig implements AutoCloseable
{
    private static final int MTU = 1500;
    /** Network that is reserved for benchmarks, RFC 2544 appendix C.2.2. */
    private static final String DESTINATIONS = "198.18.0.0";
    private static final int DESTINATIONS_LENGTH = 15;
    static final String ROUTE = DESTINATIONS + "/" + DESTINATIONS_LENGTH;
    /** Odd, so that the addresses are a permutation (Knuth's multiplicative hash). */
    private static final int SCATTER = 0x9E37_79B1;
    private static final String MOST_CONNECTIONS = "net.netfilter.nf_conntrack_max";
    private static final String SINK_MAC = "02:00:00:00:00:01";
    private static final int BURST = 32;
    /** Most frames on the way to the right host: half of the queue of a veth device with an XDP program. */
    private static final int WINDOW = 128;
    /** After this time without an arrival the frames on the way are lost. */
    private static final long LOST_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Passes over all connections until they are established. */
    private static final int MOST_PASSES = 40;
    /** The kernel makes an entry of UDP assured after 2 s. */
    private static final Duration UNTIL_ASSURED = Duration.ofMillis(2500);
    private static final Duration UNTIL_STEADY = Duration.ofMillis(300);
    private static final int MOST_STEADY_WAITS = 100;
    /** After this time without a frame the last one has passed. */
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long CHANGE_NS = TimeUnit.SECONDS.toNanos(30);
    /** Between bursts. */
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final RoutedHosts hosts = RoutedHosts.open(MTU);
    private final int generatorCore;
    private final int forwarderCore;
    private final IpAddress[] destinations;
    private final int frameSize;
    private HostFrames frames;

    private FlowsRig(final int generatorCore, final int forwarderCore, final int flows, final int frameSize)
    {
        this.generatorCore = generatorCore;
        this.forwarderCore = forwarderCore;
        this.frameSize = frameSize;
        final int network = Ipv4Address.parse(DESTINATIONS);
        final int addressBits = Integer.SIZE - DESTINATIONS_LENGTH;
        // The source port is that of the connection's low bits: each pair of port and address occurs once.
        this.destinations = IntStream.range(0, flows)
            .map(i -> i * SCATTER + (i >>> addressBits) & (1 << addressBits) - 1)
            .mapToObj(host -> IpAddress.of(network | host)).toArray(IpAddress[]::new);
    }

    /**
     * Creates the hosts.
     *
     * @param generatorCore core that sends.
     * @param forwarderCore core that forwards.
     * @param flows         number of connections.
     * @param frameSize     length of each frame in bytes, without FCS.
     * @throws UserException if the kernel does not track that many connections.
     */
    static FlowsRig open(final int generatorCore, final int forwarderCore, final int flows, final int frameSize)
    {
        return AllOrNothing.open(new FlowsRig(generatorCore, forwarderCore, flows, frameSize), rig ->
        {
            // A filter loads connection tracking, without which there is no limit to read.
            rig.hosts.filter(true);
            final int most = rig.sysctl(MOST_CONNECTIONS);
            if (flows > most)
            {
                throw new UserException("the kernel tracks at most " + most + " connections; for " + flows +
                    " run: sysctl -w " + MOST_CONNECTIONS + "=" + 2 * flows);
            }
            rig.hosts.left().address(RoutedHosts.HOST_DEVICE, RoutedHosts.LEFT + "/24");
            rig.addRoute();
            rig.hosts.router().run("ip", "neighbor", "replace", RoutedHosts.LEFT, "lladdr",
                rig.hosts.left().macAddress(RoutedHosts.HOST_DEVICE), "dev", RoutedHosts.LEFT_DEVICE,
                "nud", "permanent");
            rig.frames = new HostFrames(
                MacAddress.parse(rig.hosts.router().macAddress(RoutedHosts.LEFT_DEVICE)),
                MacAddress.parse(rig.hosts.left().macAddress(RoutedHosts.HOST_DEVICE)),
                Ipv4Address.parse(RoutedHosts.LEFT), frameSize);
        });
    }

    /** Routes the destinations to the right host. */
    void addRoute()
    {
        hosts.router().run("ip", "route", "add", ROUTE, "via", RoutedHosts.RIGHT);
    }

    RoutedHosts hosts()
    {
        return hosts;
    }

    int forwarderCore()
    {
        return forwarderCore;
    }

    /** Returns the address to which the first connection goes, and with few connections no other one. */
    String firstDestination()
    {
        return destinations[0].toString();
    }

    int flows()
    {
        return destinations.length;
    }

    /** Returns the number of connections that the kernel of the router's host tracks. */
    int tracked()
    {
        return sysctl("net.netfilter.nf_conntrack_count");
    }

    /** Returns the number of connections that are in a flowtable of that kernel. */
    int offloaded()
    {
        return Integer.parseInt(hosts.router().run(
            "sh", "-c", "conntrack -L 2>/dev/null | grep -c OFFLOAD | cat").strip());
    }

    /** Returns the number of frames that have arrived at the right host. */
    long arrived()
    {
        return hosts.right().receivedFrames(RoutedHosts.HOST_DEVICE);
    }

    private int sysctl(final String name)
    {
        return Integer.parseInt(hosts.router().run("sysctl", "-n", name).strip());
    }

    /**
     * Sends packets of all connections in both directions until they are established.
     *
     * @param established returns how many are.
     * @return seconds from the first packet that could establish the last connection until all are.
     */
    double establish(final IntSupplier established)
    {
        setRightMac(hosts.right().macAddress(RoutedHosts.HOST_DEVICE));
        final Reflector right = Reflector.start(hosts.right().namespaceFile(), RoutedHosts.HOST_DEVICE,
            hosts.router().macAddress(RoutedHosts.RIGHT_DEVICE), hosts.right().macAddress(RoutedHosts.HOST_DEVICE));
        try (right; HostPort left = HostPort.open(hosts.left().namespaceFile(), RoutedHosts.HOST_DEVICE))
        {
            final TrafficSender sender = new TrafficSender(left.port().txQueue(0), left.pool(), frames, destinations);
            sendAll(left, sender, right);
            sendAll(left, sender, right);
            // A router answers its first request later.
            established.getAsInt();
            Waiting.sleep(UNTIL_ASSURED);
            final long startNs = System.nanoTime();
            for (int pass = 0; pass < MOST_PASSES; pass++)
            {
                sendAll(left, sender, right);
                for (int i = 0; i < 20 && established.getAsInt() < destinations.length; i++)
                {
                    Waiting.sleep(Duration.ofMillis(50));
                }
                if (established.getAsInt() >= destinations.length)
                {
                    return (System.nanoTime() - startNs) / 1e9;
                }
            }
            throw new UserException("only " + established.getAsInt() + " of " + destinations.length +
                " connections were established");
        }
    }

    /** Sends a frame of each connection, not faster than they arrive, until all have arrived or are lost. */
    private void sendAll(final HostPort left, final TrafficSender sender, final Reflector right)
    {
        int sent = 0;
        long arrivedOrLost = 0;
        long arrived = right.arrived();
        long arrivalNs = System.nanoTime();
        while (arrivedOrLost < destinations.length)
        {
            final long now = right.arrived();
            if (now != arrived)
            {
                arrivedOrLost += now - arrived;
                arrived = now;
                arrivalNs = System.nanoTime();
            }
            else if (System.nanoTime() - arrivalNs > LOST_NS)
            {
                arrivedOrLost = sent;
                arrivalNs = System.nanoTime();
            }
            final int most = Math.min(destinations.length - sent, (int)(WINDOW - (sent - arrivedOrLost)));
            if (most > 0)
            {
                sent += sender.send(Math.min(BURST, most));
            }
            else
            {
                // Sends what the queue holds back while it is filled in bursts.
                left.port().txQueue(0).flush();
                LockSupport.parkNanos(1);
            }
        }
    }

    private void setRightMac(final String macAddress)
    {
        hosts.router().run("ip", "neighbor", "replace", RoutedHosts.RIGHT, "lladdr", macAddress,
            "dev", RoutedHosts.RIGHT_DEVICE, "nud", "permanent");
    }

    /** Sends for a while and counts the frames that arrive. */
    Measurement measure(final Duration warmUp, final Duration duration)
    {
        setRightMac(SINK_MAC);
        final Host right = hosts.right();
        final NamespaceAccess.Attachment sink = NamespaceAccess.load().dropForeignFrames(
            right.namespaceFile(), RoutedHosts.HOST_DEVICE,
            MacAddress.parse(right.macAddress(RoutedHosts.HOST_DEVICE)));
        try (sink;
            HostPort port = HostPort.open(hosts.left().namespaceFile(), RoutedHosts.HOST_DEVICE);
            TrafficGenerator generator = TrafficGenerator.start(
                new TrafficSender(port.port().txQueue(0), port.pool(), frames, destinations),
                Thread::onSpinWait, generatorCore))
        {
            Waiting.sleep(warmUp);
            final long startNs = System.nanoTime();
            final long sent = generator.sent();
            final long arrived = arrived();
            Waiting.sleep(duration);
            final double microseconds = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNs);
            return new Measurement((arrived() - arrived) / microseconds,
                (generator.sent() - sent) / microseconds);
        }
    }

    /**
     * Sends packets of flows at a rate that leaves time for other programs, and runs one on the router's host that
     * makes frames end.
     *
     * @param connections that have packets, the first ones.
     * @param frames      counts the frames of flows.
     * @param change      the program and its arguments.
     * @return milliseconds from the end of the program to the last frame, 0 if that was before.
     * @throws UserException if there are no frames before, or still frames after some time.
     */
    double millisToLastFrame(final int connections, final LongSupplier frames, final String... change)
    {
        try (HostPort port = HostPort.open(hosts.left().namespaceFile(), RoutedHosts.HOST_DEVICE);
            ChildProcess program = hosts.router().start("sh", "-c", "read line; exec " + String.join(" ", change));
            TrafficGenerator generator = TrafficGenerator.start(
                new TrafficSender(port.port().txQueue(0), port.pool(), this.frames,
                    Arrays.copyOf(destinations, connections)),
                () -> LockSupport.parkNanos(PAUSE_NS), generatorCore))
        {
            final long before = frames.getAsLong();
            int waits = 0;
            do
            {
                Waiting.sleep(UNTIL_STEADY);
            }
            while (frames.getAsLong() == before && ++waits < MOST_STEADY_WAITS);
            if (frames.getAsLong() == before)
            {
                throw new UserException("no frames of flows before: " + String.join(" ", change));
            }
            final long startNs = System.nanoTime();
            program.send("");
            long endNs = startNs;
            long last = frames.getAsLong();
            long lastNs = startNs;
            while (program.isAlive() || System.nanoTime() - lastNs < QUIET_NS)
            {
                endNs = program.isAlive() ? System.nanoTime() : endNs;
                final long now = frames.getAsLong();
                if (now != last)
                {
                    last = now;
                    lastNs = System.nanoTime();
                }
                if (lastNs - endNs > CHANGE_NS)
                {
                    throw new UserException(generator.sent() + " frames were sent, and flows do not end after: " +
                        String.join(" ", change));
                }
                LockSupport.parkNanos(1);
            }
            return Math.max(0, lastNs - endNs) / (double)TimeUnit.MILLISECONDS.toNanos(1);
        }
    }

    @Override
    public void close()
    {
        hosts.close();
    }

    /**
     * Rates in millions of frames a second.
     *
     * @param forwarded frames that arrived at the right host.
     * @param offered   frames that the generator sent.
     */
    record Measurement(double forwarded, double offered)
    {
    }
}
