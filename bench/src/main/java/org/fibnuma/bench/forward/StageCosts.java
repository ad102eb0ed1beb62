package org.fibnuma.bench.forward;

import org.fibnuma.bench.lab.Families;
import org.fibnuma.bench.lab.PinnedRun;
import org.fibnuma.bench.pipeline.LoadedRouter;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.fibnic.datapath.ForwarderAgent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures the parts of the time of a packet with a worker in this process between the same devices. Its ports read the
 * clock on entry and exit, once a batch; the time outside the ports is the router's. The time of the clock readings is
 * subtracted.
 */
final class StageCosts
{
    /** Distance of two frames in bytes, as the router lays them out for DPDK. */
    private static final int CHUNK = 2368;
    private static final int SPARE_FRAMES = 16384;
    private static final int TX_RING = 2048;
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final int CYCLES_BETWEEN_LOOKS = 1000;
    private static final int CLOCK_READINGS = 1_000_000;
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final double MEGA = 1e6;
    private static final double NANOS = 1e9;

    private final ForwardRig rig;
    private final Families kind;
    private final Map<String, Double> cycles = new LinkedHashMap<>();

    private StageCosts(final ForwardRig rig, final Families kind)
    {
        this.rig = rig;
        this.kind = kind;
    }

    /**
     * Measures on a new thread that is pinned to the rig's core.
     *
     * @param rig      rig whose devices are not in use.
     * @param kind     capture that the frames come from.
     * @param duration time of the measurement after a warm-up.
     * @return cycles of the time stamp counter per packet, by stage.
     */
    static Map<String, Double> measure(
        final ForwardRig rig, final Families kind, final Duration duration)
    {
        final StageCosts costs = new StageCosts(rig, kind);
        PinnedRun.on(rig.core(), "stages", () -> costs.run(duration));
        return costs.cycles;
    }

    private void run(final Duration duration)
    {
        final int frames = 2 * rig.frames() + SPARE_FRAMES;
        try (MemoryRegion region = MemoryRegion.ofChunks(frames, CHUNK))
        {
            final FramePool pool = new FramePool(region, CHUNK, 0, frames);
            try (TimedPort in = open("in", rig.replay(kind).source(), 0, pool);
                TimedPort out = open("out", ForwardRig.SINK, 1, pool);
                LoadedRouter router =
                    new LoadedRouter(rig.table(), List.of(in, out), pool, ForwardRig.ROUTER_MAC))
            {
                in.start();
                out.start();
                work(router.agent(), WARM_UP);
                final List<TimedPort.Usage> usages =
                    List.of(in.receiving(), in.sending(), out.receiving(), out.sending());
                usages.forEach(TimedPort.Usage::reset);
                final double clock = clockNanos();
                final long nanos = work(router.agent(), duration);
                account(usages, nanos, clock);
            }
        }
    }

    private TimedPort open(final String name, final String device, final int index, final FramePool pool)
    {
        final PortSettings settings = new PortSettings(rig.frames(), TX_RING, 0, 0, false);
        final Port port = Ports.open(new PortRequest(name, "dpdk:" + device, index, List.of(pool), settings));
        return new TimedPort(port);
    }

    private static long work(final ForwarderAgent agent, final Duration duration)
    {
        final long start = System.nanoTime();
        long elapsed = 0;
        while (elapsed < duration.toNanos())
        {
            for (int i = 0; i < CYCLES_BETWEEN_LOOKS; i++)
            {
                agent.doWork();
            }
            elapsed = System.nanoTime() - start;
        }
        return elapsed;
    }

    private void account(final List<TimedPort.Usage> usages, final long nanos, final double clock)
    {
        final long frames = usages.get(0).frames();
        final double perPacket = gigahertz() / frames;
        double inside = 0;
        long calls = 0;
        for (final TimedPort.Usage usage : usages)
        {
            // Each measured call contains the time of one clock reading; that of the second reading is outside.
            inside += usage.nanos() - usage.calls() * clock;
            calls += usage.calls();
        }
        final double receiving = usages.get(0).nanos() - usages.get(0).calls() * clock;
        final double all = nanos - 2 * calls * clock;
        cycles.put("receive", receiving * perPacket);
        cycles.put("router", (all - inside) * perPacket);
        cycles.put("transmit", (inside - receiving) * perPacket);
        cycles.put("all", all * perPacket);
    }

    private static double clockNanos()
    {
        final long start = System.nanoTime();
        long last = start;
        for (int i = 0; i < CLOCK_READINGS; i++)
        {
            last = System.nanoTime();
        }
        return (double)(last - start) / CLOCK_READINGS;
    }

    private static double gigahertz()
    {
        try (Stream<String> lines = Files.lines(PROCESSORS))
        {
            return lines.filter(line -> line.startsWith("cpu MHz")).findFirst()
                .map(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)) * MEGA / NANOS)
                .orElseThrow(() -> new UserException("no clock rate in " + PROCESSORS));
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot read " + PROCESSORS, ex);
        }
    }
}
