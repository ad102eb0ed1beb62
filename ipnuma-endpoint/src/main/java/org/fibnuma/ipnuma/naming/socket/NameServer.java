package org.fibnuma.ipnuma.naming.socket;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.fibnuma.ipnuma.naming.NameDirectory;
import org.fibnuma.ipnuma.naming.NameException;
import org.fibnuma.ipnuma.naming.NameProtocol;

import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers one line on each connection and closes it. Strangers can hold {@value #MAX_CONNECTIONS} connections of
 * {@link NameProtocol#MAX_LINE_BYTES} bytes for {@value #LIFETIME_MS} ms each and nothing more; one thread of its own.
 */
public final class NameServer implements AutoCloseable
{
    /** At once; more are told so and closed. */
    public static final int MAX_CONNECTIONS = 64;
    /** Of a connection, whatever it does. */
    public static final int LIFETIME_MS = 3000;

    private static final long STOP_TIMEOUT_MS = 2000;
    private static final int BACKLOG = 64;

    private final NameDirectory directory;
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
        1, new DefaultThreadFactory("names", true), NioIoHandler.newFactory());
    private final AtomicInteger connections = new AtomicInteger();
    private InetSocketAddress address;

    private NameServer(final NameDirectory directory)
    {
        this.directory = directory;
    }

    /**
     * Starts to listen.
     *
     * @param address   of this machine; port 0 takes any.
     * @param directory to answer from.
     * @return the listening server.
     * @throws NameException saying in one line why it cannot listen there.
     */
    public static NameServer start(final InetSocketAddress address, final NameDirectory directory)
    {
        final NameServer server = new NameServer(directory);
        boolean complete = false;
        try
        {
            server.bind(address);
            complete = true;
            return server;
        }
        finally
        {
            if (!complete)
            {
                server.close();
            }
        }
    }

    private void bind(final InetSocketAddress wanted)
    {
        final ServerBootstrap bootstrap = new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childHandler(new LineInitializer(OneRequest::new));
        final ChannelFuture bound = bootstrap.bind(wanted).awaitUninterruptibly();
        if (bound.cause() != null)
        {
            throw new NameException("cannot serve names on " + wanted.getHostString() + ":" + wanted.getPort() + ": " +
                bound.cause().getMessage(), bound.cause());
        }
        address = (InetSocketAddress)bound.channel().localAddress();
    }

    /**
     * Where it listens.
     *
     * @return with the port that it has.
     */
    public InetSocketAddress address()
    {
        return address;
    }

    /** Stops listening and drops who is connected. */
    @Override
    public void close()
    {
        group.shutdownGracefully(0, STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(STOP_TIMEOUT_MS);
    }

    private final class OneRequest extends SimpleChannelInboundHandler<String>
    {
        private boolean answered;

        @Override
        public void channelActive(final ChannelHandlerContext context)
        {
            context.executor().schedule(() -> context.close(), LIFETIME_MS, TimeUnit.MILLISECONDS);
            if (connections.incrementAndGet() > MAX_CONNECTIONS)
            {
                answer(context, NameProtocol.later("too many ask at once: try again"));
            }
        }

        @Override
        public void channelInactive(final ChannelHandlerContext context)
        {
            connections.decrementAndGet();
        }

        @Override
        protected void channelRead0(final ChannelHandlerContext context, final String line)
        {
            if (context.channel().remoteAddress() instanceof InetSocketAddress peer &&
                peer.getAddress() instanceof Inet4Address ipv4)
            {
                answer(context, directory.answer(line, ByteBuffer.wrap(ipv4.getAddress()).getInt()));
            }
            else
            {
                answer(context, NameProtocol.error("ask from an IPv4 address"));
            }
        }

        @Override
        public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
        {
            if (cause instanceof TooLongFrameException)
            {
                answer(context, NameProtocol.error(
                    "a request has at most " + NameProtocol.MAX_LINE_BYTES + " bytes"));
            }
            else
            {
                context.close();
            }
        }

        private void answer(final ChannelHandlerContext context, final String line)
        {
            if (!answered)
            {
                answered = true;
                context.channel().config().setAutoRead(false);
                context.writeAndFlush(line + "\n").addListener(ChannelFutureListener.CLOSE);
            }
        }
    }
}
