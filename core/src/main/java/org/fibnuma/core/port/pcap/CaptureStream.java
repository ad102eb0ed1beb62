package org.fibnuma.core.port.pcap;

import org.agrona.BufferUtil;
import org.fibnuma.core.IoFailure;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads a file sequentially through a window that contains the bytes that {@link #require} requested. After a failure
 * the stream is at its end, and {@link #problem()} returns the reason.
 */
final class CaptureStream implements AutoCloseable
{
    /** Most bytes that {@link #require} can request. */
    static final int WINDOW = 1 << 20;

    private final FileChannel channel;
    private final ByteBuffer buffer;
    private final long address;
    private long windowOffset;
    private String problem;

    private CaptureStream(final FileChannel channel)
    {
        this.channel = channel;
        this.buffer = ByteBuffer.allocateDirect(WINDOW);
        this.address = BufferUtil.address(buffer);
        buffer.limit(0);
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.register(address, WINDOW, WINDOW);
        }
    }

    static CaptureStream open(final Path file) throws IOException
    {
        return new CaptureStream(FileChannel.open(file, StandardOpenOption.READ));
    }

    /** Sets the byte order of the numbers that follow. */
    void order(final ByteOrder order)
    {
        buffer.order(order);
    }

    /**
     * Reads at most {@link #WINDOW} bytes from the current position into the window; returns false if the file ends
     * before.
     */
    boolean require(final int count)
    {
        return buffer.remaining() >= count || fill(count);
    }

    private boolean fill(final int count)
    {
        if (problem != null)
        {
            return false;
        }
        windowOffset += buffer.position();
        buffer.compact();
        try
        {
            while (buffer.position() < count && channel.read(buffer) >= 0)
            {
                continue;
            }
        }
        catch (final IOException ex)
        {
            fail("cannot be read further: " + IoFailure.reason(ex));
        }
        buffer.flip();
        return buffer.remaining() >= count;
    }

    /** Returns the unsigned 16-bit number {@code offset} bytes after the current position. */
    int unsignedShort(final int offset)
    {
        return buffer.getShort(buffer.position() + offset) & 0xFFFF;
    }

    /** Returns the unsigned 32-bit number {@code offset} bytes after the current position. */
    long unsignedInt(final int offset)
    {
        return buffer.getInt(buffer.position() + offset) & 0xFFFF_FFFFL;
    }

    /** Returns the native address of the next byte, valid until the position changes. */
    long address()
    {
        return address + buffer.position();
    }

    /** Skips any number of bytes, also beyond the window and the end of the file. */
    void skip(final long count)
    {
        if (count <= buffer.remaining())
        {
            buffer.position(buffer.position() + (int)count);
            return;
        }
        final long target = offset() + count;
        buffer.position(0).limit(0);
        windowOffset = target;
        try
        {
            channel.position(target);
        }
        catch (final IOException ex)
        {
            fail("cannot be read further: " + IoFailure.reason(ex));
        }
    }

    /** Returns the offset of the next byte in the file. */
    long offset()
    {
        return windowOffset + buffer.position();
    }

    /**
     * Ends the stream at the end of the file, before the bytes that {@link #require} requested. It is a problem unless
     * the position is the end of the file. Returns false.
     */
    boolean end(final String what)
    {
        if (buffer.hasRemaining())
        {
            fail("ends inside a " + what);
        }
        return false;
    }

    /**
     * Ends the stream because its content is invalid; returns false. The reason follows the name of the file in the
     * message.
     */
    boolean fail(final String why)
    {
        if (problem == null)
        {
            problem = why + " (byte " + offset() + ")";
        }
        buffer.position(0).limit(0);
        return false;
    }

    /** Returns why the stream failed, or null. */
    String problem()
    {
        return problem;
    }

    @Override
    public void close() throws IOException
    {
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.unregister(address);
        }
        channel.close();
    }
}
