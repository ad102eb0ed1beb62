package org.fibnuma.ipnuma.naming.socket;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.naming.NameProtocol;
import org.fibnuma.ipnuma.naming.NamedRegion;
import org.fibnuma.ipnuma.naming.TransientLookupException;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks up regions of endpoints by name, in clear text or, with the certificate of a CA, only over TLS. For any thread.
 * Each lookup blocks until it is answered.
 */
public final class NameClient implements AutoCloseable
{
    private static final int CONNECT_TIMEOUT_MS = 1000;
    private static final long ANSWER_TIMEOUT_MS = 2000;
    private static final long FIRST_PAUSE_MS = 50;
    private static final long LAST_PAUSE_MS = 1000;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
        1, new DefaultThreadFactory("name-client", true), NioIoHandler.newFactory());

    private final SslContext tls;

    /** Creates a client for clear text, which gets keys only over loopback. */
    public NameClient()
    {
        tls = null;
    }

    /**
     * Creates a client for TLS.
     *
     * @param authority PEM file of the CA that signed the servers' certificates, or of a server's certificate. No other
     *                  is trusted. A server's certificate must contain the server's address or name as a subject
     *                  alternative name.
     * @throws UserException if the file is not a certificate.
     */
    public NameClient(final Path authority)
    {
        try
        {
            tls = SslContextBuilder.forClient().trustManager(authority.toFile()).sslProvider(SslProvider.JDK).build();
        }
        catch (final IllegalArgumentException | SSLException ex)
        {
            throw new UserException(authority + " is not a PEM file of a certificate: " + ex.getMessage(), ex);
        }
    }

    /**
     * Looks up a region and its key. If the endpoint does not answer or does not yet have the region, repeats the
     * request after a pause that doubles.
     *
     * @param server   {@code [endpoint] names} of the peer.
     * @param name     of the region.
     * @param patience time for repetitions in milliseconds; 0 for one request.
     * @return the region.
     * @throws TransientLookupException if, in the last answer, there is no such region for this client or there are too
     *                                  many connections.
     * @throws UserException   if the server does not answer, refuses, or is not an endpoint.
     */
    public NamedRegion lookup(final InetSocketAddress server, final String name, final long patience)
    {
        return lookup(server, name, NameProtocol.request(name), patience);
    }

    /**
     * Looks up a region without its key, otherwise as {@link #lookup} does.
     *
     * @param server   {@code [endpoint] names} of the peer.
     * @param name     of the region.
     * @param patience time for repetitions in milliseconds; 0 for one request.
     * @return the region, with {@link org.fibnuma.ipnuma.table.Region#NO_KEY}.
     */
    public NamedRegion lookupWithoutKey(final InetSocketAddress server, final String name, final long patience)
    {
        return lookup(server, name, NameProtocol.requestWithoutKey(name), patience);
    }

    private NamedRegion lookup(
        final InetSocketAddress server, final String name, final String request, final long patience)
    {
        final long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patience);
        long pauseMs = FIRST_PAUSE_MS;
        while (true)
        {
            try
            {
                return lookup(server, name, request);
            }
            catch (final TransientLookupException ex)
            {
                if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs) - end > 0 || Thread.interrupted())
                {
                    throw ex;
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMs));
            pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS);
        }
    }

    private NamedRegion lookup(final InetSocketAddress server, final String name, final String request)
    {
        final String where = server.getHostString() + ":" + server.getPort();
        final CompletableFuture<String> answer = new CompletableFuture<>();
        final Channel channel = new Bootstrap()
            .group(group)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
            .handler(new LineInitializer(
                tls == null ? null : socket -> tls.newHandler(socket.alloc(), server.getHostString(), server.getPort()),
                () -> new OneAnswer(request, answer)))
            .connect(server)
            .addListener(connected ->
            {
                if (!connected.isSuccess())
                {
                    answer.completeExceptionally(connected.cause());
                }
            })
            .channel();
        try
        {
            return NameProtocol.region(answer.get(ANSWER_TIMEOUT_MS, TimeUnit.MILLISECONDS), name, where);
        }
        catch (final TimeoutException ex)
        {
            throw new TransientLookupException(where + " does not answer within " + ANSWER_TIMEOUT_MS + " ms", ex);
        }
        catch (final ExecutionException ex)
        {
            if (ex.getCause() instanceof NotSslRecordException)
            {
                throw new UserException(
                    where + " does not support TLS: set names-certificate and names-key there", ex.getCause());
            }
            if (ex.getCause() instanceof SSLHandshakeException)
            {
                throw new UserException(where + " has no certificate for that address from the CA that is trusted " +
                    "here: " + ex.getCause().getMessage(), ex.getCause());
            }
            throw new TransientLookupException("cannot look up region " + name + " at " + where + ": " +
                ex.getCause().getMessage(), ex.getCause());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new UserException("interrupted while waiting for " + where, ex);
        }
        finally
        {
            channel.close();
        }
    }

    /** Stops the client's thread. Lookups in progress fail. */
    @Override
    public void close()
    {
        group.shutdownGracefully(0, ANSWER_TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    private static final class OneAnswer extends SimpleChannelInboundHandler<String>
    {
        private final String request;
        private final CompletableFuture<String> answer;

        OneAnswer(final String request, final CompletableFuture<String> answer)
        {
            this.request = request;
            this.answer = answer;
        }

        @Override
        public void channelActive(final ChannelHandlerContext context)
        {
            context.writeAndFlush(request + "\n");
        }

        @Override
        protected void channelRead0(final ChannelHandlerContext context, final String line)
        {
            answer.complete(line);
        }

        @Override
        public void channelInactive(final ChannelHandlerContext context)
        {
            answer.completeExceptionally(new UserException("the server closed the connection without an answer"));
        }

        @Override
        public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
        {
            final boolean isWrapped = cause instanceof DecoderException && cause.getCause() != null;
            answer.completeExceptionally(isWrapped ? cause.getCause() : cause);
        }
    }
}
