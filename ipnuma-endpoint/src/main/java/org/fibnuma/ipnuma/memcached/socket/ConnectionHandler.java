package org.fibnuma.ipnuma.memcached.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.fibnuma.ipnuma.memcached.store.StoreCounter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;

/**
 * A connection over TCP. If the client does not read and more than the high water mark waits for it, the server neither
 * executes its commands nor reads its bytes. At most the mark, the output of one step (a value and its line) and {@link
 * #REPLY_LENGTH} wait. For the channel's event loop.
 */
final class ConnectionHandler extends ChannelInboundHandlerAdapter
{
    /** Length in bytes at which answers are passed to the channel. */
    static final int REPLY_LENGTH = 64 * 1024;
    /** Answer to a connection beyond the limit. */
    static final byte[] TOO_MANY = TextCommands.ascii("ERROR Too many open connections\r\n");

    private static final Logger LOGGER = LoggerFactory.getLogger(ConnectionHandler.class);
    private static final int INITIAL_LENGTH = 1024;

    private final StoreAccess access;
    private final ConnectionLimit connections;
    private final ReplyBuffer reply = new ReplyBuffer();
    private final Session session;
    /** Bytes that were received and not executed because the client does not read; null if there are none. */
    private ByteBuf waiting;
    private boolean isCounted;

    ConnectionHandler(final StoreAccess access, final ConnectionLimit connections)
    {
        this.access = access;
        this.connections = connections;
        this.session = new Session(access.commands());
    }

    @Override
    public void channelActive(final ChannelHandlerContext context)
    {
        isCounted = connections.enter();
        access.count(isCounted ? StoreCounter.TOTAL_CONNECTIONS : StoreCounter.REJECTED_CONNECTIONS, 1);
        if (!isCounted)
        {
            session.end();
            context.writeAndFlush(Unpooled.wrappedBuffer(TOO_MANY)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void channelInactive(final ChannelHandlerContext context)
    {
        if (isCounted)
        {
            connections.leave();
            isCounted = false;
        }
        if (waiting != null)
        {
            waiting.release();
            waiting = null;
        }
        access.end(session);
    }

    @Override
    public void channelRead(final ChannelHandlerContext context, final Object message)
    {
        final ByteBuf received = (ByteBuf)message;
        if (waiting != null)
        {
            waiting = Unpooled.wrappedBuffer(waiting, received);
            return;
        }
        execute(context, received);
    }

    @Override
    public void channelReadComplete(final ChannelHandlerContext context)
    {
        context.flush();
    }

    @Override
    public void channelWritabilityChanged(final ChannelHandlerContext context)
    {
        if (waiting != null && context.channel().isWritable())
        {
            final ByteBuf next = waiting;
            waiting = null;
            execute(context, next);
            if (waiting == null)
            {
                context.channel().config().setAutoRead(true);
            }
            context.flush();
        }
    }

    /** Executes received bytes and releases them, or keeps the rest. */
    private void execute(final ChannelHandlerContext context, final ByteBuf received)
    {
        boolean canWrite = true;
        ByteBuf buffer = context.alloc().directBuffer(INITIAL_LENGTH);
        access.lock();
        try
        {
            final int length = received.readableBytes();
            access.store().tick();
            reply.begin(buffer);
            while (canWrite && session.step(received, reply))
            {
                if (reply.length() >= REPLY_LENGTH)
                {
                    access.store().count(StoreCounter.BYTES_WRITTEN, reply.length());
                    context.write(buffer);
                    buffer = context.alloc().directBuffer(INITIAL_LENGTH);
                    reply.begin(buffer);
                    canWrite = context.channel().isWritable();
                }
            }
            access.store().count(StoreCounter.BYTES_READ, length - received.readableBytes());
            access.store().count(StoreCounter.BYTES_WRITTEN, reply.length());
        }
        finally
        {
            access.unlock();
        }
        if (canWrite)
        {
            received.release();
        }
        else
        {
            waiting = received;
            context.channel().config().setAutoRead(false);
        }
        send(context, buffer);
    }

    private void send(final ChannelHandlerContext context, final ByteBuf buffer)
    {
        if (session.isEnded())
        {
            context.writeAndFlush(buffer).addListener(ChannelFutureListener.CLOSE);
        }
        else if (buffer.isReadable())
        {
            context.write(buffer);
        }
        else
        {
            buffer.release();
        }
        if (waiting != null)
        {
            context.flush();
        }
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
    {
        // The end of a client is not logged.
        if (!(cause instanceof IOException))
        {
            LOGGER.warn("connection closed remote={} reason={}", context.channel().remoteAddress(), cause.toString());
        }
        context.close();
    }
}
