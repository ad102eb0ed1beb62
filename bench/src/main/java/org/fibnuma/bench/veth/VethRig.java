package org.fibnuma.bench.veth;

import org.fibnuma.bench.lab.RoutedHosts;
import org.fibnuma.bench.lab.Waiting;
import org.fibnuma.core.AllOrNothing;
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

/**
 * A generator at the left host and a sink at the right one. The next hop is a permanent neighbour of the router's
 * kernel. Its MAC address is not that of the sink's device, so that the sink counts each frame and drops it early, in
 * the kernel or in an XDP program; see {@link Sink}.
 */
final class VethRig implements AutoCloseable
{
    private static final String NEXT_HOP_MAC = "02:00:00:00:00:01";

    private static final int MTU = 1500;
    /** Network that is reserved for benchmarks, RFC 2544 appendix C.2.2. */
    private static final String DESTINATIONS = "198.18.0.0";
    private static final int DESTINATIONS_LENGTH = 15;
    /** Number of destinations, large enough that the lookups do not fit a first-level cache. */
    private static final int DESTINATION_COUNT = 1 << 16;
    private static final int SEED = 2544;

    private final RoutedHosts hosts = RoutedHosts.open(MTU);
    private final int generatorCore;
    private final VethBed bed;
    private final IpAddress[] destinations = destinations();
    private HostFrames frames;

    private VethRig(final int generatorCore, final int forwarderCore)
    {
        this.generatorCore = generatorCore;
        this.bed = new VethBed(hosts, forwarderCore, NEXT_HOP_MAC);
    }

    /**
     * Creates the hosts and the route to the destinations.
     *
     * @param generatorCore core that sends.
     * @param forwarderCore core that forwards.
     * @param frameSize     length of each frame in bytes, without FCS.
     */
    static VethRig open(final int generatorCore, final int forwarderCore, final int frameSize)
    {
        return AllOrNothing.open(new VethRig(generatorCore, forwarderCore), rig ->
        {
            final Host router = rig.hosts.router();
            rig.hosts.left().address(RoutedHosts.HOST_DEVICE, RoutedHosts.LEFT + "/24");
            router.run("ip", "neighbor", "replace", RoutedHosts.RIGHT, "lladdr", NEXT_HOP_MAC,
                "dev", RoutedHosts.RIGHT_DEVICE, "nud", "permanent");
            router.run("ip", "route", "add", DESTINATIONS + "/" + DESTINATIONS_LENGTH, "via", RoutedHosts.RIGHT);
            rig.frames = new HostFrames(
                MacAddress.parse(router.macAddress(RoutedHosts.LEFT_DEVICE)),
                MacAddress.parse(rig.hosts.left().macAddress(RoutedHosts.HOST_DEVICE)),
                Ipv4Address.parse(RoutedHosts.LEFT), frameSize);
        });
    }

    private static IpAddress[] destinations()
    {
        final Random random = new Random(SEED);
        final int network = Ipv4Address.parse(DESTINATIONS);
        return random.ints(DESTINATION_COUNT, 0, 1 << Integer.SIZE - DESTINATIONS_LENGTH)
            .mapToObj(host -> IpAddress.of(network | host)).toArray(IpAddress[]::new);
    }

    VethBed bed()
    {
        return bed;
    }

    /**
     * Sends frames for a while and counts the frames that arrive.
     *
     * @param dropping where the sink drops the frames.
     * @param warmUp   time before the measurement starts.
     * @param duration time of the measurement.
     */
    Measurement measure(final Sink dropping, final Duration warmUp, final Duration duration)
    {
        if (dropping == Sink.KERNEL)
        {
            return measure(warmUp, duration);
        }
        final Host host = hosts.right();
        final NamespaceAccess.Attachment early = NamespaceAccess.load().dropForeignFrames(
            host.namespaceFile(), RoutedHosts.HOST_DEVICE,
            MacAddress.parse(host.macAddress(RoutedHosts.HOST_DEVICE)));
        try (early)
        {
            return measure(warmUp, duration);
        }
    }

    private Measurement measure(final Duration warmUp, final Duration duration)
    {
        try (HostPort port = HostPort.open(hosts.left().namespaceFile(), RoutedHosts.HOST_DEVICE);
            TrafficGenerator generator = TrafficGenerator.start(
                new TrafficSender(port.port().txQueue(0), port.pool(), frames, destinations),
                Thread::onSpinWait, generatorCore))
        {
            Waiting.sleep(warmUp);
            final long start = System.nanoTime();
            final long arrived = hosts.right().receivedFrames(RoutedHosts.HOST_DEVICE);
            final long offered = generator.sent();
            Waiting.sleep(duration);
            final double microseconds = (System.nanoTime() - start) / 1e3;
            return new Measurement(
                (hosts.right().receivedFrames(RoutedHosts.HOST_DEVICE) - arrived) / microseconds,
                (generator.sent() - offered) / microseconds);
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
     * @param forwarded frames that arrived at the sink.
     * @param offered   frames that the generator sent.
     */
    record Measurement(double forwarded, double offered)
    {
    }
}
