package org.fibnuma.bench.pipeline;

import org.agrona.concurrent.SystemNanoClock;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.fibnic.capture.Capture;
import org.fibnuma.fibnic.capture.CaptureSettings;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.datapath.ForwarderAgent;
import org.fibnuma.fibnic.record.RecordReceiver;
import org.fibnuma.fibnic.record.RecordStream;
import org.fibnuma.fibnic.trace.Trace;
import org.fibnuma.fibnic.trace.TraceSettings;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the time that a capture and a trace add to each IPv4 frame. Time slices of each {@link Use} alternate with
 * slices of the others. Only the worker is timed. The records are read between its duty cycles on the same thread, so
 * that the times lack what a reader on another core costs the worker.
 */
final class PipelineRecords implements PipelineMeasurement
{
    private static final TestFrameKind[] WARM_UP = TrafficMix.withOneIn(100, TestFrameKind.EXPIRED).sequence();
    private static final TestFrameKind[] ORDINARY = {TestFrameKind.IPV4};
    private static final int DECIMALS = 3;
    /** With two records of each frame, more than fit into a ring of 4 MiB. */
    private static final int CYCLES_TO_FILL = 1000;
    /** For Ethernet, IPv4 and UDP headers. */
    private static final int SNAP_LENGTH = 64;
    /** Both ports of the rig. */
    private static final long PORTS = 3;
    private static final Map<Integer, String> PORT_NAMES = Map.of(0, "left", 1, "right");
    /** UDP to port 53, as tcpdump compiles it for IPv4 without options; the traffic has another port. */
    private static final String TO_PORT_53 =
        "40 0 0 12,21 0 5 2048,48 0 0 23,21 0 3 17,40 0 0 36,21 0 1 53,6 0 0 262144,6 0 0 0";

    /** What the capture point of the worker is used for. */
    private enum Use
    {
        OFF("off", "no capture and no trace"),
        CAPTURE("capture", "a capture of every frame, received and sent"),
        CAPTURE_HEADERS("captureHeaders", "the same with --snaplen 64"),
        CAPTURE_LOST("captureLost", "the same of whole frames, with rings that are not read"),
        CAPTURE_NONE("captureNone", "a capture with a filter that accepts no frame"),
        TRACE("trace", "a trace of every frame"),
        TRACE_NONE("traceNone", "a trace with a filter that accepts no frame");

        private final String key;
        private final String text;

        Use(final String key, final String text)
        {
            this.key = key;
            this.text = text;
        }
    }

    private final PipelineRig rig;
    private final CapturePoint point;
    private final ForwarderAgent router;
    private final TestTraffic traffic;
    private final TimedCycle cycle;
    private final int frameSize;
    private final ByteBuffer room = ByteBuffer.allocateDirect(2 * RecordStream.MIN_ROOM);
    private Rounds<Use> times = new Rounds<>();
    private final Map<Use, Long> kept = new EnumMap<>(Use.class);
    private final Map<Use, Long> lost = new EnumMap<>(Use.class);
    private RecordStream stream;
    private Records records;
    private int next;

    PipelineRecords(final PipelineRig rig, final int frameLength, final int frameSize)
    {
        this.rig = rig;
        this.frameSize = frameSize;
        point = rig.capturePoint();
        router = rig.router();
        traffic = rig.traffic(frameLength);
        cycle = new TimedCycle(rig);
    }

    @Override
    public void measure(final long warmUpNs, final long durationNs)
    {
        for (final TestFrameKind[] kinds : List.of(WARM_UP, ORDINARY))
        {
            for (final Use use : Use.values())
            {
                slice(use, kinds, warmUpNs);
            }
        }
        kept.clear();
        lost.clear();
        times = TimedCycle.inTurn(
            List.of(Use.values()), durationNs, use -> slice(use, ORDINARY, TimedCycle.SLICE_NS));
    }

    /** Runs for some time, with at least one batch, and returns the time of a frame in ns. */
    private double slice(final Use use, final TestFrameKind[] kinds, final long durationNs)
    {
        begin(use);
        long busyNs = 0;
        long frames = 0;
        int traced = 0;
        final long end = System.nanoTime() + durationNs;
        do
        {
            if (use == Use.TRACE && traced + TimedCycle.BATCH > TraceSettings.MAX_COUNT)
            {
                end(use);
                begin(use);
                traced = 0;
            }
            busyNs += cycle(kinds);
            frames += TimedCycle.BATCH;
            traced += TimedCycle.BATCH;
            if (stream != null && use != Use.CAPTURE_LOST)
            {
                drain();
            }
        }
        while (System.nanoTime() - end < 0);
        end(use);
        return (double)busyNs / frames;
    }

    /** Returns the time of a duty cycle with a batch in ns. */
    private long cycle(final TestFrameKind[] kinds)
    {
        return cycle.run(() ->
        {
            traffic.offer(0, kinds[next % kinds.length]);
            next = (next + 1) % kinds.length;
        });
    }

    private void begin(final Use use)
    {
        records = new Records();
        switch (use)
        {
            case OFF -> stream = null;
            case TRACE -> trace(null);
            case TRACE_NONE -> trace(FilterProgram.parse(TO_PORT_53));
            case CAPTURE_NONE -> capture(CaptureSettings.MAX_SNAP_LENGTH, FilterProgram.parse(TO_PORT_53));
            case CAPTURE_HEADERS -> capture(SNAP_LENGTH, null);
            default -> capture(CaptureSettings.MAX_SNAP_LENGTH, null);
        }
        // The worker uses the capture point from its next duty cycle on.
        router.doWork();
        for (int i = 0; use == Use.CAPTURE_LOST && i < CYCLES_TO_FILL; i++)
        {
            cycle(ORDINARY);
        }
    }

    private void trace(final FilterProgram filter)
    {
        final Trace trace = new Trace(
            new TraceSettings(PORTS, TraceSettings.MAX_COUNT, filter), 1, SystemNanoClock.INSTANCE, 0);
        point.traceTo(trace.frames(0));
        stream = trace;
    }

    private void capture(final int snapLength, final FilterProgram filter)
    {
        final Capture capture = new Capture(
            new CaptureSettings(PORTS, PORTS, PORTS, snapLength, filter), 1, SystemNanoClock.INSTANCE, 0);
        point.captureTo(capture.ring(0));
        stream = capture;
    }

    private void end(final Use use)
    {
        point.captureTo(null);
        point.traceTo(null);
        router.doWork();
        if (stream != null)
        {
            stream.finish();
            while (drain())
            {
                continue;
            }
            stream.free();
            stream = null;
            kept.merge(use, records.count, Long::sum);
            lost.merge(use, records.lostOfAll(), Long::sum);
        }
    }

    private boolean drain()
    {
        final boolean more = stream.drain(room.clear());
        try
        {
            records.receive(room.flip());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return more;
    }

    /**
     * Returns whether every record was kept where it was read, some were lost where it was not, and every frame has one
     * counted disposition.
     */
    @Override
    public boolean isComplete()
    {
        return rig.fates().isBalanced() && lost.entrySet().stream()
            .allMatch(entry -> entry.getKey() == Use.CAPTURE_LOST == entry.getValue() > 0);
    }

    @Override
    public Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("frameSize", frameSize);
        final Map<String, Object> nsPerPacket = new LinkedHashMap<>();
        final Map<String, Object> added = new LinkedHashMap<>();
        final Map<String, Object> counts = new LinkedHashMap<>();
        for (final Use use : Use.values())
        {
            nsPerPacket.put(use.key, rounded(median(use)));
            if (use != Use.OFF)
            {
                added.put(use.key, rounded(median(use) - median(Use.OFF)));
                counts.put(use.key, Map.of("kept", kept.get(use), "lost", lost.get(use)));
            }
        }
        map.put("nsPerPacket", nsPerPacket);
        map.put("addedNsPerPacket", added);
        map.put("records", counts);
        map.put("slices", times.of(Use.OFF).size());
        map.put("dropped", rig.fates().dropped());
        map.put("fateBalanced", rig.fates().isBalanced());
        return map;
    }

    @Override
    public void print(final PrintWriter out)
    {
        for (final Use use : Use.values())
        {
            out.printf("%8.2f ns a packet%s  %s%n", median(use), use == Use.OFF ? "                " :
                String.format("  %+12.2f", median(use) - median(Use.OFF)), use.text);
        }
        out.printf("frames of %d bytes, medians of %d slices of each in turn%n", frameSize, times.of(Use.OFF).size());
    }

    private double median(final Use use)
    {
        return times.median(use);
    }

    private static double rounded(final double value)
    {
        return Rounds.rounded(value, DECIMALS);
    }

    /** Counts records. */
    private static final class Records extends RecordReceiver
    {
        private long count;

        Records()
        {
            super(PORT_NAMES);
        }

        @Override
        protected void onRecord(final int kind, final ByteBuffer body)
        {
            count++;
        }
    }
}
