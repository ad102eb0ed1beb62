package org.fibnuma.ipnuma.memcached.socket;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.internal.PlatformDependent;
import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.memcached.store.ItemStore;
import org.fibnuma.ipnuma.memcached.store.ServerClock;
import org.fibnuma.ipnuma.stream.StreamSettings;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A memcached server: one store, and the channels through which clients reach it. One thread opens and closes it. It
 * serves on its own threads.
 */
public final class MemcachedServer implements AutoCloseable
{
    /** Bytes that wait for a client, above which the server stops reading from it. */
    private static final int HIGH_WATER_MARK = 256 * 1024;
    private static final int LOW_WATER_MARK = 64 * 1024;
    static final int BACKLOG = 1024;
    private static final int MAX_DATAGRAM = 0xFFFF;
    /** Bytes of datagrams that can wait in the kernel while commands are executed. */
    private static final int DATAGRAM_BUFFER = 4 << 20;
    /** Interval in which some buckets are searched for expired items. */
    static final int CRAWL_MS = 100;
    /** With 2^19 buckets, for 64 MiB, all buckets are searched in less than a minute. */
    private static final int BUCKETS_FOR_CRAWL = 1024;
    private static final long MEBIBYTE = 1 << 20;
    /** Maximum time for the end of a thread. */
    static final int END_MS = 5000;

    private final MemcachedSettings settings;
    private final StoreAccess access;
    private final ConnectionLimit connections;
    /** Null without TCP and UDP. */
    private EventLoopGroup group;
    private final List<Channel> channels = new ArrayList<>();
    /** Null without streams. */
    private StreamServer streamServer;

    private MemcachedServer(final MemcachedSettings settings)
    {
        this.settings = settings;
        connections = new ConnectionLimit(settings.maxConnections());
        final ItemStore store = new ItemStore(settings.store(), ServerClock.system());
        access = new StoreAccess(store, new CommandSet(store, new StatsCommand(store, settings, connections)));
    }

    /**
     * Opens all channels of the settings, or none.
     *
     * @param settings of the server.
     * @return the server, which the caller closes.
     * @throws UserException with one line if memory or an address is not available.
     */
    public static MemcachedServer open(final MemcachedSettings settings)
    {
        checkMemory(settings.store().memoryBytes());
        final MemcachedServer server = new MemcachedServer(settings);
        try
        {
            server.openSockets();
            server.openStreams();
            return server;
        }
        catch (final RuntimeException ex)
        {
            server.close();
            throw ex;
        }
    }

    private static void checkMemory(final long bytes)
    {
        final long available = PlatformDependent.maxDirectMemory();
        if (bytes > available)
        {
            throw new UserException("--memory " + bytes / MEBIBYTE + ": the JVM provides at most " +
                available / MEBIBYTE + " MiB outside the heap; give less, or set FIBNUMA_JAVA_OPTS=" +
                "-XX:MaxDirectMemorySize=" + (bytes / MEBIBYTE * 2) + "m");
        }
    }

    private void openSockets()
    {
        if (settings.tcp() == null && settings.udp() == null)
        {
            return;
        }
        group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        group.next().scheduleAtFixedRate(this::crawl, CRAWL_MS, CRAWL_MS, TimeUnit.MILLISECONDS);
        if (settings.tcp() != null)
        {
            listen(settings.tcp());
        }
        if (settings.udp() != null)
        {
            final Bootstrap bootstrap = new Bootstrap().group(group).channel(NioDatagramChannel.class)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(MAX_DATAGRAM))
                .option(ChannelOption.SO_RCVBUF, DATAGRAM_BUFFER)
                .option(ChannelOption.SO_SNDBUF, DATAGRAM_BUFFER)
                .handler(new DatagramHandler(access));
            channels.add(opened(bootstrap.bind(settings.udp()), settings.udp(), "--udp"));
        }
    }

    private void openStreams()
    {
        if (settings.ipnuma() != null)
        {
            final StreamSettings streams = StreamSettings.of(settings.endpoint(), settings.ipnuma().peerId())
                .withEndpoint(settings.companion());
            try
            {
                streamServer = StreamServer.open(streams, settings.ipnuma().port(), BACKLOG, settings.idle(), access,
                    connections, group == null ? this::crawl : () -> {});
            }
            catch (final IOException ex)
            {
                throw new UserException("--ipnuma " + settings.ipnuma() + ": " + ex.getMessage());
            }
        }
    }

    private void crawl()
    {
        access.lock();
        try
        {
            access.store().tick();
            access.store().crawl(BUCKETS_FOR_CRAWL);
        }
        finally
        {
            access.unlock();
        }
    }

    private void listen(final InetSocketAddress address)
    {
        final ServerBootstrap bootstrap = new ServerBootstrap().group(group).channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(LOW_WATER_MARK, HIGH_WATER_MARK))
            .childHandler(initializer());
        channels.add(opened(bootstrap.bind(address), address, "--tcp"));
    }

    private ChannelHandler initializer()
    {
        return new ChannelInitializer<>()
        {
            @Override
            protected void initChannel(final Channel channel)
            {
                channel.pipeline().addLast(new ConnectionHandler(access, connections));
            }
        };
    }

    private static Channel opened(
        final ChannelFuture future, final InetSocketAddress address, final String option)
    {
        future.awaitUninterruptibly();
        if (!future.isSuccess())
        {
            throw new UserException(option + " " + text(address) + ": " + future.cause().getMessage());
        }
        return future.channel();
    }

    private static String text(final InetSocketAddress address)
    {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** Returns the addresses of the open channels as text, in the order TCP, UDP, streams. */
    public List<String> addresses()
    {
        final List<String> addresses = new ArrayList<>();
        channels.forEach(channel -> addresses.add(text((InetSocketAddress)channel.localAddress())));
        if (streamServer != null)
        {
            addresses.add(streamServer.address().toString());
        }
        return addresses;
    }

    /** Returns the reason why the server has stopped serving a transport for good, or null; any thread. */
    public String failure()
    {
        return streamServer == null ? null : streamServer.failure();
    }

    /** Returns the local address of the first channel: that of TCP if there is TCP, else that of UDP. */
    InetSocketAddress firstAddress()
    {
        return (InetSocketAddress)channels.get(0).localAddress();
    }

    /** Returns the local address of UDP on a server with TCP and UDP. */
    InetSocketAddress udpAddress()
    {
        return (InetSocketAddress)channels.get(1).localAddress();
    }

    /** Closes connections and channels and ends the threads. */
    @Override
    public void close()
    {
        if (streamServer != null)
        {
            streamServer.close();
        }
        if (group != null)
        {
            group.shutdownGracefully(0, END_MS, TimeUnit.MILLISECONDS);
            group.terminationFuture().awaitUninterruptibly(END_MS);
        }
    }
}
