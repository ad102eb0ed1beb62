package org.fibnuma.bench.flows;

import org.fibnuma.bench.lab.RoutedHosts;
import org.fibnuma.bench.lab.Waiting;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
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
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/**
 * Two hosts and a router between them, with a stateful filter and masquerading if wanted, and UDP connections from the
 * left host to random addresses at the right one.
 */
final class FlowsRig implements AutoCloseable
{
    private static final int MTU = 1500;
    /** Network that is reserved for benchmarks, RFC 2544 appendix C.2.2. */
    private static final String DESTINATIONS = "198.18.0.0";
    private static final int DESTINATIONS_LENGTH = 15;
    private static final int SEED = 2544;
    private static final String SINK_MAC = "02:00:00:00:00:01";
    /** Frames are sent in bursts so that the sockets on the way do not overflow. */
    private static final int BURST = 32;
    private static final long BURST_INTERVAL_NS = 250_000;
    /** Passes over all connections until they are established. */
    private static final int MOST_PASSES = 40;
    /** The kernel makes an entry of UDP assured after 2 s. */
    private static final Duration UNTIL_ASSURED = Duration.ofMillis(2500);

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
        final Random random = new Random(SEED);
        final int network = Ipv4Address.parse(DESTINATIONS);
        this.destinations = random.ints(flows, 0, 1 << Integer.SIZE - DESTINATIONS_LENGTH)
            .mapToObj(host -> IpAddress.of(network | host)).toArray(IpAddress[]::new);
    }

    /**
     * Creates the hosts.
     *
     * @param generatorCore core that sends.
     * @param forwarderCore core that forwards.
     * @param flows         number of connections.
     * @param frameSize     length of each frame in bytes, without FCS.
     */
    static FlowsRig open(final int generatorCore, final int forwarderCore, final int flows, final int frameSize)
    {
        return AllOrNothing.open(new FlowsRig(generatorCore, forwarderCore, flows, frameSize), rig ->
        {
            rig.hosts.left().address(RoutedHosts.HOST_DEVICE, RoutedHosts.LEFT + "/24");
            rig.hosts.router().run("ip", "route", "add", DESTINATIONS + "/" + DESTINATIONS_LENGTH, "via",
                RoutedHosts.RIGHT);
            rig.hosts.router().run("ip", "neighbor", "replace", RoutedHosts.LEFT, "lladdr",
                rig.hosts.left().macAddress(RoutedHosts.HOST_DEVICE), "dev", RoutedHosts.LEFT_DEVICE,
                "nud", "permanent");
            rig.frames = new HostFrames(
                MacAddress.parse(rig.hosts.router().macAddress(RoutedHosts.LEFT_DEVICE)),
                MacAddress.parse(rig.hosts.left().macAddress(RoutedHosts.HOST_DEVICE)),
                Ipv4Address.parse(RoutedHosts.LEFT), frameSize);
        });
    }

    RoutedHosts hosts()
    {
        return hosts;
    }

    int forwarderCore()
    {
        return forwarderCore;
    }

    int flows()
    {
        return destinations.length;
    }

    /** Returns the number of connections that the kernel of the router's host tracks. */
    int tracked()
    {
        return Integer.parseInt(
            hosts.router().run("sysctl", "-n", "net.netfilter.nf_conntrack_count").strip());
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
            sendAll(sender);
            sendAll(sender);
            Waiting.sleep(UNTIL_ASSURED);
            final long startNs = System.nanoTime();
            for (int pass = 0; pass < MOST_PASSES; pass++)
            {
                sendAll(sender);
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

    private void sendAll(final TrafficSender sender)
    {
        int left = destinations.length;
        long nextNs = System.nanoTime();
        while (left > 0)
        {
            left -= sender.send(Math.min(BURST, left));
            nextNs += BURST_INTERVAL_NS;
            while (System.nanoTime() - nextNs < 0)
            {
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
            final long arrived = right.receivedFrames(RoutedHosts.HOST_DEVICE);
            Waiting.sleep(duration);
            final double microseconds = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNs);
            return new Measurement((right.receivedFrames(RoutedHosts.HOST_DEVICE) - arrived) / microseconds,
                (generator.sent() - sent) / microseconds);
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
