package org.fibnuma.core.port.pcap;

import org.agrona.BufferUtil;
import org.agrona.concurrent.EpochNanoClock;
import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes Ethernet frames to a classic capture file with timestamps in ns. Used by one thread. {@link #write} does not
 * throw: after a failed write nothing more is written, {@link #lost} counts the missing frames and {@link #problem}
 * returns the reason.
 */
public final class PcapWriter implements AutoCloseable
{
    private static final int BUFFER_LENGTH = 1 << 20;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final Path file;
    private final FileChannel channel;
    private final EpochNanoClock clock;
    private final ByteBuffer buffer;
    private final long address;
    private int buffered;
    private volatile long lost;
    private volatile String problem;

    /** Takes ownership of the channel of an empty file. */
    PcapWriter(final Path file, final FileChannel channel, final EpochNanoClock clock)
    {
        this.file = file;
        this.channel = channel;
        this.clock = clock;
        this.buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH).order(ByteOrder.nativeOrder());
        this.address = BufferUtil.address(buffer);
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.register(address, BUFFER_LENGTH, BUFFER_LENGTH);
        }
        buffer.putInt(0, PcapFormat.MAGIC_NANOSECONDS);
        buffer.putShort(PcapFormat.VERSION_MAJOR_OFFSET, (short)PcapFormat.VERSION_MAJOR);
        buffer.putShort(PcapFormat.VERSION_MINOR_OFFSET, (short)PcapFormat.VERSION_MINOR);
        buffer.putInt(PcapFormat.SNAP_LENGTH_OFFSET, CaptureFormat.MAX_FRAME_LENGTH);
        buffer.putInt(PcapFormat.LINK_TYPE_OFFSET, PcapReader.LINK_TYPE_ETHERNET);
        buffer.position(PcapFormat.FILE_HEADER_LENGTH);
    }

    /**
     * Creates or overwrites a file. The clock gives the timestamps of the frames.
     *
     * @throws UserException with one line if the file cannot be written.
     */
    public static PcapWriter create(final Path file, final EpochNanoClock clock)
    {
        try
        {
            final PcapWriter writer = new PcapWriter(
                file,
                FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING),
                clock);
            writer.flush();
            if (writer.problem != null)
            {
                writer.close();
                throw new UserException(writer.problem);
            }
            return writer;
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot write " + file + ": " + IoFailure.reason(ex), ex);
        }
    }

    /**
     * Adds a frame with the current time.
     *
     * @param frame  native address of its first byte; copied before the call returns.
     * @param length in bytes, 0 to 262,144.
     */
    public void write(final long frame, final int length)
    {
        if (buffer.remaining() < PcapFormat.RECORD_HEADER_LENGTH + length)
        {
            flush();
        }
        if (problem != null)
        {
            lose(1);
            return;
        }
        final int record = buffer.position();
        final long now = clock.nanoTime();
        buffer.putInt(record, (int)(now / NANOS_PER_SECOND));
        buffer.putInt(record + PcapFormat.FRACTION_OFFSET, (int)(now % NANOS_PER_SECOND));
        buffer.putInt(record + PcapFormat.CAPTURED_LENGTH_OFFSET, length);
        buffer.putInt(record + PcapFormat.ORIGINAL_LENGTH_OFFSET, length);
        FrameMemory.copy(frame, address + record + PcapFormat.RECORD_HEADER_LENGTH, length);
        buffer.position(record + PcapFormat.RECORD_HEADER_LENGTH + length);
        buffered++;
    }

    /** Writes all buffered frames to the file, if any. */
    public void flush()
    {
        if (buffer.position() > 0)
        {
            buffer.flip();
            try
            {
                while (problem == null && buffer.hasRemaining())
                {
                    channel.write(buffer);
                }
            }
            catch (final IOException ex)
            {
                problem = "cannot write " + file + ": " + IoFailure.reason(ex);
                lose(buffered);
            }
            buffer.clear();
            buffered = 0;
        }
    }

    private void lose(final int count)
    {
        // Written by one thread only, so that the addition need not be atomic.
        lost = lost + count;
    }

    /** Returns how many frames may be missing from the file, including those of the write that failed; any thread. */
    public long lost()
    {
        return lost;
    }

    /** Returns in one line why nothing more is written, or null; any thread. */
    public String problem()
    {
        return problem;
    }

    @Override
    public void close()
    {
        flush();
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.unregister(address);
        }
        try
        {
            channel.close();
        }
        catch (final IOException ex)
        {
            problem = "cannot close " + file + ": " + IoFailure.reason(ex);
        }
    }
}
