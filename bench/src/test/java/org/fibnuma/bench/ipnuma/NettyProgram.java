package org.fibnuma.bench.ipnuma;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import org.fibnuma.ipnuma.netty.IpnumaIoHandler;
import org.fibnuma.ipnuma.netty.IpnumaServerSocketChannel;
import org.fibnuma.ipnuma.netty.IpnumaSocketChannel;
import org.fibnuma.ipnuma.stream.StreamSettings;

import java.util.Random;

/** A program of Netty over an endpoint: an echo server, or a client that waits for its server to be killed. */
public final class NettyProgram
{
    private static final int PORT = 7000;
    private static final int LENGTH = 300_000;

    private NettyProgram()
    {
    }

    /**
     * Prints {@code listening}, or {@code echoed}, {@code failed} with the message and {@code closed}.
     *
     * @param arguments {@code server} or {@code client}, name of the endpoint, its PC ID.
     * @throws InterruptedException if the thread is interrupted.
     */
    public static void main(final String[] arguments) throws InterruptedException
    {
        final StreamSettings settings = StreamSettings.of(arguments[1], Integer.parseInt(arguments[2]));
        final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, IpnumaIoHandler.newFactory(settings));
        try
        {
            final Channel channel = arguments[0].equals("server") ? serve(group) : request(group);
            channel.closeFuture().sync();
            System.out.println("closed");
        }
        finally
        {
            group.shutdownGracefully();
        }
    }

    private static Channel serve(final EventLoopGroup group) throws InterruptedException
    {
        final Channel server = new ServerBootstrap().group(group).channel(IpnumaServerSocketChannel.class)
            .childHandler(new ChannelInitializer<SocketChannel>()
            {
                @Override
                protected void initChannel(final SocketChannel channel)
                {
                    channel.pipeline().addLast(new Echo());
                }
            })
            .bind(PORT).sync().channel();
        System.out.println("listening");
        return server;
    }

    private static Channel request(final EventLoopGroup group) throws InterruptedException
    {
        final byte[] bytes = new byte[LENGTH];
        new Random(1).nextBytes(bytes);
        final ByteBuf sent = Unpooled.wrappedBuffer(bytes);
        final Channel channel = new Bootstrap().group(group).channel(IpnumaSocketChannel.class)
            .handler(new Comparison(sent.retainedDuplicate()))
            .connect("0.0.0.2", PORT).sync().channel();
        channel.writeAndFlush(sent);
        return channel;
    }

    private static final class Echo extends ChannelInboundHandlerAdapter
    {
        @Override
        public void channelRead(final ChannelHandlerContext context, final Object message)
        {
            context.writeAndFlush(message);
        }
    }

    /** Compares what comes back with what was sent. */
    private static final class Comparison extends ChannelInboundHandlerAdapter
    {
        private final ByteBuf expected;

        Comparison(final ByteBuf expected)
        {
            this.expected = expected;
        }

        @Override
        public void channelRead(final ChannelHandlerContext context, final Object message)
        {
            final ByteBuf received = (ByteBuf)message;
            final boolean same = expected.readableBytes() >= received.readableBytes() &&
                expected.readSlice(received.readableBytes()).equals(received);
            received.release();
            if (!same)
            {
                System.out.println("other bytes came back");
            }
            else if (!expected.isReadable())
            {
                System.out.println("echoed " + LENGTH);
            }
        }

        @Override
        public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
        {
            System.out.println("failed " + cause.getMessage());
        }
    }
}
