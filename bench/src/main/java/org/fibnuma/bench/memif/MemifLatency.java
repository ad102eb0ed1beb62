package org.fibnuma.bench.memif;

import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.lab.PinnedRun;
import org.fibnuma.bench.pipeline.LoadedRouter;
import org.fibnuma.bench.pipeline.TestTraffic;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A Fibnuma worker and a paced generator in this process, each on a core of its own, at the four ends of two memif
 * links: the generator sends on the left link and receives on the right one at a configurable rate. The latency of a
 * frame is from the time at which it was due to its receipt: it includes both copies by the driver on either side and
 * the generator's own work.
 */
public final class MemifLatency implements AutoCloseable
{
    private static final int CHUNK = 2368;
    private static final int CHUNKS = 16384;
    private static final int RING = 2048;
    private static final int FRAME_LENGTH = 60;
    private static final int SOURCE = 0x0A01_0002;
    private static final long PATIENCE_MS = 5000;
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(2);
    private static final double LATENCY_MPPS = 1;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double PART_OF_LIMIT = 0.9;

    private final MemifRig rig;
    private final int[] destinations;
    private final MemoryRegion routerRegion = MemoryRegion.ofChunks(CHUNKS, CHUNK);
    private final MemoryRegion hostRegion = MemoryRegion.ofChunks(CHUNKS, CHUNK);
    private final FramePool routerPool = new FramePool(routerRegion, CHUNK, 0, CHUNKS);
    private final FramePool hostPool = new FramePool(hostRegion, CHUNK, 0, CHUNKS);
    private final List<Port> ports = new ArrayList<>();
    private final StallLog routerStalls = new StallLog();
    private final StallLog hostStalls = new StallLog();
    private LoadedRouter router;
    private PacedHost host;

    private MemifLatency(final MemifRig rig, final int[] destinations)
    {
        this.rig = rig;
        this.destinations = destinations;
    }

    /**
     * Measures on threads of its own.
     *
     * @param rig          with unused links.
     * @param destinations of the frames, in the table.
     * @param duration     of each measurement.
     * @return the result.
     */
    public static MemifLatencyResult measure(final MemifRig rig, final int[] destinations, final Duration duration)
    {
        final MemifLatencyResult result = new MemifLatencyResult();
        PinnedRun.on(rig.generatorCore(), "memif-host", () ->
        {
            try (MemifLatency latency = new MemifLatency(rig, destinations))
            {
                latency.open();
                latency.run(result, duration.toNanos());
            }
        });
        return result;
    }

    private void open()
    {
        rig.removeSocket();
        final Port left = open(rig.device(0, true), 0, routerPool);
        final Port right = open(rig.device(1, true), 1, routerPool);
        final Port hostLeft = open(rig.device(0, MemifRig.clientNumber(0), false), 0, hostPool);
        final Port hostRight = open(rig.device(1, MemifRig.clientNumber(1), false), 1, hostPool);
        router = new LoadedRouter(
            DualStackTable.ofIpv4(rig.routes()), List.of(left, right), routerPool, MemifRig.ROUTER_MAC);
        // A client tries to connect to its server only once.
        ports.forEach(Port::start);
        final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (!ports.stream().allMatch(Port::linkUp))
        {
            if (System.nanoTime() > deadline)
            {
                throw new UserException("the ends of a memif link do not connect");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        host = new PacedHost(
            new TestTraffic(hostLeft.txQueue(0), hostPool, destinations, FRAME_LENGTH, MemifRig.NEXT_HOP_MAC,
                MemifRig.ROUTER_MAC, SOURCE),
            hostRight, hostPool, hostStalls);
    }

    private Port open(final String device, final int index, final FramePool pool)
    {
        final Port port = Ports.open(new PortRequest(
            device.substring(0, device.indexOf(',')), "dpdk:" + device, index, List.of(pool),
            new PortSettings(RING, RING, 0, 0, false)));
        ports.add(port);
        return port;
    }

    private void run(final MemifLatencyResult result, final long durationNs)
    {
        final LatencySamples samples =
            new LatencySamples((int)(2 * LATENCY_MPPS * Math.max(durationNs, WARM_UP_NS) / NANOS_PER_MICRO));
        withRouter(0, WARM_UP_NS, null);
        withRouter(NANOS_PER_MICRO / LATENCY_MPPS, WARM_UP_NS / 2, samples);
        result.limitIdleShare = withRouter(0, durationNs, null);
        result.limitMpps = rate();
        result.limitLost = host.sent() - host.received();
        result.reducedIdleShare = withRouter(NANOS_PER_MICRO / (PART_OF_LIMIT * result.limitMpps), durationNs, null);
        result.reducedMpps = rate();
        result.reducedSent = host.sent();
        result.reducedLost = host.sent() - host.received();
        samples.reset();
        withRouter(NANOS_PER_MICRO / LATENCY_MPPS, durationNs, samples);
        result.latencyMpps = rate();
        result.latencyLost = host.sent() - host.received();
        result.latencies = samples.all();
        result.undisturbed = samples.undisturbed(routerStalls, hostStalls);
        final double seconds = (double)host.elapsedNs() / TimeUnit.SECONDS.toNanos(1);
        result.stallsPerSecond = (routerStalls.count() + hostStalls.count()) / seconds;
        result.stalledShare = (double)(routerStalls.stalledNs() + hostStalls.stalledNs()) / (2 * host.elapsedNs());
    }

    private double rate()
    {
        return host.sent() * NANOS_PER_MICRO / host.elapsedNs();
    }

    private double withRouter(final double intervalNs, final long durationNs, final LatencySamples samples)
    {
        final RouterThread thread = RouterThread.start(router.agent(), rig.core(), routerStalls);
        try
        {
            host.run(intervalNs, durationNs, samples);
        }
        finally
        {
            thread.close();
        }
        return thread.idleShare();
    }

    @Override
    public void close()
    {
        if (router != null)
        {
            router.close();
        }
        for (int i = ports.size() - 1; i >= 0; i--)
        {
            ports.get(i).close();
        }
        routerRegion.close();
        hostRegion.close();
    }
}
