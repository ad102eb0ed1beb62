package org.fibnuma.fibnic.control.record;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.UserException;
import org.fibnuma.fibnic.control.ipc.AnswerStream;
import org.fibnuma.fibnic.control.ipc.ControlAnswer;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.record.RecordStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * The capture or the trace of a router; at most one of its kind at a time. It lasts as long as its client is connected.
 * Its memory is allocated before the workers' capture points are switched on, and freed when no worker can use it any
 * more. Control thread.
 */
final class RecordSession implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(RecordSession.class);

    private final String kind;
    private final CapturePoints points;
    private final Runnable switchOff;
    /** Null while there is none. */
    private Client client;

    /**
     * Creates the place for a session.
     *
     * @param kind      for the log.
     * @param points      of the workers.
     * @param switchOff switches the capture points off.
     */
    RecordSession(final String kind, final CapturePoints points, final Runnable switchOff)
    {
        this.kind = kind;
        this.points = points;
        this.switchOff = switchOff;
    }

    /**
     * A session whose memory is allocated.
     *
     * @param stream   of its records.
     * @param ports    whose frames it has, one bit for each index.
     * @param switchOn switches the capture points on.
     */
    record Opened(RecordStream stream, long ports, Runnable switchOn)
    {
    }

    /**
     * Starts a session unless one of its kind runs. The answer follows when every worker uses its capture point.
     *
     * @param opening allocates the session; an {@link IllegalArgumentException} or {@link UserException} refuses it
     *                with one line.
     * @param answer  gets the names of the ports and of the drop reasons, and the stream.
     */
    void start(final Supplier<Opened> opening, final ControlAnswer answer)
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
            opened = opening.get();
        }
        catch (final IllegalArgumentException | UserException ex)
        {
            answer.accept(ControlProtocol.error(ex.getMessage()));
            return;
        }
        opened.switchOn.run();
        final Client started = new Client(opened.stream, opened.ports);
        client = started;
        LOGGER.info("{} started, ports={}", kind, points.names(opened.ports));
        final JsonNode description = points.description(opened.ports);
        points.whenSeen(() -> answer.accept(description, started));
    }

    /** Returns whether one runs that has the frames of a port. */
    boolean isAt(final int port)
    {
        return client != null && (client.ports & 1L << port) != 0;
    }

    /** Ends the session if its client has gone. Returns the number of sessions ended. */
    int poll()
    {
        if (client == null || !client.isClosed)
        {
            return 0;
        }
        final RecordStream stream = client.stream;
        client = null;
        switchOff.run();
        points.whenSeen(stream::free);
        LOGGER.info("{} ended", kind);
        return 1;
    }

    /** Frees the memory; when the workers and the control socket have ended. */
    @Override
    public void close()
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
