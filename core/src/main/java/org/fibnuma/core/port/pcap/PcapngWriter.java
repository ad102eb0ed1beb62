package org.fibnuma.core.port.pcap;

import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes Ethernet frames of several interfaces in the block format (draft-ietf-opsawg-pcapng), with timestamps in ns,
 * directions and comments. Used by one thread. Blocks are buffered until {@link #flush()} or up to 64 KiB, and are
 * written whole.
 * <p>
 * After a failed write nothing more is written: {@link #lost()} counts the missing frames and {@link #problem()}
 * returns the reason. A file is truncated after its last whole block, so that it stays readable.
 */
public final class PcapngWriter implements AutoCloseable
{
    /** Direction of a frame that arrived at its interface (bits 0 and 1 of epb_flags). */
    public static final int INBOUND = 1;
    /** Direction of a frame that left by its interface. */
    public static final int OUTBOUND = 2;

    private static final int BUFFER_LENGTH = 1 << 16;
    private static final int COMMENT = 1;
    private static final int INTERFACE_NAME = 2;
    private static final int TIMESTAMP_RESOLUTION = 9;
    /** Negative power of 10: nanoseconds. */
    private static final int NANOSECONDS = 9;
    private static final int APPLICATION = 4;
    private static final int FLAGS = 2;
    private static final int STATISTICS_RECEIVED = 4;
    private static final int STATISTICS_DROPPED = 5;
    /** Most bytes of a text; the rest is not written. */
    private static final int MAX_TEXT = 1024;
    /** More bytes than any block has beside its frame. */
    private static final int OVERHEAD = 128 + MAX_TEXT;

    private final String name;
    private final WritableByteChannel channel;
    private final FileChannel file;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH).order(ByteOrder.nativeOrder());
    private int interfaces;
    private long written;
    private long frames;
    private long lost;
    private String problem;

    private PcapngWriter(
        final String name, final WritableByteChannel channel, final FileChannel file, final String application)
    {
        this.name = name;
        this.channel = channel;
        this.file = file;
        final int block = begin(PcapngFormat.SECTION_HEADER);
        buffer.putInt(PcapngFormat.BYTE_ORDER_MAGIC).putShort((short)1).putShort((short)0).putLong(-1);
        text(APPLICATION, application);
        end(block);
    }

    /**
     * Creates or overwrites a file. The section header names the application.
     *
     * @throws UserException with one line if the file cannot be written.
     */
    public static PcapngWriter create(final Path file, final String application)
    {
        try
        {
            final FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            return new PcapngWriter(file.toString(), channel, channel, application);
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot write " + file + ": " + IoFailure.reason(ex), ex);
        }
    }

    /**
     * Writes to a pipe or other stream.
     *
     * @param name        of the stream in {@link #problem()}.
     * @param channel     closed with the writer.
     * @param application that writes, for the section header.
     */
    public static PcapngWriter to(final String name, final WritableByteChannel channel, final String application)
    {
        return new PcapngWriter(name, channel, null, application);
    }

    /**
     * Describes an interface, before its first frame. At most {@code snapLength} bytes of each frame are kept.
     *
     * @return number of the interface in this file, from 0.
     */
    public int addInterface(final String interfaceName, final int snapLength)
    {
        reserve(OVERHEAD);
        final int block = begin(PcapngFormat.INTERFACE_DESCRIPTION);
        buffer.putShort((short)PcapReader.LINK_TYPE_ETHERNET).putShort((short)0).putInt(snapLength);
        text(INTERFACE_NAME, interfaceName);
        option(TIMESTAMP_RESOLUTION, Byte.BYTES).put((byte)NANOSECONDS);
        pad();
        end(block);
        return interfaces++;
    }

    /**
     * Adds a frame.
     *
     * @param interfaceNumber result of {@link #addInterface}.
     * @param epochNs         time in ns since 1970.
     * @param frame           bytes kept of the frame, from position to limit; 0 to 262,144. They are consumed.
     * @param originalLength  length of the whole frame in bytes.
     * @param direction       {@link #INBOUND} or {@link #OUTBOUND}.
     * @param comment         a few words, or null.
     */
    public void add(
        final int interfaceNumber,
        final long epochNs,
        final ByteBuffer frame,
        final int originalLength,
        final int direction,
        final String comment)
    {
        reserve(OVERHEAD + frame.remaining());
        if (problem != null)
        {
            lost++;
            return;
        }
        final int block = begin(PcapngFormat.ENHANCED_PACKET);
        buffer.putInt(interfaceNumber);
        time(epochNs);
        buffer.putInt(frame.remaining()).putInt(originalLength).put(frame);
        pad();
        option(FLAGS, Integer.BYTES).putInt(direction);
        if (comment != null)
        {
            text(COMMENT, comment);
        }
        end(block);
        frames++;
    }

    /**
     * Adds the statistics of an interface, after its last frame.
     *
     * @param interfaceNumber result of {@link #addInterface}.
     * @param epochNs         time in ns since 1970.
     * @param received        number of frames that were to be captured (isb_ifrecv).
     * @param dropped         number of them that the capture lost (isb_ifdrop).
     */
    public void addStatistics(
        final int interfaceNumber, final long epochNs, final long received, final long dropped)
    {
        reserve(OVERHEAD);
        final int block = begin(PcapngFormat.INTERFACE_STATISTICS);
        buffer.putInt(interfaceNumber);
        time(epochNs);
        option(STATISTICS_RECEIVED, Long.BYTES).putLong(received);
        option(STATISTICS_DROPPED, Long.BYTES).putLong(dropped);
        end(block);
    }

    /** Writes all buffered blocks, if any. Check {@link #problem()} afterwards. */
    public void flush()
    {
        if (problem != null || buffer.position() == 0)
        {
            buffer.clear();
            return;
        }
        buffer.flip();
        try
        {
            while (buffer.hasRemaining())
            {
                channel.write(buffer);
            }
            written += buffer.limit();
        }
        catch (final IOException ex)
        {
            problem = "cannot write " + name + ": " + IoFailure.reason(ex);
            cut();
        }
        buffer.clear();
    }

    /**
     * Counts the frames of blocks that were not written whole, and removes the part of a block at the end of the file.
     */
    private void cut()
    {
        final int reached = buffer.position();
        int block = 0;
        int whole = 0;
        while (block < buffer.limit())
        {
            final int next = block + buffer.getInt(block + PcapngFormat.LENGTH_OFFSET);
            if (next <= reached)
            {
                whole = next;
            }
            else if (buffer.getInt(block) == PcapngFormat.ENHANCED_PACKET)
            {
                frames--;
                lost++;
            }
            block = next;
        }
        written += whole;
        try
        {
            if (file != null)
            {
                file.truncate(written);
            }
        }
        catch (final IOException ignore)
        {
            // It is no regular file, or the medium is gone; the problem is recorded.
        }
    }

    /** Returns the number of frames added and not lost. */
    public long frames()
    {
        return frames;
    }

    /** Returns the number of frames that are missing because a write failed. */
    public long lost()
    {
        return lost;
    }

    /** Returns in one line why nothing more is written, or null. */
    public String problem()
    {
        return problem;
    }

    /** Writes the buffered blocks and closes the channel. */
    @Override
    public void close()
    {
        flush();
        try
        {
            channel.close();
        }
        catch (final IOException ex)
        {
            problem = problem != null ? problem : "cannot close " + name + ": " + IoFailure.reason(ex);
        }
    }

    private void reserve(final int count)
    {
        if (buffer.remaining() < count)
        {
            flush();
        }
        if (buffer.capacity() < count)
        {
            buffer = ByteBuffer.allocateDirect(count).order(ByteOrder.nativeOrder());
        }
    }

    private int begin(final int type)
    {
        final int block = buffer.position();
        buffer.putInt(type).putInt(0);
        return block;
    }

    /** Ends the options and the block. */
    private void end(final int block)
    {
        buffer.putInt(0);
        final int length = buffer.position() + Integer.BYTES - block;
        buffer.putInt(length).putInt(block + PcapngFormat.LENGTH_OFFSET, length);
    }

    private void time(final long epochNs)
    {
        buffer.putInt((int)(epochNs >>> Integer.SIZE)).putInt((int)epochNs);
    }

    private ByteBuffer option(final int code, final int length)
    {
        return buffer.putShort((short)code).putShort((short)length);
    }

    private void text(final int code, final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        final int length = Math.min(bytes.length, MAX_TEXT);
        option(code, length).put(bytes, 0, length);
        pad();
    }

    private void pad()
    {
        while (buffer.position() % Integer.BYTES != 0)
        {
            buffer.put((byte)0);
        }
    }
}
