package org.fibnuma.ipnuma.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import org.agrona.CloseHelper;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamLab;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Netty programs at the ends of a link, each with two event loops. */
@Timeout(60)
class IpnumaSocketChannelTest
{
    private static final int RING = 4096;

    @TempDir
    private Path directory;
    private StreamLab lab;
    private EventLoopGroup near;
    private EventLoopGroup far;

    @BeforeEach
    void open() throws Exception
    {
        lab = new StreamLab(directory, "");
        near = new MultiThreadIoEventLoopGroup(
            2, IpnumaIoHandler.newFactory(lab.settings(1).withRings(16, RING)));
        far = new MultiThreadIoEventLoopGroup(
            2, IpnumaIoHandler.newFactory(lab.settings(2).withRings(16, RING)));
    }

    @AfterEach
    void close()
    {
        for (final EventLoopGroup group : new EventLoopGroup[] {near, far})
        {
            if (group != null)
            {
                group.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
            }
        }
        CloseHelper.close(lab);
    }

    private Channel serve(final ChannelHandler handler)
    {
        return new ServerBootstrap().group(far).channel(IpnumaServerSocketChannel.class)
            .childHandler(new ChannelInitializer<SocketChannel>()
            {
                @Override
                protected void initChannel(final SocketChannel channel)
                {
                    channel.pipeline().addLast(handler);
                }
            })
            .bind(new IpnumaSocketAddress(2, 7000)).syncUninterruptibly().channel();
    }

    private Bootstrap client(final ChannelHandler handler)
    {
        return new Bootstrap().group(near).channel(IpnumaSocketChannel.class).handler(handler);
    }

    @ChannelHandler.Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter
    {
        @Override
        public void channelRead(final ChannelHandlerContext context, final Object message)
        {
            context.writeAndFlush(message);
        }
    }

    /** Collects bytes as text until the channel is closed. */
    private static final class Collector extends ChannelInboundHandlerAdapter
    {
        private final CompletableFuture<String> all = new CompletableFuture<>();
        private final StringBuilder text = new StringBuilder();
        private volatile int length;

        @Override
        public void channelRead(final ChannelHandlerContext context, final Object message)
        {
            final ByteBuf bytes = (ByteBuf)message;
            text.append(bytes.toString(StandardCharsets.US_ASCII));
            bytes.release();
            length = text.length();
        }

        private void awaitLength(final int bytes) throws InterruptedException
        {
            while (length < bytes)
            {
                Thread.sleep(1);
            }
        }

        @Override
        public void channelInactive(final ChannelHandlerContext context)
        {
            all.complete(text.toString());
        }
    }

    @Test
    void shouldEchoMoreThanARing() throws Exception
    {
        final Channel server = serve(new Echo());
        assertEquals(new InetSocketAddress("0.0.0.2", 7000), server.localAddress());
        final Collector collector = new Collector();
        final Channel channel = client(collector).connect(server.localAddress()).sync().channel();
        assertEquals(server.localAddress(), channel.remoteAddress());
        final String text = "0123456789abcdef".repeat(5 * RING / 16);
        channel.writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII)).sync();
        collector.awaitLength(text.length());
        ((SocketChannel)channel).shutdownOutput();
        assertTrue(text.equals(collector.all.get()), "other bytes came back");
    }
}
