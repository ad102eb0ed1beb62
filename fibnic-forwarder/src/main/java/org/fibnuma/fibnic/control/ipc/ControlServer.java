package org.fibnuma.fibnic.control.ipc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.string.StringDecoder;
import io.netty.handler.codec.string.StringEncoder;
import io.netty.util.concurrent.DefaultThreadFactory;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/** Listens on a UNIX-domain socket of mode 0600, on one thread of its own. */
public final class ControlServer implements AutoCloseable
{
    private static final String MODE = "rw-------";
    private static final long STOP_TIMEOUT_MS = 2000;

    private final Path path;
    private final EventLoopGroup group;

    private ControlServer(final Path path, final EventLoopGroup group)
    {
        this.path = path;
        this.group = group;
    }

    /**
     * Starts to listen. A socket file that is there already is left over from a process that died, since a router's
     * name belongs to one process at a time: it is replaced.
     *
     * @param path    of the socket.
     * @param handler of every request.
     * @return the listening server.
     * @throws IOException saying why it cannot listen there.
     */
    public static ControlServer start(final Path path, final ControlRequestHandler handler) throws IOException
    {
        ControlSocketPath.makeDirectory(path);
        Files.deleteIfExists(path);
        final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("control-socket", true), NioIoHandler.newFactory());
        final ControlServer server = new ControlServer(path, group);
        boolean complete = false;
        try
        {
            server.bind(handler);
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

    private void bind(final ControlRequestHandler handler) throws IOException
    {
        final ServerBootstrap bootstrap = new ServerBootstrap()
            .group(group)
            .channel(NioServerDomainSocketChannel.class)
            .childHandler(new ChannelInitializer<Channel>()
            {
                @Override
                protected void initChannel(final Channel channel)
                {
                    channel.pipeline().addLast(
                        new LineBasedFrameDecoder(ControlProtocol.MAX_REQUEST_BYTES),
                        new StringDecoder(StandardCharsets.UTF_8),
                        new StringEncoder(StandardCharsets.UTF_8),
                        new RequestLine(handler));
                }
            });
        final Throwable failure = bootstrap.bind(UnixDomainSocketAddress.of(path)).awaitUninterruptibly().cause();
        if (failure != null)
        {
            throw new IOException("cannot listen on " + path + ": " + failure.getMessage(), failure);
        }
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(MODE));
    }

    /** Stops listening and removes the socket. */
    @Override
    public void close()
    {
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

    private static final class RequestLine extends SimpleChannelInboundHandler<String>
    {
        private final ControlRequestHandler handler;

        RequestLine(final ControlRequestHandler handler)
        {
            this.handler = handler;
        }

        @Override
        protected void channelRead0(final ChannelHandlerContext context, final String line)
        {
            final JsonNode request;
            try
            {
                request = ControlProtocol.JSON.readTree(line);
            }
            catch (final JsonProcessingException ex)
            {
                answer(context, ControlProtocol.error("the request is no JSON: " + ex.getOriginalMessage()));
                return;
            }
            handler.onRequest(request, answer -> answer(context, answer));
        }

        @Override
        public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
        {
            context.close();
        }

        private static void answer(final ChannelHandlerContext context, final JsonNode answer)
        {
            context.writeAndFlush(answer.toString() + "\n");
        }
    }
}
