package org.fibnuma.bench.router;

import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Packets at a steady rate from one host to the other; each must arrive. The thread also receives them, because the
 * buffer of the socket has room for those of ten seconds only.
 */
final class SteadyFlow implements AutoCloseable
{
    /** UDP port that the packets are sent to. */
    static final int PORT = 40_000;

    private final RouterLifeLab lab;
    private final DatagramChannel from;
    private final DatagramChannel to;
    private final SocketAddress target;
    private final Thread thread = new Thread(this::send, "steady-flow");
    private volatile boolean isSending = true;
    private volatile int sent;
    /** Written by the thread, and after its end by the test. */
    private int received;
    private volatile IOException failure;

    /** Begins to send; the neighbours are to be known, because held frames may be dropped. Closes both sockets. */
    SteadyFlow(final RouterLifeLab lab, final DatagramChannel from, final DatagramChannel to) throws IOException
    {
        this.lab = lab;
        this.from = from;
        this.to = to;
        this.target = to.getLocalAddress();
        thread.start();
    }

    /** Opens a UDP socket of a host that does not block; port 0 for any port. */
    static DatagramChannel open(final Host host, final String address, final int port)
    {
        return NetworkNamespace.call(host.namespaceFile(), () ->
        {
            try
            {
                final DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
                channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 22);
                channel.bind(new InetSocketAddress(address, port)).configureBlocking(false);
                return channel;
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        });
    }

    /** Receives what a socket has; returns the number of packets. */
    static int drain(final DatagramChannel channel) throws IOException
    {
        int count = 0;
        while (channel.receive(ByteBuffer.allocate(Integer.BYTES)) != null)
        {
            count++;
        }
        return count;
    }

    private void send()
    {
        try
        {
            while (isSending)
            {
                // A full buffer of the socket takes nothing.
                sent = sent + (from.send(ByteBuffer.allocate(Integer.BYTES), target) > 0 ? 1 : 0);
                received += drain(to);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
        catch (final IOException ex)
        {
            failure = isSending ? ex : null;
        }
    }

    /** Ends the flow and waits for its last packets. */
    void assertNothingLost() throws Exception
    {
        isSending = false;
        thread.join();
        assertEquals(null, failure);
        for (int quietMs = 0; received < sent && quietMs < 5000; quietMs++)
        {
            final int now = drain(to);
            received += now;
            quietMs = now > 0 ? 0 : quietMs;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertTrue(sent > 100, "sent " + sent);
        assertEquals(sent, received, lab::traffic);
    }

    @Override
    public void close() throws IOException
    {
        isSending = false;
        from.close();
        to.close();
    }
}
