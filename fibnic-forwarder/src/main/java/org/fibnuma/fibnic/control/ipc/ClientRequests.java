package org.fibnuma.fibnic.control.ipc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The requests of one client, one after the other. The next request is read from the socket only when the client has
 * read the answer to the previous one: a client that does not read occupies the memory of one answer only. A stream
 * after an answer also continues only when the client has read the last bytes. Server's thread; answers may come from
 * any thread.
 */
final class ClientRequests extends ChannelInboundHandlerAdapter
{
    /** Interval of the polls of a stream without waiting bytes. */
    private static final long STREAM_INTERVAL_MS = 1;

    private final ControlRequestHandler handler;
    private final ControlLimits limits;
    private ByteBuf received;
    private boolean admitted;
    private boolean answering;
    /** Null unless the bytes of a stream follow the answer. */
    private AnswerStream stream;
    private boolean isPumpDue;

    ClientRequests(final ControlRequestHandler handler, final ControlLimits limits)
    {
        this.handler = handler;
        this.limits = limits;
    }

    @Override
    public void channelActive(final ChannelHandlerContext context)
    {
        received = context.alloc().buffer();
        admitted = limits.admit();
        if (admitted)
        {
            context.read();
        }
        else
        {
            refuse(context, limits.maxClients() + " clients are connected already; ask again when one has gone");
        }
    }

    @Override
    public void channelRead(final ChannelHandlerContext context, final Object message)
    {
        final ByteBuf bytes = (ByteBuf)message;
        received.writeBytes(bytes);
        bytes.release();
        if (stream == null)
        {
            next(context);
        }
        else
        {
            finishAtLine(context);
        }
    }

    @Override
    public void channelWritabilityChanged(final ChannelHandlerContext context)
    {
        pumpLater(context, 0);
    }

    @Override
    public void channelInactive(final ChannelHandlerContext context)
    {
        received.release();
        received = null;
        endStream();
        if (admitted)
        {
            limits.onGone();
        }
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
    {
        context.close();
    }

    /** Handles the next request if it is complete. */
    private void next(final ChannelHandlerContext context)
    {
        if (received == null || answering)
        {
            return;
        }
        final int length = received.bytesBefore((byte)'\n');
        if (length > ControlProtocol.MAX_REQUEST_BYTES ||
            length < 0 && received.readableBytes() > ControlProtocol.MAX_REQUEST_BYTES)
        {
            refuse(context, "the request is longer than " + ControlProtocol.MAX_REQUEST_BYTES + " bytes");
        }
        else if (length < 0)
        {
            context.read();
        }
        else
        {
            final String line = received.readCharSequence(length, StandardCharsets.UTF_8).toString();
            received.skipBytes(1).discardSomeReadBytes();
            answering = true;
            onLine(context, line);
        }
    }

    private void onLine(final ChannelHandlerContext context, final String line)
    {
        final JsonNode request;
        try
        {
            request = ControlProtocol.JSON.readTree(line);
        }
        catch (final JsonProcessingException ex)
        {
            answerLater(context, ControlProtocol.error("the request is not JSON: " + ex.getOriginalMessage()));
            return;
        }
        handler.onRequest(request, new ControlAnswer()
        {
            @Override
            public void accept(final JsonNode answer)
            {
                answerLater(context, answer);
            }

            @Override
            public void accept(final JsonNode answer, final AnswerStream bytes)
            {
                try
                {
                    context.executor().execute(() -> beginStream(context, answer, bytes));
                }
                catch (final RejectedExecutionException ignore)
                {
                    bytes.close();
                }
            }
        });
    }

    /** Answers on the server's thread, as a task of its own, so that many short requests do not nest. Any thread. */
    private void answerLater(final ChannelHandlerContext context, final JsonNode answer)
    {
        try
        {
            context.executor().execute(() -> answer(context, answer, false));
        }
        catch (final RejectedExecutionException ignore)
        {
            // The server has closed the connection.
        }
    }

    private void beginStream(final ChannelHandlerContext context, final JsonNode answer, final AnswerStream bytes)
    {
        if (received == null)
        {
            bytes.close();
            return;
        }
        stream = bytes;
        answer(context, answer, false);
        // The read notices that the client has gone or has sent another line.
        finishAtLine(context);
        pumpLater(context, 0);
    }

    private void finishAtLine(final ChannelHandlerContext context)
    {
        if (received.bytesBefore((byte)'\n') >= 0)
        {
            stream.finish();
        }
        received.clear();
        context.read();
    }

    private void pumpLater(final ChannelHandlerContext context, final long delayMs)
    {
        if (stream != null && !isPumpDue)
        {
            isPumpDue = true;
            context.executor().schedule(() -> pump(context), delayMs, TimeUnit.MILLISECONDS);
        }
    }

    /** Writes waiting bytes of the stream, unless the client has not read the last ones. */
    private void pump(final ChannelHandlerContext context)
    {
        isPumpDue = false;
        if (stream == null || !context.channel().isWritable())
        {
            return;
        }
        final ByteBuf bytes = context.alloc().directBuffer(AnswerStream.ROOM);
        final ByteBuffer room = bytes.nioBuffer(0, AnswerStream.ROOM);
        final boolean isLast = !stream.fill(room);
        bytes.writerIndex(room.position());
        final boolean isIdle = !bytes.isReadable();
        final ChannelFuture written = context.writeAndFlush(bytes);
        if (isLast)
        {
            endStream();
            written.addListener(ChannelFutureListener.CLOSE);
        }
        else
        {
            pumpLater(context, isIdle ? STREAM_INTERVAL_MS : 0);
        }
    }

    private void endStream()
    {
        if (stream != null)
        {
            stream.close();
            stream = null;
        }
    }

    private void refuse(final ChannelHandlerContext context, final String why)
    {
        answering = true;
        answer(context, ControlProtocol.error(why), true);
    }

    private void answer(final ChannelHandlerContext context, final JsonNode answer, final boolean last)
    {
        final ByteBuf line = context.alloc().buffer();
        try (OutputStream out = new ByteBufOutputStream(line))
        {
            ControlProtocol.JSON.writeValue(out, answer);
        }
        catch (final IOException ex)
        {
            line.release();
            context.close();
            return;
        }
        line.writeByte('\n');
        final int bytes = line.readableBytes();
        limits.addPending(bytes);
        final Future<?> patience = context.executor().schedule(
            () -> context.close(), limits.readTimeoutMs(), TimeUnit.MILLISECONDS);
        context.writeAndFlush(line).addListener((ChannelFutureListener)written ->
        {
            patience.cancel(false);
            limits.addPending(-bytes);
            if (stream != null)
            {
                return;
            }
            answering = false;
            if (last)
            {
                context.close();
            }
            else
            {
                next(context);
            }
        });
    }
}
