package org.fibnuma.core.service.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.fibnuma.core.AllOrNothing;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP server with its own thread, {@code http}. {@link #bind} reserves the address; {@link #serve} accepts clients.
 */
public final class HttpServer implements AutoCloseable
{
    private static final long STOP_TIMEOUT_MS = 2000;

    private final EventLoopGroup group;
    private final HttpConnections connections;
    private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    /** Set before clients are accepted. */
    private volatile HttpPaths paths = new HttpPaths(Map.of(), Map.of());
    private final RequestOrigin origin;
    /** Null if all users of this host may read. */
    private final LocalUsers users;
    private Channel listener;

    private HttpServer(
        final EventLoopGroup group, final HttpLimits limits, final Set<String> names, final LocalUsers users)
    {
        this.group = group;
        this.users = users;
        this.origin = new RequestOrigin(names);
        this.connections = new HttpConnections(limits);
    }

    /**
     * Reserves an address for a server, which accepts no client yet.
     *
     * @param listen   address and TCP port, 0 for any port.
     * @param names    host names in lower case for URLs of the server, beside its addresses and {@code localhost}.
     * @param allUsers whether all users of this host may read, or only root, the user of this process and members of
     *                 its group. The latter needs a loopback address.
     * @throws IOException with the kernel's reason why the address cannot be used.
     */
    public static HttpServer bind(final InetSocketAddress listen, final Set<String> names, final boolean allUsers)
        throws IOException
    {
        return bind(listen, names, allUsers, HttpLimits.DEFAULT);
    }

    static HttpServer bind(
        final InetSocketAddress listen, final Set<String> names, final boolean allUsers, final HttpLimits limits)
        throws IOException
    {
        final LocalUsers readers = allUsers ? null : LocalUsers.ofThisProcess();
        final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("http", true), NioIoHandler.newFactory());
        return AllOrNothing.open(new HttpServer(group, limits, names, readers), server -> server.listen(listen));
    }

    private void listen(final InetSocketAddress address) throws IOException
    {
        final ChannelFuture bound = new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.SO_BACKLOG, HttpLimits.BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(HttpLimits.RECEIVE_BYTES))
            .childHandler(new ChannelInitializer<Channel>()
            {
                @Override
                protected void initChannel(final Channel channel)
                {
                    clients.add(channel);
                    channel.pipeline().addLast(
                        new HttpServerCodec(new HttpDecoderConfig()
                            .setMaxInitialLineLength(HttpLimits.MAX_LINE_BYTES)
                            .setMaxHeaderSize(HttpLimits.MAX_HEADER_BYTES)),
                        new FlowControlHandler(),
                        new HttpRequests(paths, connections, origin, users));
                }
            })
            .bind(address).awaitUninterruptibly();
        if (bound.cause() != null)
        {
            throw new IOException(bound.cause().getMessage(), bound.cause());
        }
        listener = bound.channel();
    }

    /** Accepts clients for some paths. */
    public void serve(final HttpPaths served)
    {
        paths = served;
        listener.config().setAutoRead(true);
    }

    /** Returns the address that the server listens on. */
    public InetSocketAddress address()
    {
        return (InetSocketAddress)listener.localAddress();
    }

    /** Returns the server's thread, which the caller does not shut down. A closed server rejects tasks. */
    public ScheduledExecutorService thread()
    {
        return group;
    }

    /** Returns connections and unread answers, for tests. */
    HttpConnections connections()
    {
        return connections;
    }

    /** Stops listening and closes all connections, also with unread answers. Further calls have no effect. */
    @Override
    public void close()
    {
        if (!group.isShuttingDown())
        {
            if (listener != null)
            {
                listener.close().awaitUninterruptibly(STOP_TIMEOUT_MS);
            }
            clients.close().awaitUninterruptibly(STOP_TIMEOUT_MS);
        }
        group.shutdownGracefully(0, STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(STOP_TIMEOUT_MS);
    }
}
