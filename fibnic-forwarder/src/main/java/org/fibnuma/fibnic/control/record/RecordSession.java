package org.fibnuma.fibnic.control.record;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.UserException;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.control.ipc.AnswerStream;
import org.fibnuma.fibnic.control.ipc.ControlAnswer;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.record.RecordStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.ByteBuffer;
import java.util.function.ObjIntConsumer;

/**
 * The captures or the traces of a router, one at a time. Each lasts as long as its client is connected. Its memory is
 * allocated before the workers' capture points are switched on, and freed when no worker can use it. Control thread.
 */
abstract class RecordSession implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(RecordSession.class);

    private final String kind;
    private final CapturePoints points;
    /** Null while none runs. */
    private Client client;

    /** The kind is for the log. */
    RecordSession(final String kind, final CapturePoints points)
    {
        this.kind = kind;
        this.points = points;
    }

    /**
     * Allocates a session.
     *
     * @param request of the client.
     * @return the session.
     * @throws IllegalArgumentException with one line to refuse the request.
     * @throws UserException            with one line to refuse the request.
     */
    abstract Opened open(JsonNode request);

    /** Switches the capture point of a worker off. */
    abstract void switchOff(CapturePoint point);

    /**
     * A session whose memory is allocated.
     *
     * @param stream   of its records.
     * @param ports    whose frames it has, one bit for each index.
     * @param switchOn switches the capture point of a worker on, by number.
     */
    record Opened(RecordStream stream, long ports, ObjIntConsumer<CapturePoint> switchOn)
    {
    }

    /**
     * Starts a session unless one runs. The answer follows when every worker uses its capture point.
     *
     * @param request of the client.
     * @param answer  gets the names of the ports by index and of the drop reasons by id, and the stream.
     */
    public final void start(final JsonNode request, final ControlAnswer answer)
    {
        poll();
        if (client != null)
        {
            answer.accept(ControlProtocol.error(
                "another " + kind + " runs; a router makes one at a time: end that first"));
            return;
        }
        final Opened opened;
        try
        {
            opened = open(request);
        }
        catch (final IllegalArgumentException | UserException ex)
        {
            answer.accept(ControlProtocol.error(ex.getMessage()));
            return;
        }
        points.forEach(opened.switchOn);
        final Client started = new Client(opened.stream, opened.ports);
        client = started;
        LOGGER.info("{} started, ports={}", kind, points.names(opened.ports));
        final JsonNode description = points.description(opened.ports);
        points.whenSeen(() -> answer.accept(description, started));
    }

    /** Returns whether a session runs that has the frames of a port. */
    public final boolean isAt(final int port)
    {
        return client != null && (client.ports & 1L << port) != 0;
    }

    /** Ends the session if its client has gone; returns the number of sessions ended. */
    public final int poll()
    {
        if (client == null || !client.isClosed)
        {
            return 0;
        }
        final RecordStream stream = client.stream;
        client = null;
        points.forEach((point, worker) -> switchOff(point));
        points.whenSeen(stream::free);
        LOGGER.info("{} ended", kind);
        return 1;
    }

    /** Frees the memory; to be called when the workers and the control socket have ended. */
    @Override
    public final void close()
    {
        if (client != null)
        {
            client.stream.free();
            client = null;
        }
    }

    /** The stream to a client. Server's thread, except {@link #close()}. */
    private static final class Client implements AnswerStream
    {
        private final RecordStream stream;
        private final long ports;
        private volatile boolean isClosed;

        Client(final RecordStream stream, final long ports)
        {
            this.stream = stream;
            this.ports = ports;
        }

        @Override
        public boolean fill(final ByteBuffer room)
        {
            return stream.drain(room);
        }

        @Override
        public void finish()
        {
            stream.finish();
        }

        @Override
        public void close()
        {
            isClosed = true;
        }
    }
}
