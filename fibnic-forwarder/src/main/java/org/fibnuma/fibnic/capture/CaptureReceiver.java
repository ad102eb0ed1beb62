package org.fibnuma.fibnic.capture;

import org.fibnuma.core.port.pcap.PcapngWriter;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Writes the messages of a capture into a file, in the process of the command. Messages are validated, since another
 * process wrote them. One thread.
 */
public final class CaptureReceiver
{
    private final PcapngWriter writer;
    private final List<String> reasons;
    private final long mostFrames;
    private final Map<Integer, PortCapture> ports = new TreeMap<>();

    /**
     * Describes the ports in the file.
     *
     * @param writer     of the file.
     * @param portNames  names of the captured ports, by index in the router.
     * @param reasons    names of the drop reasons, by id.
     * @param snapLength most bytes kept of a frame.
     * @param mostFrames number of frames after which further ones are ignored.
     */
    public CaptureReceiver(
        final PcapngWriter writer,
        final Map<Integer, String> portNames,
        final List<String> reasons,
        final int snapLength,
        final long mostFrames)
    {
        this.writer = writer;
        this.reasons = reasons;
        this.mostFrames = mostFrames;
        new TreeMap<>(portNames).forEach((index, name) ->
            ports.put(index, new PortCapture(writer.addInterface(name, snapLength))));
    }

    /**
     * Takes the whole messages from a buffer.
     *
     * @param received bytes from position to limit; the rest of an incomplete message stays.
     * @return false after the last message.
     * @throws IOException with one line if a message is invalid.
     */
    public boolean receive(final ByteBuffer received) throws IOException
    {
        received.order(ByteOrder.nativeOrder());
        while (received.remaining() >= CaptureMessage.HEADER_LENGTH)
        {
            final int start = received.position();
            final int length = received.getInt(start);
            require(length >= 0 && length <= received.capacity() - CaptureMessage.HEADER_LENGTH, "length", length);
            if (received.remaining() - CaptureMessage.HEADER_LENGTH < length)
            {
                break;
            }
            final int kind = received.getInt(start + CaptureMessage.KIND_OFFSET);
            final int body = start + CaptureMessage.HEADER_LENGTH;
            received.position(body + length);
            if (kind == CaptureMessage.END)
            {
                return false;
            }
            onMessage(kind, received.duplicate().order(ByteOrder.nativeOrder()).position(body).limit(body + length));
        }
        return true;
    }

    private void onMessage(final int kind, final ByteBuffer body) throws IOException
    {
        final int start = body.position();
        switch (kind)
        {
            case CaptureMessage.RECEIVED, CaptureMessage.SENT, CaptureMessage.DROPPED ->
            {
                require(body.remaining() >= CaptureMessage.FRAME_OFFSET, "length", body.remaining());
                onFrame(kind, body);
            }
            case CaptureMessage.LOST ->
            {
                require(body.remaining() == CaptureMessage.LOST_LENGTH, "length", body.remaining());
                port(body.getInt(start + CaptureMessage.LOST_PORT_OFFSET)).lost =
                    body.getLong(start + CaptureMessage.LOST_COUNT_OFFSET);
            }
            default -> require(false, "kind", kind);
        }
    }

    private void onFrame(final int kind, final ByteBuffer body) throws IOException
    {
        if (isFull())
        {
            return;
        }
        final int start = body.position();
        final PortCapture port = port(body.getInt(start + CaptureMessage.PORT_OFFSET));
        final int reason = body.getInt(start + CaptureMessage.REASON_OFFSET);
        final boolean isDropped = kind == CaptureMessage.DROPPED;
        require(!isDropped || reason >= 0 && reason < reasons.size(), "drop reason", reason);
        final long before = writer.frames();
        writer.add(
            port.number, body.getLong(start + CaptureMessage.TIME_OFFSET),
            body.position(start + CaptureMessage.FRAME_OFFSET), body.getInt(start + CaptureMessage.LENGTH_OFFSET),
            kind == CaptureMessage.SENT ? PcapngWriter.OUTBOUND : PcapngWriter.INBOUND,
            isDropped ? "dropped: " + reasons.get(reason) : null);
        port.frames += writer.problem() == null ? writer.frames() - before : 0;
    }

    private PortCapture port(final int index) throws IOException
    {
        final PortCapture port = ports.get(index);
        require(port != null, "port", index);
        return port;
    }

    private static void require(final boolean met, final String what, final int value) throws IOException
    {
        if (!met)
        {
            throw new IOException("the router has sent an invalid message of a capture: " + what + " " + value +
                "; router and command may be of different versions");
        }
    }

    /** Returns whether the file has as many frames as wanted. */
    public boolean isFull()
    {
        return writer.frames() >= mostFrames;
    }

    /**
     * Returns the number of frames that were to be captured and are not in the file: those that the router had no room
     * for because this process was too slow, and those that could not be written.
     */
    public long lost()
    {
        return ports.values().stream().mapToLong(port -> port.lost).sum() + writer.lost();
    }

    /** Adds the statistics of every port to the file, after the last frame. */
    public void addStatistics()
    {
        final long epochNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        for (final PortCapture port : ports.values())
        {
            writer.addStatistics(port.number, epochNs, port.frames + port.lost, port.lost);
        }
    }

    private static final class PortCapture
    {
        private final int number;
        private long frames;
        private long lost;

        PortCapture(final int number)
        {
            this.number = number;
        }
    }
}
