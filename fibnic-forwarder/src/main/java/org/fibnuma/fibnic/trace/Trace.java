package org.fibnuma.fibnic.trace;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.fibnic.record.RecordRing;
import org.fibnuma.fibnic.record.RecordStream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** One trace: the traced frames of each worker, and the stream of their records to the client. */
public final class Trace extends RecordStream
{
    private final List<FrameTraces> traces = new ArrayList<>();

    /**
     * Allocates the memory.
     *
     * @param settings      what to trace.
     * @param workers       number of workers.
     * @param clock         of the workers.
     * @param epochOffsetNs time since 1970 minus the time of this clock, in ns.
     */
    public Trace(final TraceSettings settings, final int workers, final NanoClock clock, final long epochOffsetNs)
    {
        this(settings, Stream.generate(() -> new RecordRing(RecordRing.CAPACITY)).limit(workers).toList(), clock,
            epochOffsetNs);
    }

    Trace(
        final TraceSettings settings, final List<RecordRing> rings, final NanoClock clock, final long epochOffsetNs)
    {
        super(rings, settings.ports());
        final AtomicInteger remaining = new AtomicInteger(settings.count());
        for (int worker = 0; worker < rings.size(); worker++)
        {
            traces.add(new FrameTraces(settings, rings.get(worker), worker, remaining, clock, epochOffsetNs));
        }
    }

    /** Returns the traced frames of a worker, for its capture point. */
    public FrameTraces frames(final int worker)
    {
        return traces.get(worker);
    }

    @Override
    public void free()
    {
        super.free();
        traces.forEach(FrameTraces::free);
    }
}
