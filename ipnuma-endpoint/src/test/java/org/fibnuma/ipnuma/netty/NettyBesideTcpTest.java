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
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import org.agrona.CloseHelper;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamLab;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a Netty program sees at channels over streams, beside NIO channels over loopback TCP. */
@Timeout(180)
class NettyBesideTcpTest
{
    enum Transport
    {
        TCP, STREAMS
    }

    private static final int ROUNDS = 200;
    private static final int CONNECTS = 1000;
    private static final int BACKLOG = 200;
    private static final int UNREAD = 8192;
    private static final String ANSWER = "413 Too Large.\r\n";

    @TempDir
    private Path directory;
    private StreamLab lab;
    private EventLoopGroup near;
    private EventLoopGroup far;
    private ServerBootstrap server;
    private Bootstrap client;
    private SocketAddress address;

    private void open(final Transport transport, final int connections, final int ringCapacity) throws Exception
    {
        if (transport == Transport.TCP)
        {
            near = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
            far = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
            address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        }
        else
        {
            lab = new StreamLab(directory, "");
            near = new MultiThreadIoEventLoopGroup(
                2, IpnumaIoHandler.newFactory(lab.settings(1).withRings(connections, ringCapacity)));
            far = new MultiThreadIoEventLoopGroup(
                2, IpnumaIoHandler.newFactory(lab.settings(2).withRings(connections, ringCapacity)));
            address = new IpnumaSocketAddress(2, 7000);
        }
        server = new ServerBootstrap().group(far).channel(
            transport == Transport.TCP ? NioServerSocketChannel.class : IpnumaServerSocketChannel.class);
        client = new Bootstrap().group(near).channel(
            transport == Transport.TCP ? NioSocketChannel.class : IpnumaSocketChannel.class);
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

    /** Completes with the bytes that have arrived before the channel was closed. */
    private static final class Collector extends ChannelInboundHandlerAdapter
    {
        private final CompletableFuture<String> all = new CompletableFuture<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public void channelRead(final ChannelHandlerContext context, final Object message)
        {
            text.append(((ByteBuf)message).toString(StandardCharsets.US_ASCII));
            ((ByteBuf)message).release();
        }

        @Override
        public void channelInactive(final ChannelHandlerContext context)
        {
            all.complete(text.toString());
        }

        @Override
        public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
        {
            all.completeExceptionally(cause);
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldReadTheAnswerOfAServerThatHasNotReadEverything(final Transport transport) throws Exception
    {
        open(transport, 16, 16 * 1024);
        final Channel listening = server.option(ChannelOption.SO_BACKLOG, 50)
            .childOption(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(10))
            .childHandler(new AnsweringHandler()).bind(address).sync().channel();
        for (int i = 0; i < ROUNDS; i++)
        {
            final Collector collector = new Collector();
            final Channel channel =
                client.clone().handler(collector).connect(listening.localAddress()).sync().channel();
            channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[UNREAD])).sync();
            assertEquals(ANSWER, collector.all.get());
        }
    }

    /** Reads ten bytes when all have probably arrived, answers and closes. */
    @ChannelHandler.Sharable
    private static final class AnsweringHandler extends ChannelInboundHandlerAdapter
    {
        @Override
        public void channelActive(final ChannelHandlerContext context)
        {
            context.executor().schedule(context::read, 20, TimeUnit.MILLISECONDS);
        }

        @Override
        public void channelRead(final ChannelHandlerContext context, final Object message)
        {
            ((ByteBuf)message).release();
            context.writeAndFlush(Unpooled.copiedBuffer(ANSWER, StandardCharsets.US_ASCII))
                .addListener(ChannelFutureListener.CLOSE);
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldCloseWithinChannelReadWithoutAnException(final Transport transport) throws Exception
    {
        open(transport, 16, 16 * 1024);
        final CompletableFuture<String> end = new CompletableFuture<>();
        final List<String> events = new ArrayList<>();
        final Channel listening = server.childOption(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(64).maxMessagesPerRead(16))
            .childHandler(new ChannelInboundHandlerAdapter()
            {
                @Override
                public void channelActive(final ChannelHandlerContext context)
                {
                    context.executor().schedule(
                        () -> context.channel().config().setAutoRead(true), 50, TimeUnit.MILLISECONDS);
                }

                @Override
                public void channelRead(final ChannelHandlerContext context, final Object message)
                {
                    ((ByteBuf)message).release();
                    events.add("read");
                    context.close();
                }

                @Override
                public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
                {
                    events.add(cause.toString());
                }

                @Override
                public void channelUnregistered(final ChannelHandlerContext context)
                {
                    // Behind whatever the loop that reads has still to report.
                    context.channel().eventLoop().execute(() -> end.complete(String.join(", ", events)));
                }
            }).bind(address).sync().channel();
        final Channel channel = client.handler(new Collector()).connect(listening.localAddress()).sync().channel();
        channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[UNREAD])).sync();
        final String seen = end.get();
        assertEquals("read", transport == Transport.STREAMS ? seen : seen.substring(0, 4));
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldLetAWriterFinishWhosePeerReadsNoMore(final Transport transport) throws Exception
    {
        open(transport, 16, 16 * 1024);
        final CompletableFuture<Void> shut = new CompletableFuture<>();
        final Channel listening = server.childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(new ChannelInboundHandlerAdapter()
            {
                @Override
                public void channelActive(final ChannelHandlerContext context)
                {
                    ((SocketChannel)context.channel()).shutdownInput().addListener(done -> shut.complete(null));
                }
            }).bind(address).sync().channel();
        final Channel channel = client.handler(new Collector()).connect(listening.localAddress()).sync().channel();
        shut.get();
        channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[100_000])).sync();
        assertTrue(channel.isActive());
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldConnectAThousandAtOnceWithABacklogOfTwoHundred(final Transport transport) throws Exception
    {
        open(transport, 1024, 4096);
        final AtomicInteger accepted = new AtomicInteger();
        final Channel listening = server.option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.AUTO_READ, false)
            .childHandler(new ChannelInitializer<>()
            {
                @Override
                protected void initChannel(final Channel channel)
                {
                    accepted.incrementAndGet();
                }
            }).bind(address).sync().channel();
        final List<ChannelFuture> connects = new ArrayList<>();
        for (int i = 0; i < CONNECTS; i++)
        {
            connects.add(client.clone().handler(new ChannelInboundHandlerAdapter())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 120_000).connect(listening.localAddress()));
        }
        while (connects.stream().filter(ChannelFuture::isDone).count() < BACKLOG)
        {
            Thread.sleep(5);
        }
        listening.config().setAutoRead(true);
        for (final ChannelFuture connect : connects)
        {
            assertTrue(connect.await().isSuccess(), () -> String.valueOf(connect.cause()));
        }
        // TCP's clients may be connected long before the server has noticed.
        while (transport == Transport.STREAMS && accepted.get() < CONNECTS)
        {
            Thread.sleep(5);
        }
    }
}
