package org.fibnuma.binding.fpm;

import org.agrona.CloseHelper;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.rtnetlink.HandedRouteDecoder;
import org.fibnuma.core.kernel.RouteFeedListener;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/** Reads the frames of one connection. A malformed frame or message ends the connection. */
final class FpmConnection implements AutoCloseable
{
    /** Longest time of a poll in ns, a quarter of the time that other changes and requests may wait. */
    private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(5);
    /** Frames between two readings of the clock, which take some 10 us. */
    private static final int FRAMES_PER_LOOK = 64;
    /** Bytes of many frames, and at least of the longest. */
    private static final int BUFFER_LENGTH = 1 << 20;

    private final SocketChannel channel;
    private final String peer;
    private final HandedRouteDecoder decoder;
    private final NanoClock clock;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(BUFFER_LENGTH);
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private int readOffset;
    private int writeOffset;
    private int frames;
    private String end;

    /** Creates the reader of a non-blocking connection, which it closes. */
    FpmConnection(final SocketChannel channel, final String peer, final HandedRouteDecoder decoder,
        final NanoClock clock)
    {
        this.channel = channel;
        this.peer = peer;
        this.decoder = decoder;
        this.clock = clock;
    }

    /** Returns address and TCP port of the other end. */
    String peer()
    {
        return peer;
    }

    /** Returns in one line why the connection has ended, or null before its end. */
    String end()
    {
        return end;
    }

    /**
     * Reads for a limited time and passes routes to a listener. An exception of the listener ends the connection,
     * because a part of a frame is then lost. Returns the number of frames read.
     */
    int poll(final RouteFeedListener listener)
    {
        final long endNs = clock.nanoTime() + SLICE_NS;
        frames = 0;
        boolean isApplied = false;
        try
        {
            String problem;
            do
            {
                problem = readFrames(listener);
            }
            while (problem == null && receive() && clock.nanoTime() < endNs);
            end = problem == null ? end : problem;
            isApplied = true;
        }
        finally
        {
            end = isApplied ? end : "a route could not be applied";
        }
        return frames;
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(channel);
    }

    /** Reads some of the complete frames in the buffer. Returns the problem of one, or null. */
    private String readFrames(final RouteFeedListener listener)
    {
        String problem = null;
        for (int i = 0; i < FRAMES_PER_LOOK && problem == null && writeOffset - readOffset >= FpmLayout.HEADER_LENGTH;
            i++)
        {
            final int start = readOffset;
            final int length =
                buffer.getShort(start + FpmLayout.LENGTH_OFFSET, ByteOrder.BIG_ENDIAN) & FpmLayout.MAX_LENGTH;
            problem = problemOfHeader(start, length);
            if (problem != null || writeOffset - start < length)
            {
                return problem;
            }
            readOffset += length;
            frames++;
            problem = decoder.decode(
                buffer, start + FpmLayout.HEADER_LENGTH, length - FpmLayout.HEADER_LENGTH, listener);
        }
        return problem;
    }

    private String problemOfHeader(final int start, final int length)
    {
        final int version = buffer.getByte(start + FpmLayout.VERSION_OFFSET) & 0xFF;
        final int type = buffer.getByte(start + FpmLayout.TYPE_OFFSET) & 0xFF;
        if (version != FpmLayout.VERSION)
        {
            return "a frame has version " + version + " instead of " + FpmLayout.VERSION;
        }
        if (type == FpmLayout.TYPE_PROTOBUF)
        {
            return "a frame is encoded by protobuf; load zebra's module dplane_fpm_nl instead of fpm";
        }
        if (type != FpmLayout.TYPE_NETLINK)
        {
            return "a frame has type " + type + " instead of " + FpmLayout.TYPE_NETLINK + ", netlink";
        }
        return length >= FpmLayout.HEADER_LENGTH ? null :
            "a frame has length " + length + ", less than its header of " + FpmLayout.HEADER_LENGTH + " bytes";
    }

    /** Returns whether there may be another complete frame in the buffer. */
    private boolean receive()
    {
        if (hasFrame())
        {
            return true;
        }
        buffer.putBytes(0, buffer, readOffset, writeOffset - readOffset);
        writeOffset -= readOffset;
        readOffset = 0;
        bytes.limit(BUFFER_LENGTH).position(writeOffset);
        try
        {
            final int received = channel.read(bytes);
            if (received < 0)
            {
                end = writeOffset == 0 ? "it was closed by the other end" :
                    "it was closed by the other end in the middle of a frame";
                return false;
            }
            writeOffset += received;
            return received > 0;
        }
        catch (final IOException ex)
        {
            end = ex.getMessage();
            return false;
        }
    }

    private boolean hasFrame()
    {
        final int length = writeOffset - readOffset;
        return length >= FpmLayout.HEADER_LENGTH && length >= (buffer.getShort(
            readOffset + FpmLayout.LENGTH_OFFSET, ByteOrder.BIG_ENDIAN) & FpmLayout.MAX_LENGTH);
    }
}
