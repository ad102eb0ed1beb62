package org.fibnuma.bench.stream;

import org.fibnuma.bench.lab.PolledStream;
import org.fibnuma.bench.lab.StreamEndpointFile;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.service.config.SocketAddressText;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * One end of a transfer in one direction, over TCP or a stream of remote memory. The client writes numbered blocks for
 * some time, the last one with a mark; the server answers with their number. The first transfer warms up.
 */
final class TransferProgram
{
    /** Bytes of a write. */
    static final int BLOCK = 64 * 1024;

    private static final int SERVER = 2;
    private static final int CLIENT = 1;
    private static final int PORT = 7000;
    /** Stays in a core's second level of cache with the rings between the endpoints. */
    private static final int RING = 1 << 19;
    private static final int LAST_OFFSET = 0;
    private static final int NUMBER_OFFSET = Long.BYTES;
    private static final int END_OFFSET = BLOCK - Long.BYTES;

    private final ByteChannel channel;
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    private final ByteBuffer answer = ByteBuffer.allocateDirect(Long.BYTES);

    private TransferProgram(final ByteChannel channel)
    {
        this.channel = channel;
    }

    /**
     * Runs an end. The server prints "ready" and ends with its client, which prints bytes per second.
     *
     * @param arguments {@code server} or {@code client}, its core, seconds of each transfer, a number that has
     *                  no effect, and {@code tcp} with an address or {@code ipnuma} with the file of an endpoint.
     * @throws IOException if the connection ends too early.
     */
    public static void main(final String[] arguments) throws IOException
    {
        ThreadPinning.load().pinCurrentThread(Integer.parseInt(arguments[1]));
        final boolean isServer = arguments[0].equals("server");
        final boolean isTcp = arguments[4].equals("tcp");
        try (ByteChannel channel = isTcp ?
            tcp(SocketAddressText.parse(arguments[5]), isServer) : ipnuma(Path.of(arguments[5]), isServer))
        {
            final TransferProgram program = new TransferProgram(channel);
            if (isServer)
            {
                program.serve();
            }
            else
            {
                final long durationNs = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[2]));
                program.send(durationNs);
                System.out.println(program.send(durationNs));
            }
        }
    }

    private static ByteChannel tcp(final InetSocketAddress address, final boolean isServer) throws IOException
    {
        if (!isServer)
        {
            return SocketChannel.open(address);
        }
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(address))
        {
            ready();
            return listener.accept();
        }
    }

    private static ByteChannel ipnuma(final Path file, final boolean isServer) throws IOException
    {
        return isServer ?
            PolledStream.accept(StreamEndpointFile.read(file), SERVER, RING, PORT, TransferProgram::ready) :
            PolledStream.connect(
                StreamEndpointFile.read(file), CLIENT, RING, new IpnumaSocketAddress(SERVER, PORT));
    }

    private static void ready()
    {
        System.out.println("ready");
    }

    private void serve() throws IOException
    {
        long number = 0;
        while (fill(block))
        {
            if (block.getLong(NUMBER_OFFSET) != number || block.getLong(END_OFFSET) != number)
            {
                throw new IOException("block " + number + " has other bytes than were sent");
            }
            number++;
            if (block.get(LAST_OFFSET) != 0)
            {
                answer.clear().putLong(0, number);
                drain(answer);
                number = 0;
            }
        }
    }

    /** Returns the bytes per second of a transfer, until the server has read everything. */
    private long send(final long durationNs) throws IOException
    {
        final long startNs = System.nanoTime();
        long number = 0;
        boolean isLast = false;
        while (!isLast)
        {
            isLast = System.nanoTime() - startNs >= durationNs;
            block.clear().put(LAST_OFFSET, (byte)(isLast ? 1 : 0))
                .putLong(NUMBER_OFFSET, number).putLong(END_OFFSET, number);
            drain(block);
            number++;
        }
        if (!fill(answer) || answer.getLong(0) != number)
        {
            throw new EOFException("the server has not received everything");
        }
        return Math.round((double)number * BLOCK * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - startNs));
    }

    /** Reads until the buffer is full; returns false if the peer has closed the connection. */
    private boolean fill(final ByteBuffer buffer) throws IOException
    {
        buffer.clear();
        int count = 0;
        while (buffer.hasRemaining() && count >= 0)
        {
            count = channel.read(buffer);
        }
        return count >= 0;
    }

    private void drain(final ByteBuffer buffer) throws IOException
    {
        while (buffer.hasRemaining())
        {
            channel.write(buffer);
        }
    }
}
