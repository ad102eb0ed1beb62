package org.fibnuma.bench.stream.netty;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.HdrHistogram.Histogram;
import org.fibnuma.bench.lab.StreamEndpointFile;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.service.config.SocketAddressText;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.endpoint.Endpoint;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** One end of an echo with Netty, over TCP or remote memory, with one event loop. */
public final class EchoProgram
{
    private static final int SERVER = 2;
    private static final int CLIENT = 1;
    private static final int PORT = 7000;
    private static final double NS_PER_US = 1000;
    private static final double MEDIAN = 50;
    private static final double P99 = 99;

    private final NettyTransport transport;
    private final SocketAddress server;
    private final EventLoopGroup group;

    private EchoProgram(final NettyTransport transport, final SocketAddress server, final int core)
    {
        this.transport = transport;
        this.server = server;
        final ThreadFactory pinned = task -> new DefaultThreadFactory("event-loop").newThread(() ->
        {
            ThreadPinning.load().pinCurrentThread(core);
            task.run();
        });
        this.group = new MultiThreadIoEventLoopGroup(1, pinned, transport.factory());
    }

    /**
     * Runs an end. The server prints "ready" and ends with its client, which prints the times as JSON.
     *
     * @param arguments {@code server} or {@code client}, its core, seconds of warm-up and measurement each, bytes of a
     *                  message, and {@code tcp} with an address or {@code ipnuma} with the file of an endpoint.
     * @throws IOException          if the connection fails.
     * @throws InterruptedException if the thread is interrupted.
     */
    public static void main(final String[] arguments) throws IOException, InterruptedException
    {
        final boolean isServer = arguments[0].equals("server");
        final int core = Integer.parseInt(arguments[1]);
        final long durationNs = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[2]));
        final int size = Integer.parseInt(arguments[3]);
        if (arguments[4].equals("tcp"))
        {
            new EchoProgram(NettyTransport.tcp(), SocketAddressText.parse(arguments[5]), core)
                .run(isServer, size, durationNs);
            return;
        }
        final EndpointConfig config = StreamEndpointFile.read(Path.of(arguments[5]));
        try (Endpoint endpoint = Endpoint.open(config, ChannelListener.NONE))
        {
            endpoint.start();
            final NettyTransport transport =
                NettyTransport.ipnuma(config, isServer ? SERVER : CLIENT, endpoint.companion());
            new EchoProgram(transport, new IpnumaSocketAddress(SERVER, PORT), core).run(isServer, size, durationNs);
        }
    }

    private void run(final boolean isServer, final int size, final long durationNs)
        throws IOException, InterruptedException
    {
        try
        {
            if (isServer)
            {
                serve();
            }
            else
            {
                measure(size, durationNs);
            }
        }
        finally
        {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    private void serve() throws InterruptedException
    {
        final CompletableFuture<Channel> accepted = new CompletableFuture<>();
        new ServerBootstrap().group(group).channel(transport.listener())
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(new ChannelInitializer<SocketChannel>()
            {
                @Override
                protected void initChannel(final SocketChannel channel)
                {
                    channel.pipeline().addLast(new Echo());
                    accepted.complete(channel);
                }
            })
            .bind(server).sync();
        System.out.println("ready");
        accepted.join().closeFuture().sync();
    }

    private void measure(final int size, final long durationNs) throws IOException, InterruptedException
    {
        final EchoClient client = new EchoClient(size, durationNs);
        new Bootstrap().group(group).channel(transport.client())
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(client)
            .connect(server).sync().channel().closeFuture().sync();
        final Histogram times = client.timesNs();
        if (client.failure() != null || times.getTotalCount() == 0)
        {
            throw new IOException("the echo has ended too early", client.failure());
        }
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("transport", transport.name());
        result.put("p50Us", times.getValueAtPercentile(MEDIAN) / NS_PER_US);
        result.put("p99Us", times.getValueAtPercentile(P99) / NS_PER_US);
        result.put("roundTrips", times.getTotalCount());
        System.out.println(new ObjectMapper().writeValueAsString(result));
    }

    private static final class Echo extends ChannelInboundHandlerAdapter
    {
        @Override
        public void channelRead(final ChannelHandlerContext context, final Object message)
        {
            context.writeAndFlush(message, context.voidPromise());
        }

        @Override
        public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
        {
            context.close();
        }
    }
}
