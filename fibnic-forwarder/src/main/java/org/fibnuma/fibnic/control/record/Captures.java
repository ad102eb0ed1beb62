package org.fibnuma.fibnic.control.record;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.concurrent.SystemNanoClock;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.fibnic.capture.Capture;
import org.fibnuma.fibnic.capture.CaptureSettings;
import org.fibnuma.fibnic.control.ipc.ControlAnswer;

/** Starts and ends the captures of a router, one at a time. Control thread. */
public final class Captures implements AutoCloseable
{
    private final CapturePoints points;
    private final RecordSession session;

    /** Takes the capture points of the workers. */
    public Captures(final CapturePoints points)
    {
        this.points = points;
        session = new RecordSession(
            "capture", points, () -> points.forEachWorker(worker -> points.of(worker).captureTo(null)));
    }

    /**
     * Starts a capture. The answer follows when every worker captures.
     *
     * @param request with {@code ports} (absent for all), {@code received}, {@code sent}, {@code dropped},
     *                {@code snap-length} and {@code filter} (absent for none).
     * @param answer  names the captured ports by index and the drop reasons by id; the stream has the frames.
     */
    public void start(final JsonNode request, final ControlAnswer answer)
    {
        session.start(() -> open(request), answer);
    }

    private RecordSession.Opened open(final JsonNode request)
    {
        final CaptureSettings settings = settings(request);
        final Capture capture =
            new Capture(settings, points.workers(), SystemNanoClock.INSTANCE, points.epochOffsetNs());
        return new RecordSession.Opened(capture, settings.ports(),
            () -> points.forEachWorker(worker -> points.of(worker).captureTo(capture.ring(worker))));
    }

    private CaptureSettings settings(final JsonNode request)
    {
        final long ports = points.portsOf(request);
        final CaptureSettings settings = new CaptureSettings(
            request.path("received").asBoolean() ? ports : 0,
            request.path("sent").asBoolean() ? ports : 0,
            request.path("dropped").asBoolean() ? ports : 0,
            request.path("snap-length").asInt(CaptureSettings.MAX_SNAP_LENGTH),
            request.has("filter") ? FilterProgram.parse(request.get("filter").asText()) : null);
        if (settings.ports() == 0)
        {
            throw new IllegalArgumentException("nothing to capture: ask for received, sent or dropped frames");
        }
        if (settings.snapLength() < 1 || settings.snapLength() > CaptureSettings.MAX_SNAP_LENGTH)
        {
            throw new IllegalArgumentException(
                "snap length " + settings.snapLength() + "; it is 1 to " + CaptureSettings.MAX_SNAP_LENGTH + " bytes");
        }
        return settings;
    }

    /** Returns whether a capture runs that has the frames of a port. */
    public boolean isAt(final int port)
    {
        return session.isAt(port);
    }

    /** Ends the capture if its client has gone. Returns the number of captures ended. */
    public int poll()
    {
        return session.poll();
    }

    /** Frees the rings; when the workers and the control socket have ended. */
    @Override
    public void close()
    {
        session.close();
    }
}
