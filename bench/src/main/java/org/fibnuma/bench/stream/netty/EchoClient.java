package org.fibnuma.bench.stream.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import org.HdrHistogram.Histogram;

import java.util.concurrent.TimeUnit;

/** Sends a message, waits until it has come back, and so on; records the times after a warm-up of the same length. */
final class EchoClient extends SimpleChannelInboundHandler<ByteBuf>
{
    private static final long HIGHEST_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int DIGITS = 3;

    private final int size;
    private final long durationNs;
    private final Histogram timesNs = new Histogram(HIGHEST_NS, DIGITS);
    private ByteBuf message;
    private long startNs;
    private long sentNs;
    private int received;
    private Throwable failure;

    /**
     * Creates a client.
     *
     * @param size       bytes of a message.
     * @param durationNs of the warm-up and of the measurement.
     */
    EchoClient(final int size, final long durationNs)
    {
        this.size = size;
        this.durationNs = durationNs;
    }

    /** Returns the round trips in ns, after the channel was closed. */
    Histogram timesNs()
    {
        return timesNs;
    }

    /** Returns why the channel was closed too early, or null. */
    Throwable failure()
    {
        return failure;
    }

    @Override
    public void channelActive(final ChannelHandlerContext context)
    {
        message = context.alloc().directBuffer(size).writeZero(size);
        startNs = System.nanoTime();
        send(context, startNs);
    }

    private void send(final ChannelHandlerContext context, final long nowNs)
    {
        sentNs = nowNs;
        context.writeAndFlush(message.retainedDuplicate(), context.voidPromise());
    }

    @Override
    protected void channelRead0(final ChannelHandlerContext context, final ByteBuf part)
    {
        received += part.readableBytes();
        if (received < size)
        {
            return;
        }
        received = 0;
        final long nowNs = System.nanoTime();
        if (nowNs - startNs >= durationNs)
        {
            timesNs.recordValue(Math.min(nowNs - sentNs, HIGHEST_NS));
        }
        if (nowNs - startNs >= 2 * durationNs && timesNs.getTotalCount() > 0)
        {
            message.release();
            context.close();
        }
        else
        {
            send(context, nowNs);
        }
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
    {
        failure = cause;
        context.close();
    }
}
