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
 * A file read from front to back through a window that always holds what {@link #require} asked for. After a failure
 * it is at its end, and {@link #problem()} says why.
 */
final class CaptureStream implements AutoCloseable
{
    /** Most bytes that {@link #require} gives at once. */
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

    /** Sets the order of the numbers that follow. */
    void order(final ByteOrder order)
    {
        buffer.order(order);
    }

    /**
     * Brings bytes into the window.
     *
     * @param count from here on, at most {@link #WINDOW}.
     * @return false where the file ends before.
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

    /** Unsigned 16-bit number, {@code offset} bytes from here. */
    int unsignedShort(final int offset)
    {
        return buffer.getShort(buffer.position() + offset) & 0xFFFF;
    }

    /** Unsigned 32-bit number, {@code offset} bytes from here. */
    long unsignedInt(final int offset)
    {
        return buffer.getInt(buffer.position() + offset) & 0xFFFF_FFFFL;
    }

    /** Native address of the next byte; valid until the next call that moves. */
    long address()
    {
        return address + buffer.position();
    }

    /** Moves on by any number of bytes, beyond the window and the end of the file too. */
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

    /** Distance of the next byte from the start of the file. */
    long offset()
    {
        return windowOffset + buffer.position();
    }

    /**
     * Ends the stream where the file stops short of {@link #require}.
     *
     * @param what was to be read.
     * @return false always, for the caller to pass on; a problem unless the file ends exactly here.
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
     * Ends the stream because of what it says.
     *
     * @param why to follow the name of the file.
     * @return false always, for the caller to pass on.
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

    /** Why it ended, or null where it did not fail. */
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
