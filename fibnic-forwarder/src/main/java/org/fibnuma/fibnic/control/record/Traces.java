package org.fibnuma.fibnic.control.record;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.concurrent.SystemNanoClock;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.fibnic.control.ipc.ControlAnswer;
import org.fibnuma.fibnic.trace.Trace;
import org.fibnuma.fibnic.trace.TraceSettings;

/** Starts and ends the traces of a router, one at a time; a capture may run beside it. Control thread. */
public final class Traces implements AutoCloseable
{
    private final CapturePoints points;
    private final RecordSession session;

    /** Takes the capture points of the workers. */
    public Traces(final CapturePoints points)
    {
        this.points = points;
        session = new RecordSession(
            "trace", points, () -> points.forEachWorker(worker -> points.of(worker).traceTo(null)));
    }

    /**
     * Starts a trace. The answer follows when every worker traces.
     *
     * @param request with {@code ports} (absent for all), {@code count} and {@code filter} (absent for none).
     * @param answer  names the ports by index and the drop reasons by id; the stream has the traced frames.
     */
    public void start(final JsonNode request, final ControlAnswer answer)
    {
        session.start(() -> open(request), answer);
    }

    private RecordSession.Opened open(final JsonNode request)
    {
        final TraceSettings settings = settings(request);
        final Trace trace =
            new Trace(settings, points.workers(), SystemNanoClock.INSTANCE, points.epochOffsetNs());
        return new RecordSession.Opened(trace, settings.ports(),
            () -> points.forEachWorker(worker -> points.of(worker).traceTo(trace.frames(worker))));
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

    /** Returns whether a trace runs that has the frames of a port. */
    public boolean isAt(final int port)
    {
        return session.isAt(port);
    }

    /** Ends the trace if its client has gone. Returns the number of traces ended. */
    public int poll()
    {
        return session.poll();
    }

    /** Frees the memory; when the workers and the control socket have ended. */
    @Override
    public void close()
    {
        session.close();
    }
}
