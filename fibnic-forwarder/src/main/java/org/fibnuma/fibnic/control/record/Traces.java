package org.fibnuma.fibnic.control.record;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.concurrent.SystemNanoClock;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.trace.Trace;
import org.fibnuma.fibnic.trace.TraceSettings;

/**
 * Starts and ends the traces of a router, one at a time; a capture may run at the same time. A request has
 * {@code ports} (absent for all), {@code count} and {@code filter} (absent for none). Control thread.
 */
public final class Traces extends RecordSession
{
    private final CapturePoints points;

    /** Takes the capture points of the workers. */
    public Traces(final CapturePoints points)
    {
        super("trace", points);
        this.points = points;
    }

    @Override
    Opened open(final JsonNode request)
    {
        final TraceSettings settings = settings(request);
        final Trace trace =
            new Trace(settings, points.workers(), SystemNanoClock.INSTANCE, points.epochOffsetNs());
        return new Opened(trace, settings.ports(), (point, worker) -> point.traceTo(trace.frames(worker)));
    }

    @Override
    void switchOff(final CapturePoint point)
    {
        point.traceTo(null);
    }

    private TraceSettings settings(final JsonNode request)
    {
        final int count = request.path("count").asInt();
        if (count < 1 || count > TraceSettings.MAX_COUNT)
        {
            throw new IllegalArgumentException(
                "count " + count + "; it is 1 to " + TraceSettings.MAX_COUNT + " frames");
        }
        return new TraceSettings(
            points.portsOf(request), count,
            request.has("filter") ? FilterProgram.parse(request.get("filter").asText()) : null);
    }
}
