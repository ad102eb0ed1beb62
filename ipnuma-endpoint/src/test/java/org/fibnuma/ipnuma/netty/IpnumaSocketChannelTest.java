package org.fibnuma.ipnuma.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.SocketChannel;
import org.agrona.CloseHelper;
import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamLab;
import org.fibnuma.ipnuma.stream.StreamSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
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

    @Test
    void shouldStopAWriterWhoseReaderDoesNotRead() throws Exception
    {
        final CompletableFuture<Channel> accepted = new CompletableFuture<>();
        final Collector collector = new Collector();
        final Channel server = new ServerBootstrap().group(far).channel(IpnumaServerSocketChannel.class)
            .childOption(ChannelOption.AUTO_READ, false)
            .childHandler(new ChannelInitializer<SocketChannel>()
            {
                @Override
                protected void initChannel(final SocketChannel channel)
                {
                    channel.pipeline().addLast(collector);
                    accepted.complete(channel);
                }
            })
            .bind(0).sync().channel();
        final Channel channel = client(new Collector())
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(RING, 2 * RING))
            .connect(server.localAddress()).sync().channel();
        final String text = "0123456789abcdef".repeat(8 * RING / 16);
        final ChannelFuture written =
            channel.writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
        final ChannelFuture closed = written.addListener(ChannelFutureListener.CLOSE).channel().closeFuture();
        // The ring has room for an eighth, and the water mark is below the rest.
        while (channel.isWritable())
        {
            Thread.sleep(1);
        }
        assertFalse(written.await(100));
        assertEquals(0, collector.length);
        accepted.get().config().setAutoRead(true);
        assertTrue(text.equals(collector.all.get()), "other bytes were read");
        closed.sync();
        assertTrue(written.isSuccess());
    }

    @Test
    void shouldRefuseWhereNobodyListensAndWaitWhileTheBacklogIsFull() throws Exception
    {
        final Bootstrap client = client(new Echo());
        final Throwable nobody = client.connect(new IpnumaSocketAddress(2, 7009)).await().cause();
        assertInstanceOf(ConnectException.class, nobody);
        assertEquals("no program listens on ipnuma:2/7009: ipnuma:2/7009", nobody.getMessage());
        final Channel server = new ServerBootstrap().group(far).channel(IpnumaServerSocketChannel.class)
            .option(ChannelOption.AUTO_READ, false).option(ChannelOption.SO_BACKLOG, 1).childHandler(new Echo())
            .bind(7000).sync().channel();
        client.connect("0.0.0.2", 7000).sync();
        final Throwable full = client.clone().option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 500)
            .connect("0.0.0.2", 7000).await().cause();
        assertInstanceOf(ConnectTimeoutException.class, full);
        assertEquals("connection timed out after 500 ms: the backlog of ipnuma:2/7000 is full", full.getMessage());
        final ChannelFuture next = client.connect("0.0.0.2", 7000);
        server.read();
        next.sync();
        final Throwable unknown = client.connect("10.0.0.1", 7000).await().cause();
        assertInstanceOf(UnknownHostException.class, unknown);
        final Throwable bound = new ServerBootstrap().group(far).channel(IpnumaServerSocketChannel.class)
            .childHandler(new Echo()).bind(7000).await().cause();
        assertInstanceOf(BindException.class, bound);
    }

    @Test
    void shouldNameAPeerWithoutAResolver() throws Exception
    {
        final Channel server = serve(new Echo());
        final Channel channel = client(new Collector()).disableResolver().connect("ipnuma:2", 7000).sync().channel();
        assertEquals("ipnuma:2", ((InetSocketAddress)channel.remoteAddress()).getHostString());
        assertEquals(server.localAddress(), channel.remoteAddress());
    }

    @Test
    void shouldNoticeTheEndOfAPeerWithoutAPendingRead() throws Exception
    {
        final Channel server = serve(new ChannelInboundHandlerAdapter()
        {
            @Override
            public void channelActive(final ChannelHandlerContext context)
            {
                context.close();
            }
        });
        final Channel channel = client(new Collector()).option(ChannelOption.AUTO_READ, false)
            .connect(server.localAddress()).sync().channel();
        channel.closeFuture().sync();
    }

    @Test
    void shouldReadAfterItsOwnOutputIsShutDown() throws Exception
    {
        final Channel server = new ServerBootstrap().group(far).channel(IpnumaServerSocketChannel.class)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(new ChannelInboundHandlerAdapter()
            {
                @Override
                public void userEventTriggered(final ChannelHandlerContext context, final Object event)
                {
                    if (event == ChannelInputShutdownReadComplete.INSTANCE)
                    {
                        context.writeAndFlush(Unpooled.copiedBuffer("bye", StandardCharsets.US_ASCII))
                            .addListener(ChannelFutureListener.CLOSE);
                    }
                }
            })
            .bind(7000).sync().channel();
        final Collector collector = new Collector();
        final SocketChannel channel =
            (SocketChannel)client(collector).connect(server.localAddress()).sync().channel();
        assertFalse(channel.isOutputShutdown());
        channel.shutdownOutput().sync();
        assertTrue(channel.isOutputShutdown());
        assertInstanceOf(
            ClosedChannelException.class, channel.writeAndFlush(Unpooled.copyInt(1)).await().cause());
        assertEquals("bye", collector.all.get());
        channel.closeFuture().sync();
        assertInstanceOf(ClosedChannelException.class, channel.shutdownOutput().await().cause());
        assertInstanceOf(ClosedChannelException.class, channel.shutdownInput().await().cause());
    }

    @Test
    void shouldServeConnectionsThatAnotherFactoryHasAccepted() throws Exception
    {
        final EventLoopGroup workers = new MultiThreadIoEventLoopGroup(
            2, IpnumaIoHandler.newFactory(lab.settings(2).withRings(16, RING)));
        try
        {
            final Channel server = new ServerBootstrap().group(far, workers).channel(IpnumaServerSocketChannel.class)
                .childHandler(new Echo()).bind(7000).sync().channel();
            final Collector collector = new Collector();
            final Channel channel = client(collector).connect(server.localAddress()).sync().channel();
            channel.writeAndFlush(Unpooled.copiedBuffer("hello", StandardCharsets.US_ASCII)).sync();
            collector.awaitLength(5);
            channel.close().sync();
            assertEquals("hello", collector.all.get());
        }
        finally
        {
            workers.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
        }
    }

    @Test
    void shouldCloseTheEndpointWithTheLastEventLoopAndOpenItAgain() throws Exception
    {
        final IoHandlerFactory factory = IpnumaIoHandler.newFactory(lab.settings(1).withRings(16, RING));
        final EventLoopGroup first = new MultiThreadIoEventLoopGroup(1, factory);
        final EventLoopGroup second = new MultiThreadIoEventLoopGroup(1, factory);
        final Channel server = serve(new Echo());
        first.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
        final Channel channel = client(new Echo()).clone(second).connect(server.localAddress()).sync().channel();
        second.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
        assertFalse(channel.isOpen());
        final EventLoopGroup third = new MultiThreadIoEventLoopGroup(1, factory);
        client(new Echo()).clone(third).connect(server.localAddress()).sync().channel().close().sync();
        third.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
    }

    @Test
    void shouldNotStartWithoutAnEndpoint()
    {
        final IoHandlerFactory factory = IpnumaIoHandler.newFactory(StreamSettings.of("no-such-endpoint", 1));
        final IllegalStateException failure = assertThrows(
            IllegalStateException.class, () -> new MultiThreadIoEventLoopGroup(1, factory));
        assertInstanceOf(UserException.class, failure.getCause());
        assertThrows(
            IllegalArgumentException.class, () -> IpnumaIoHandler.newFactory(lab.settings(1), "sometimes"));
    }
}
