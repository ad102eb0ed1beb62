package org.fibnuma.bench.stream.netty;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import org.fibnuma.ipnuma.client.CompanionEndpoint;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.netty.IpnumaIoHandler;
import org.fibnuma.ipnuma.netty.IpnumaServerSocketChannel;
import org.fibnuma.ipnuma.netty.IpnumaSocketChannel;
import org.fibnuma.ipnuma.stream.StreamSettings;

/**
 * What a program of Netty takes from a transport.
 *
 * @param name     of the transport.
 * @param factory  of the handlers of event loops.
 * @param client   class of connecting channels.
 * @param listener class of listening channels.
 */
record NettyTransport(String name, IoHandlerFactory factory, Class<? extends SocketChannel> client,
    Class<? extends ServerSocketChannel> listener)
{
    /** Returns the transport of TCP: epoll, or NIO where the native library of epoll is missing. */
    static NettyTransport tcp()
    {
        return Epoll.isAvailable() ?
            new NettyTransport(
                "epoll", EpollIoHandler.newFactory(), EpollSocketChannel.class, EpollServerSocketChannel.class) :
            new NettyTransport("nio", NioIoHandler.newFactory(), NioSocketChannel.class, NioServerSocketChannel.class);
    }

    /** Returns the transport over an endpoint that the event loop runs, with the endpoint's idle strategy. */
    static NettyTransport ipnuma(final EndpointConfig config, final int pcId, final CompanionEndpoint endpoint)
    {
        return new NettyTransport("ipnuma",
            IpnumaIoHandler.newFactory(
                StreamSettings.of(config.name(), pcId).withEndpoint(endpoint), config.thread().idle()),
            IpnumaSocketChannel.class, IpnumaServerSocketChannel.class);
    }
}
