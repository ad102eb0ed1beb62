package org.fibnuma.ipnuma.naming.socket;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.ssl.OptionalSslHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.naming.CertificateFiles;
import org.fibnuma.ipnuma.naming.NameDirectory;
import org.fibnuma.ipnuma.naming.NameProtocol;

import javax.net.ssl.SSLException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Answers one request on each connection and closes it, on a separate thread. Unknown sources can use at most {@value
 * #MAX_CONNECTIONS} connections of {@link NameProtocol#MAX_LINE_BYTES} bytes for {@value #LIFETIME_MS} ms each. With a
 * certificate, TLS and clear text are accepted on the same TCP port. Keys of regions are sent only over TLS and
 * loopback.
 */
public final class NameServer implements AutoCloseable
{
    /** Maximum number of simultaneous connections. A further one is closed with an answer that gives this reason. */
    public static final int MAX_CONNECTIONS = 64;
    /** Longest lifetime of a connection in milliseconds. */
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
     * Starts a server for clear text.
     *
     * @param address   of this host; port 0 for any free port.
     * @param directory for the answers.
     * @return the listening server.
     * @throws UserException if it cannot listen there.
     */
    public static NameServer start(final InetSocketAddress address, final NameDirectory directory)
    {
        return AllOrNothing.open(new NameServer(directory), server -> server.bind(address, null));
    }

    /**
     * Starts a server for TLS and clear text.
     *
     * @param address     of this host; port 0 for any free port.
     * @param directory   for the answers.
     * @param certificate from a CA that clients trust.
     * @return the listening server.
     * @throws UserException if it cannot listen there, or a file is invalid.
     */
    public static NameServer start(
        final InetSocketAddress address, final NameDirectory directory, final CertificateFiles certificate)
    {
        final SslContext context = context(certificate);
        return AllOrNothing.open(
            new NameServer(directory), server -> server.bind(address, channel -> new OptionalSslHandler(context)));
    }

    private static SslContext context(final CertificateFiles files)
    {
        try
        {
            return SslContextBuilder.forServer(files.certificate().toFile(), files.key().toFile())
                .sslProvider(SslProvider.JDK).build();
        }
        catch (final IllegalArgumentException | SSLException ex)
        {
            throw new UserException("cannot serve names with names-certificate " + files.certificate() +
                " and names-key " + files.key() + ": give two PEM files, the key as PKCS #8 without a password: " +
                reason(ex), ex);
        }
    }

    private static String reason(final Throwable thrown)
    {
        Throwable root = thrown;
        while (root.getCause() != null)
        {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }

    private void bind(final InetSocketAddress wanted, final Function<Channel, ChannelHandler> tls)
    {
        final ServerBootstrap bootstrap = new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childHandler(new LineInitializer(tls, OneRequest::new));
        final ChannelFuture bound = bootstrap.bind(wanted).awaitUninterruptibly();
        if (bound.cause() != null)
        {
            throw new UserException("cannot serve names on " + wanted.getHostString() + ":" + wanted.getPort() + ": " +
                bound.cause().getMessage(), bound.cause());
        }
        address = (InetSocketAddress)bound.channel().localAddress();
    }

    /** Returns the address on which the server listens, with the actual TCP port. */
    public InetSocketAddress address()
    {
        return address;
    }

    /** Stops listening and closes all connections. */
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
                answer(context, NameProtocol.retryLater("too many connections: try again"));
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
                final boolean isConfidential =
                    ipv4.isLoopbackAddress() || context.pipeline().get(SslHandler.class) != null;
                answer(context,
                    directory.answer(line, ByteBuffer.wrap(ipv4.getAddress()).getInt(), isConfidential));
            }
            else
            {
                answer(context, NameProtocol.error("only IPv4 clients are served"));
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
