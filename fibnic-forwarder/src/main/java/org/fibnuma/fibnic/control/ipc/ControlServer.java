package org.fibnuma.fibnic.control.ipc;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.service.host.RunDirectory;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/**
 * Listens on a UNIX-domain socket of mode 0660, on one thread of its own. The directory decides whether the group has
 * access: by default only the user may enter it; the group may enter a directory of systemd. The number of clients, the
 * length of a request and the unread answers are limited. A client that exceeds a limit gets an error answer and is
 * disconnected.
 */
public final class ControlServer implements AutoCloseable
{
    private static final String MODE = "rw-rw----";
    private static final long STOP_TIMEOUT_MS = 2000;

    /** Bytes of requests that are read at once. */
    private static final int RECEIVE_BYTES = 4096;

    private final Path path;
    private final EventLoopGroup group;
    private final ControlLimits limits;
    private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    private ControlServer(final Path path, final EventLoopGroup group, final ControlLimits limits)
    {
        this.path = path;
        this.group = group;
        this.limits = limits;
    }

    /**
     * Starts to listen. Replaces an existing socket file, which must be of a dead process, because a router's name
     * belongs to one process at a time.
     *
     * @param path    of the socket.
     * @param handler of every request.
     * @return the listening server.
     * @throws IOException with the reason why it cannot listen there.
     */
    public static ControlServer start(final Path path, final ControlRequestHandler handler) throws IOException
    {
        return start(path, handler, new ControlLimits(ControlLimits.MAX_CLIENTS, ControlLimits.READ_TIMEOUT_MS));
    }

    static ControlServer start(final Path path, final ControlRequestHandler handler, final ControlLimits limits)
        throws IOException
    {
        RunDirectory.make(path.getParent());
        Files.deleteIfExists(path);
        final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("control-socket", true), NioIoHandler.newFactory());
        return AllOrNothing.open(new ControlServer(path, group, limits), server -> server.bind(handler));
    }

    private void bind(final ControlRequestHandler handler) throws IOException
    {
        final ServerBootstrap bootstrap = new ServerBootstrap()
            .group(group)
            .channel(NioServerDomainSocketChannel.class)
            .childOption(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(RECEIVE_BYTES))
            .childHandler(new ChannelInitializer<Channel>()
            {
                @Override
                protected void initChannel(final Channel channel)
                {
                    clients.add(channel);
                    channel.pipeline().addLast(new ClientRequests(handler, limits));
                }
            });
        final Throwable failure = bootstrap.bind(UnixDomainSocketAddress.of(path)).awaitUninterruptibly().cause();
        if (failure != null)
        {
            throw new IOException("cannot listen on " + path + ": " + failure.getMessage(), failure);
        }
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(MODE));
    }

    /** Returns the bytes of answers that clients have not read; any thread. */
    long pendingBytes()
    {
        return limits.pendingBytes();
    }

    /** Writes pending answers, stops listening and removes the socket. */
    @Override
    public void close()
    {
        if (!group.isShuttingDown())
        {
            // Answers of other threads are earlier tasks of the one event loop.
            group.submit(() -> {}).awaitUninterruptibly(STOP_TIMEOUT_MS);
            clients.close().awaitUninterruptibly(STOP_TIMEOUT_MS);
        }
        group.shutdownGracefully(0, STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(STOP_TIMEOUT_MS);
        try
        {
            Files.deleteIfExists(path);
        }
        catch (final IOException ignore)
        {
            // The next router of this name replaces it.
        }
    }
}
