package org.fibnuma.fibnic.control.record;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.concurrent.SystemNanoClock;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.fibnic.capture.Capture;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.capture.CaptureSettings;

/**
 * Starts and ends the captures of a router, one at a time. A request has {@code ports} (absent for all),
 * {@code received}, {@code sent}, {@code dropped}, {@code snap-length} and {@code filter} (absent for none). Control
 * thread.
 */
public final class Captures extends RecordSession
{
    private final CapturePoints points;

    /** Takes the capture points of the workers. */
    public Captures(final CapturePoints points)
    {
        super("capture", points);
        this.points = points;
    }

    @Override
    Opened open(final JsonNode request)
    {
        final CaptureSettings settings = settings(request);
        final Capture capture =
            new Capture(settings, points.workers(), SystemNanoClock.INSTANCE, points.epochOffsetNs());
        return new Opened(capture, settings.ports(), (point, worker) -> point.captureTo(capture.ring(worker)));
    }

    @Override
    void switchOff(final CapturePoint point)
    {
        point.captureTo(null);
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
}
