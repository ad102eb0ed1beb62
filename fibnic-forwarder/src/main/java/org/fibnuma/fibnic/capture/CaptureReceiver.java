package org.fibnuma.fibnic.capture;

import org.fibnuma.core.port.pcap.PcapngWriter;
import org.fibnuma.fibnic.record.RecordReceiver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Writes the frames of a capture into a file, in the process of the command. One thread. */
public final class CaptureReceiver extends RecordReceiver
{
    private final PcapngWriter writer;
    private final List<String> reasons;
    private final long mostFrames;
    private final Map<Integer, PortCapture> ports = new TreeMap<>();

    /**
     * Describes the ports in the file.
     *
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
        super(portNames);
        this.writer = writer;
        this.reasons = reasons;
        this.mostFrames = mostFrames;
        new TreeMap<>(portNames).forEach((index, name) ->
            ports.put(index, new PortCapture(index, writer.addInterface(name, snapLength))));
    }

    @Override
    protected void onRecord(final int kind, final ByteBuffer body) throws IOException
    {
        require(kind >= CaptureMessage.RECEIVED && kind <= CaptureMessage.DROPPED, "kind", kind);
        require(body.remaining() >= CaptureMessage.FRAME_OFFSET, "length", body.remaining());
        if (!isFull())
        {
            onFrame(kind, body);
        }
    }

    private void onFrame(final int kind, final ByteBuffer body) throws IOException
    {
        final int index = body.getInt(CaptureMessage.PORT_OFFSET);
        portName(index);
        final PortCapture port = ports.get(index);
        final int reason = body.getInt(CaptureMessage.REASON_OFFSET);
        final boolean isDropped = kind == CaptureMessage.DROPPED;
        require(!isDropped || reason >= 0 && reason < reasons.size(), "drop reason", reason);
        final long before = writer.frames();
        writer.add(
            port.number, body.getLong(CaptureMessage.TIME_OFFSET),
            body.position(CaptureMessage.FRAME_OFFSET), body.getInt(CaptureMessage.LENGTH_OFFSET),
            kind == CaptureMessage.SENT ? PcapngWriter.OUTBOUND : PcapngWriter.INBOUND,
            isDropped ? "dropped: " + reasons.get(reason) : null);
        port.frames += writer.problem() == null ? writer.frames() - before : 0;
    }

    /** Returns whether the file has as many frames as requested. */
    public boolean isFull()
    {
        return writer.frames() >= mostFrames;
    }

    /**
     * Returns the number of lost frames: those for which the ring had no room because this process was too slow, and
     * those that could not be written.
     */
    public long lost()
    {
        return lostOfAll() + writer.lost();
    }

    /** Adds the statistics of every port to the file, after the last frame. */
    public void addStatistics()
    {
        final long epochNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        for (final PortCapture port : ports.values())
        {
            writer.addStatistics(port.number, epochNs, port.frames + lost(port.index), lost(port.index));
        }
    }

    private static final class PortCapture
    {
        private final int index;
        private final int number;
        private long frames;

        PortCapture(final int index, final int number)
        {
            this.index = index;
            this.number = number;
        }
    }
}
