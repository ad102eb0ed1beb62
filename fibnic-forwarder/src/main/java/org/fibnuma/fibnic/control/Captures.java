package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.OffsetEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.fibnuma.core.UserException;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.fibnic.capture.Capture;
import org.fibnuma.fibnic.capture.CaptureSettings;
import org.fibnuma.fibnic.capture.CaptureTap;
import org.fibnuma.fibnic.control.ipc.AnswerStream;
import org.fibnuma.fibnic.control.ipc.ControlAnswer;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Starts and ends the captures of a router, one at a time. A capture lasts as long as its client is connected. The
 * rings are allocated before the workers' taps are switched on, and freed when no worker can use them any more. Control
 * thread.
 */
final class Captures implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(Captures.class);

    private final PortPlaces places;
    private final List<CaptureTap> taps;
    private final ReaderEpochs epochs;
    private final EpochNanoClock epochClock = new OffsetEpochNanoClock();
    /** Null while no capture runs. */
    private Session session;

    /**
     * Creates the taps, all off.
     *
     * @param places  of the ports.
     * @param workers   number of workers.
     * @param epochs    that the workers report to.
     */
    Captures(final PortPlaces places, final int workers, final ReaderEpochs epochs)
    {
        this.places = places;
        this.taps = IntStream.range(0, workers).mapToObj(worker -> new CaptureTap()).toList();
        this.epochs = epochs;
    }

    /** Returns the tap of a worker. */
    CaptureTap tap(final int worker)
    {
        return taps.get(worker);
    }

    /**
     * Starts a capture. The answer follows when every worker captures.
     *
     * @param request with {@code ports} (absent for all), {@code received}, {@code sent}, {@code dropped},
     *                {@code snap-length} and {@code filter} (absent for none).
     * @param answer  names the captured ports by index and the drop reasons by id; the stream has the frames.
     */
    void start(final JsonNode request, final ControlAnswer answer)
    {
        poll();
        if (session != null)
        {
            answer.accept(ControlProtocol.error("another capture runs; a router makes one at a time: end that first"));
            return;
        }
        final Capture capture;
        final CaptureSettings settings;
        try
        {
            settings = settings(request);
            capture = new Capture(
                settings, taps.size(), SystemNanoClock.INSTANCE,
                epochClock.nanoTime() - SystemNanoClock.INSTANCE.nanoTime());
        }
        catch (final IllegalArgumentException | UserException ex)
        {
            answer.accept(ControlProtocol.error(ex.getMessage()));
            return;
        }
        session = new Session(capture, settings.ports());
        final Session started = session;
        for (int worker = 0; worker < taps.size(); worker++)
        {
            taps.get(worker).switchTo(capture.ring(worker));
        }
        LOG.info("capture started, ports={}", names(settings.ports()));
        // Runs when every worker has ended the duty cycle in which it may not have seen its ring yet.
        epochs.retire(() -> answer.accept(description(settings.ports()), started));
    }

    private CaptureSettings settings(final JsonNode request)
    {
        long ports = 0;
        for (final JsonNode name : request.path("ports"))
        {
            final int port = places.placeOf(name.asText());
            if (port == PortPlaces.NONE)
            {
                throw new IllegalArgumentException("no port \"" + name.asText() + "\"; the router has " +
                    places.names());
            }
            ports |= 1L << port;
        }
        if (!request.has("ports"))
        {
            ports = allPorts();
        }
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

    private ObjectNode description(final long ports)
    {
        final ObjectNode description = ControlProtocol.object();
        final ArrayNode described = description.putArray("ports");
        places(ports).forEach(port ->
            described.addObject().put("index", port).put("port", places.get(port).name()));
        final ArrayNode reasons = description.putArray("reasons");
        for (int id = 0; id < DropReason.count(); id++)
        {
            reasons.add(DropReason.of(id).label());
        }
        return description;
    }

    private String names(final long ports)
    {
        return places(ports).mapToObj(port -> places.get(port).name()).collect(Collectors.joining(","));
    }

    private static IntStream places(final long ports)
    {
        return IntStream.range(0, Long.SIZE).filter(port -> (ports & 1L << port) != 0);
    }

    private long allPorts()
    {
        return IntStream.range(0, places.size()).filter(port -> places.get(port) != null)
            .mapToLong(port -> 1L << port).sum();
    }

    /** Returns whether the capture that runs has the name of the port of a place. */
    boolean captures(final int place)
    {
        return session != null && (session.ports & 1L << place) != 0;
    }

    /** Ends the capture if its client has gone. Returns the number of captures ended. */
    int poll()
    {
        if (session == null || !session.isClosed)
        {
            return 0;
        }
        final Capture capture = session.capture;
        session = null;
        taps.forEach(tap -> tap.switchTo(null));
        epochs.retire(capture::free);
        LOG.info("capture ended");
        return 1;
    }

    /** Frees the rings; when the workers and the control socket have ended. */
    @Override
    public void close()
    {
        if (session != null)
        {
            session.capture.free();
            session = null;
        }
    }

    /** The stream of a capture to its client. Server's thread, except {@link #close()}. */
    private static final class Session implements AnswerStream
    {
        private final Capture capture;
        private final long ports;
        private volatile boolean isClosed;

        Session(final Capture capture, final long ports)
        {
            this.ports = ports;
            this.capture = capture;
        }

        @Override
        public boolean fill(final ByteBuffer room)
        {
            return capture.drain(room);
        }

        @Override
        public void finish()
        {
            capture.finish();
        }

        @Override
        public void close()
        {
            isClosed = true;
        }
    }
}
