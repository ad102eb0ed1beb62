package org.fibnuma.fibnic.capture;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.fibnic.record.RecordRing;
import org.fibnuma.fibnic.record.RecordStream;

import java.util.List;
import java.util.stream.IntStream;

/** One capture: a ring for each worker, and the stream of messages with their records. */
public final class Capture extends RecordStream
{
    private final List<CaptureRing> rings;

    /**
     * Allocates the rings.
     *
     * @param workers       number of workers.
     * @param clock         of the workers.
     * @param epochOffsetNs from its time to the time since 1970, in ns.
     */
    public Capture(
        final CaptureSettings settings, final int workers, final NanoClock clock, final long epochOffsetNs)
    {
        this(settings, IntStream.range(0, workers)
            .mapToObj(worker ->
                new CaptureRing(settings, new RecordRing(RecordRing.CAPACITY), clock, epochOffsetNs))
            .toList());
    }

    private Capture(final CaptureSettings settings, final List<CaptureRing> rings)
    {
        super(rings.stream().map(CaptureRing::records).toList(), settings.ports());
        this.rings = rings;
    }

    /** Returns the ring of a worker, for its capture point. */
    public CaptureRing ring(final int worker)
    {
        return rings.get(worker);
    }
}
