package org.fibnuma.bench.memcached;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;

/**
 * A connection to a memcached server for one command at a time: a blocking socket of TCP or UDP, or a stream that
 * behaves as one of TCP. Every command over UDP and its answer are one datagram each. Used by one thread.
 */
final class SocketLink implements AutoCloseable
{
    private static final int HEADER_LENGTH = 8;
    private static final int TOTAL_OFFSET = 5;

    private final ByteChannel channel;
    private final boolean isDatagram;
    private final ByteBuffer datagram = ByteBuffer.allocateDirect(2048);

    private SocketLink(final ByteChannel channel, final boolean isDatagram)
    {
        this.channel = channel;
        this.isDatagram = isDatagram;
    }

    static SocketLink tcp(final InetSocketAddress server) throws IOException
    {
        final SocketChannel channel = SocketChannel.open(server);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new SocketLink(channel, false);
    }

    static SocketLink udp(final InetSocketAddress server) throws IOException
    {
        return new SocketLink(DatagramChannel.open().connect(server), true);
    }

    /** Takes a connected stream. */
    static SocketLink stream(final ByteChannel channel)
    {
        return new SocketLink(channel, false);
    }

    /**
     * Sends a command and waits for its answer.
     *
     * @param command from position to limit.
     * @param answer  cleared, and flipped when it has the answer.
     * @param ending  last bytes of the answer.
     * @throws IOException if the connection ends.
     */
    void exchange(final ByteBuffer command, final ByteBuffer answer, final byte[] ending) throws IOException
    {
        answer.clear();
        if (isDatagram)
        {
            datagram.clear().putLong(0).put(TOTAL_OFFSET, (byte)1).put(command).flip();
            channel.write(datagram);
            datagram.clear();
            channel.read(datagram);
            answer.put(datagram.flip().position(HEADER_LENGTH)).flip();
            return;
        }
        while (command.hasRemaining())
        {
            channel.write(command);
        }
        while (!endsWith(answer, ending))
        {
            if (channel.read(answer) < 0)
            {
                throw new EOFException("the server has closed the connection");
            }
        }
        answer.flip();
    }

    /** Returns whether the bytes before the position end so. */
    private static boolean endsWith(final ByteBuffer answer, final byte[] ending)
    {
        final int start = answer.position() - ending.length;
        boolean same = start >= 0;
        for (int i = 0; i < ending.length && same; i++)
        {
            same = answer.get(start + i) == ending[i];
        }
        return same;
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}
