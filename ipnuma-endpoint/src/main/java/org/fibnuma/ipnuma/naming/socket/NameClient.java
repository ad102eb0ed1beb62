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
import io.netty.util.concurrent.DefaultThreadFactory;
import org.fibnuma.ipnuma.naming.NameException;
import org.fibnuma.ipnuma.naming.NameProtocol;
import org.fibnuma.ipnuma.naming.NamedRegion;
import org.fibnuma.ipnuma.naming.NotNowException;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Asks endpoints for regions by name. Any thread; each question waits for its answer. */
public final class NameClient implements AutoCloseable
{
    private static final int CONNECT_TIMEOUT_MS = 1000;
    private static final long ANSWER_TIMEOUT_MS = 2000;
    private static final long FIRST_PAUSE_MS = 50;
    private static final long LAST_PAUSE_MS = 1000;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
        1, new DefaultThreadFactory("name-client", true), NioIoHandler.newFactory());

    /**
     * Asks until there is an answer: an endpoint that is not there yet, or has no such region yet, is asked again
     * after a pause that doubles.
     *
     * @param server  {@code [endpoint] names} of the peer.
     * @param name    of the region.
     * @param patience how long to go on, in milliseconds; 0 asks once.
     * @return the region.
     * @throws NotNowException where the endpoint has none of that name for us, or too much to do, to the end.
     * @throws NameException        where it does not answer, refuses, or is no endpoint.
     */
    public NamedRegion lookup(final InetSocketAddress server, final String name, final long patience)
    {
        final long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patience);
        long pauseMs = FIRST_PAUSE_MS;
        while (true)
        {
            try
            {
                return ask(server, name);
            }
            catch (final NotNowException | UnreachableException ex)
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

    private NamedRegion ask(final InetSocketAddress server, final String name)
    {
        final String where = server.getHostString() + ":" + server.getPort();
        final CompletableFuture<String> answer = new CompletableFuture<>();
        final Channel channel = new Bootstrap()
            .group(group)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
            .handler(new LineInitializer(() -> new OneAnswer(name, answer)))
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
            throw new UnreachableException(where + " does not answer within " + ANSWER_TIMEOUT_MS + " ms", ex);
        }
        catch (final ExecutionException ex)
        {
            throw new UnreachableException("cannot ask " + where + " for region " + name + ": " +
                ex.getCause().getMessage(), ex.getCause());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new NameException("interrupted while asking " + where, ex);
        }
        finally
        {
            channel.close();
        }
    }

    /** Ends its thread; questions under way fail. */
    @Override
    public void close()
    {
        group.shutdownGracefully(0, ANSWER_TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    /** It may be there later. */
    private static final class UnreachableException extends NameException
    {
        private static final long serialVersionUID = 1;

        UnreachableException(final String message, final Throwable cause)
        {
            super(message, cause);
        }
    }

    private static final class OneAnswer extends SimpleChannelInboundHandler<String>
    {
        private final String name;
        private final CompletableFuture<String> answer;

        OneAnswer(final String name, final CompletableFuture<String> answer)
        {
            this.name = name;
            this.answer = answer;
        }

        @Override
        public void channelActive(final ChannelHandlerContext context)
        {
            context.writeAndFlush(NameProtocol.request(name) + "\n");
        }

        @Override
        protected void channelRead0(final ChannelHandlerContext context, final String line)
        {
            answer.complete(line);
        }

        @Override
        public void channelInactive(final ChannelHandlerContext context)
        {
            answer.completeExceptionally(new NameException("it closed the connection without an answer"));
        }

        @Override
        public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
        {
            answer.completeExceptionally(cause);
        }
    }
}
