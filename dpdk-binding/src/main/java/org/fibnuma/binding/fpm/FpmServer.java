package org.fibnuma.binding.fpm;

import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;
import org.fibnuma.binding.rtnetlink.HandedRouteDecoder;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.RouteFeed;
import org.fibnuma.core.kernel.RouteFeedListener;
import org.fibnuma.core.service.config.SocketAddressText;

import jdk.net.ExtendedSocketOptions;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;

/**
 * Listens for zebra. A second connection is refused while one is open, because two daemons that retry every 3 s would
 * otherwise replace each other. Keepalives end the connection of a daemon whose host is unreachable.
 */
public final class FpmServer implements RouteFeed
{
    /** Seconds without data before the first keepalive. */
    private static final int KEEPALIVE_IDLE_S = 10;
    private static final int KEEPALIVE_INTERVAL_S = 3;
    private static final int KEEPALIVE_COUNT = 3;
    /** Most connections that the kernel has not passed on. */
    private static final int BACKLOG = 4;
    private static final int RECEIVE_BUFFER_LENGTH = 1 << 20;

    private final ServerSocketChannel server;
    private final HandedRouteDecoder decoder = new HandedRouteDecoder();
    private FpmConnection connection;
    private boolean isRefusalReported;

    private FpmServer(final ServerSocketChannel server)
    {
        this.server = server;
    }

    /**
     * Listens for zebra with its module {@code dplane_fpm_nl}.
     *
     * @param address to listen on, resolved; TCP port 0 for any free one.
     * @throws UserException with one line for the user if it cannot listen there.
     */
    public static FpmServer listen(final InetSocketAddress address)
    {
        ServerSocketChannel channel = null;
        try
        {
            channel = ServerSocketChannel.open();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_LENGTH);
            channel.bind(address, BACKLOG);
            return new FpmServer(channel);
        }
        catch (final IOException ex)
        {
            CloseHelper.quietClose(channel);
            throw new UserException(
                "fpm: cannot listen on " + SocketAddressText.format(address) + ": " + ex.getMessage(), ex);
        }
    }

    int port()
    {
        return server.socket().getLocalPort();
    }

    @Override
    public int poll(final RouteFeedListener listener)
    {
        accept(listener);
        if (connection == null)
        {
            return 0;
        }
        int frames = 0;
        try
        {
            frames = connection.poll(listener);
        }
        finally
        {
            final String end = connection.end();
            if (end != null)
            {
                connection.close();
                connection = null;
                listener.onDisconnect(end);
            }
        }
        return frames;
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(connection, server);
    }

    private void accept(final RouteFeedListener listener)
    {
        SocketChannel channel = null;
        try
        {
            channel = server.accept();
            if (channel != null)
            {
                adopt(channel, listener);
            }
        }
        catch (final IOException ex)
        {
            // The other end has closed, or the process has too many open files. zebra connects again.
            CloseHelper.quietClose(channel);
        }
    }

    private void adopt(final SocketChannel channel, final RouteFeedListener listener) throws IOException
    {
        final String peer = SocketAddressText.format((InetSocketAddress)channel.getRemoteAddress());
        if (connection != null)
        {
            channel.close();
            if (!isRefusalReported)
            {
                isRefusalReported = true;
                listener.onRefuse(peer);
            }
            return;
        }
        channel.configureBlocking(false);
        keepAlive(channel);
        decoder.clear();
        connection = new FpmConnection(channel, peer, decoder, SystemNanoClock.INSTANCE);
        isRefusalReported = false;
        listener.onConnect(peer);
    }

    private static void keepAlive(final SocketChannel channel) throws IOException
    {
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (channel.supportedOptions().containsAll(Set.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, ExtendedSocketOptions.TCP_KEEPINTERVAL,
            ExtendedSocketOptions.TCP_KEEPCOUNT)))
        {
            channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEPALIVE_IDLE_S);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEPALIVE_INTERVAL_S);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_COUNT);
        }
    }
}
