package org.fibnuma.bench.veth;

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

/**
 * Source, router and sink on two veth pairs. The next hop is a permanent neighbour of the router's kernel. Its MAC
 * address is not that of the sink's device, so that the sink counts each frame and drops it early, in the kernel or in
 * an XDP program; see {@link Sink}.
 */
final class VethRig implements AutoCloseable
{
    static final String INGRESS = "r0";
    static final String EGRESS = "r1";
    static final String NEXT_HOP_MAC = "02:00:00:00:00:01";

    private static final String SOURCE_DEVICE = "a0";
    private static final String SINK_DEVICE = "b0";
    private static final String SOURCE = "10.0.0.2";
    private static final String NEXT_HOP = "10.0.1.2";
    private static final int MTU = 1500;
    /** Network that is reserved for benchmarks, RFC 2544 appendix C.2.2. */
    private static final String DESTINATIONS = "198.18.0.0";
    private static final int DESTINATIONS_LENGTH = 15;
    /** Number of destinations, large enough that the lookups do not fit a first-level cache. */
    private static final int DESTINATION_COUNT = 1 << 16;
    private static final int SEED = 2544;

    private final Host source = Host.open("source");
    private final Host router = Host.open("router");
    private final Host sink = Host.open("sink");
    private final int generatorCore;
    private final int forwarderCore;
    private final IpAddress[] destinations = destinations();
    private final HostFrames frames;

    private VethRig(final int generatorCore, final int forwarderCore, final int frameSize)
    {
        this.generatorCore = generatorCore;
        this.forwarderCore = forwarderCore;
        try
        {
            connect();
            this.frames = new HostFrames(
                MacAddress.parse(router.macAddress(INGRESS)), MacAddress.parse(source.macAddress(SOURCE_DEVICE)),
                Ipv4Address.parse(SOURCE), frameSize);
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    static VethRig open(final int generatorCore, final int forwarderCore, final int frameSize)
    {
        return new VethRig(generatorCore, forwarderCore, frameSize);
    }

    private void connect()
    {
        source.connect(SOURCE_DEVICE, router, INGRESS, MTU);
        router.connect(EGRESS, sink, SINK_DEVICE, MTU);
        source.address(SOURCE_DEVICE, SOURCE + "/24");
        router.address(INGRESS, "10.0.0.1/24");
        router.address(EGRESS, "10.0.1.1/24");
        router.run("ip", "neighbor", "replace", NEXT_HOP, "lladdr", NEXT_HOP_MAC, "dev", EGRESS, "nud", "permanent");
        router.run("ip", "route", "add", DESTINATIONS + "/" + DESTINATIONS_LENGTH, "via", NEXT_HOP);
    }

    private static IpAddress[] destinations()
    {
        final Random random = new Random(SEED);
        final int network = Ipv4Address.parse(DESTINATIONS);
        return random.ints(DESTINATION_COUNT, 0, 1 << Integer.SIZE - DESTINATIONS_LENGTH)
            .mapToObj(host -> IpAddress.of(network | host)).toArray(IpAddress[]::new);
    }

    Host router()
    {
        return router;
    }

    int forwarderCore()
    {
        return forwarderCore;
    }

    /**
     * Turns the kernel's forwarding on or off. It is off while testpmd runs, so that only testpmd can have forwarded
     * what arrives, and on for the router, which forwards only where the kernel would.
     */
    void kernelForwarding(final boolean on)
    {
        router.sysctl("ipv4.ip_forward", on ? "1" : "0");
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
        final NamespaceAccess.Attachment early = NamespaceAccess.load().dropForeignFrames(
            sink.namespaceFile(), SINK_DEVICE, MacAddress.parse(sink.macAddress(SINK_DEVICE)));
        try (early)
        {
            return measure(warmUp, duration);
        }
    }

    private Measurement measure(final Duration warmUp, final Duration duration)
    {
        try (HostPort port = HostPort.open(source.namespaceFile(), SOURCE_DEVICE);
            TrafficGenerator generator = TrafficGenerator.start(
                new TrafficSender(port.port().txQueue(0), port.pool(), frames, destinations),
                Thread::onSpinWait, generatorCore))
        {
            Thread.sleep(warmUp.toMillis());
            final long start = System.nanoTime();
            final long arrived = sink.receivedFrames(SINK_DEVICE);
            final long offered = generator.sent();
            Thread.sleep(duration.toMillis());
            final double microseconds = (System.nanoTime() - start) / 1e3;
            return new Measurement(
                (sink.receivedFrames(SINK_DEVICE) - arrived) / microseconds,
                (generator.sent() - offered) / microseconds);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new UserException("interrupted", ex);
        }
    }

    @Override
    public void close()
    {
        sink.close();
        router.close();
        source.close();
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
