package org.fibnuma.ipnuma.pingpong;

import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;

/** A UDP socket of the kernel. The counter is the last four bytes of each datagram. */
final class UdpLink implements CounterLink
{
    private final DatagramChannel channel;
    private final String device;
    private final boolean connected;
    private final ByteBuffer sent;
    private final ByteBuffer received;
    private final int counterOffset;
    private SocketAddress peer;
    private int last;

    private UdpLink(
        final DatagramChannel channel, final InetSocketAddress address, final boolean connected, final int size)
    {
        this.channel = channel;
        this.device = address.getHostString() + ":" + address.getPort();
        this.connected = connected;
        this.sent = ByteBuffer.allocateDirect(size);
        this.received = ByteBuffer.allocateDirect(size);
        this.counterOffset = size - Integer.BYTES;
    }

    /** Opens a socket that receives at an address and sends to the source of the last datagram. */
    static UdpLink server(final InetSocketAddress address, final int size, final boolean polled)
    {
        return open(address, size, polled, false);
    }

    /** Opens a socket that sends to an address. */
    static UdpLink client(final InetSocketAddress address, final int size, final boolean polled)
    {
        return open(address, size, polled, true);
    }

    private static UdpLink open(
        final InetSocketAddress address, final int size, final boolean polled, final boolean connected)
    {
        DatagramChannel channel = null;
        boolean complete = false;
        try
        {
            channel = DatagramChannel.open();
            if (connected)
            {
                channel.connect(address);
            }
            else
            {
                channel.bind(address);
            }
            channel.configureBlocking(!polled);
            complete = true;
            return new UdpLink(channel, address, connected, size);
        }
        catch (final BindException ex)
        {
            throw new UserException("cannot listen on " + address + ": " + ex.getMessage() +
                "; give an address of this host and a free port", ex);
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot open a UDP socket for " + address + ": " + IoFailure.reason(ex), ex);
        }
        finally
        {
            if (!complete)
            {
                close(channel);
            }
        }
    }

    @Override
    public String device()
    {
        return device;
    }

    @Override
    public void send(final int counter)
    {
        sent.clear();
        sent.putInt(counterOffset, counter);
        try
        {
            if (connected)
            {
                channel.write(sent);
            }
            else
            {
                channel.send(sent, peer);
            }
        }
        catch (final ClosedChannelException ignore)
        {
            // Woken: the caller's loop ends.
        }
        catch (final IOException ex)
        {
            throw failure(ex);
        }
    }

    @Override
    public int poll()
    {
        received.clear();
        try
        {
            if (connected)
            {
                channel.read(received);
            }
            else
            {
                final SocketAddress from = channel.receive(received);
                peer = from == null ? peer : from;
            }
            if (received.position() == received.capacity())
            {
                last = received.getInt(counterOffset);
            }
        }
        catch (final ClosedChannelException ignore)
        {
            // Woken: the caller's loop ends.
        }
        catch (final IOException ex)
        {
            throw failure(ex);
        }
        return last;
    }

    private UserException failure(final IOException cause)
    {
        return cause instanceof PortUnreachableException ?
            new UserException("no server listens on " + device + ": start it first", cause) :
            new UserException("UDP at " + device + ": " + IoFailure.reason(cause), cause);
    }

    @Override
    public void wake()
    {
        close(channel);
    }

    @Override
    public void close()
    {
        close(channel);
    }

    private static void close(final DatagramChannel channel)
    {
        if (channel != null)
        {
            try
            {
                channel.close();
            }
            catch (final IOException ignore)
            {
                // A socket that fails to close is not used any more.
            }
        }
    }
}
