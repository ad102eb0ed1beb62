package org.fibnuma.fibnic.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;

import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The requests of one connection, one after the other: the next is not read from the socket before the client has read
 * the answer to the previous one. On the server's thread; resources may answer from any thread.
 */
final class HttpRequests extends ChannelInboundHandlerAdapter
{
    private final Map<String, HttpResource> resources;
    private final HttpConnections connections;
    private boolean admitted;
    /** True from a complete or refused request until its answer is read. */
    private boolean answering;
    /** Whether the next part of a request is wanted and has not come. */
    private boolean reading;
    private HttpRequest request;
    /** Number of requests that have begun to be answered; late answers to earlier ones are ignored. */
    private long requestNumber;
    private Future<?> deadline;

    HttpRequests(final Map<String, HttpResource> resources, final HttpConnections connections)
    {
        this.resources = resources;
        this.connections = connections;
    }

    @Override
    public void channelActive(final ChannelHandlerContext context)
    {
        admitted = connections.admit(context.channel());
        if (admitted)
        {
            awaitRequest(context);
        }
        else
        {
            context.close();
        }
    }

    @Override
    public void channelInactive(final ChannelHandlerContext context)
    {
        if (admitted)
        {
            deadline.cancel(false);
            connections.onClosed(context.channel());
        }
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
    {
        context.close();
    }

    /** Bytes that complete no part use up the read that {@code FlowControlHandler} was asked for. */
    @Override
    public void channelReadComplete(final ChannelHandlerContext context)
    {
        if (reading)
        {
            context.read();
        }
    }

    @Override
    public void channelRead(final ChannelHandlerContext context, final Object message)
    {
        reading = false;
        try
        {
            if (!answering)
            {
                onPart(context, (HttpObject)message);
            }
        }
        finally
        {
            ReferenceCountUtil.release(message);
        }
    }

    private void awaitRequest(final ChannelHandlerContext context)
    {
        request = null;
        within(context, connections.limits().requestTimeoutMs(), context::close);
        read(context);
    }

    private void read(final ChannelHandlerContext context)
    {
        reading = true;
        context.read();
    }

    /** A part of a request: line and headers, or a piece of its body. */
    private void onPart(final ChannelHandlerContext context, final HttpObject part)
    {
        if (part.decoderResult().isFailure())
        {
            final Throwable cause = part.decoderResult().cause();
            refuse(context, cause instanceof TooLongHttpLineException ? HttpResponseStatus.REQUEST_URI_TOO_LONG :
                cause instanceof TooLongHttpHeaderException ? HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE :
                HttpResponseStatus.BAD_REQUEST);
            return;
        }
        if (part instanceof HttpRequest)
        {
            request = (HttpRequest)part;
            if (!request.method().equals(HttpMethod.GET))
            {
                refuse(context, HttpResponseStatus.METHOD_NOT_ALLOWED);
                return;
            }
        }
        if (part instanceof HttpContent && ((HttpContent)part).content().isReadable())
        {
            refuse(context, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
        }
        else if (part instanceof LastHttpContent)
        {
            onRequest(context);
        }
        else
        {
            read(context);
        }
    }

    private void onRequest(final ChannelHandlerContext context)
    {
        begin(context);
        final boolean keepAlive = HttpUtil.isKeepAlive(request);
        final String path = request.uri().split("\\?", 2)[0];
        final HttpResource resource = resources.get(path);
        if (resource == null)
        {
            answer(context, lineOf(HttpResponseStatus.NOT_FOUND, "there is only " + String.join(", ",
                resources.keySet().stream().sorted().toList())), keepAlive);
        }
        else if (!connections.hasRoom())
        {
            answer(context, lineOf(HttpResponseStatus.SERVICE_UNAVAILABLE,
                "clients have not read earlier answers yet; ask again"), keepAlive);
        }
        else
        {
            final long number = requestNumber;
            within(context, connections.limits().answerTimeoutMs(), () -> answerOnce(
                context, number, lineOf(HttpResponseStatus.SERVICE_UNAVAILABLE,
                "the router did not answer within " + connections.limits().answerTimeoutMs() + " ms"), keepAlive));
            final String accept = request.headers().get(HttpHeaderNames.ACCEPT, "");
            resource.get(accept, answer -> answerLater(context, number, answer, keepAlive));
        }
    }

    private void refuse(final ChannelHandlerContext context, final HttpResponseStatus status)
    {
        begin(context);
        answer(context, lineOf(status, ""), false);
    }

    private void begin(final ChannelHandlerContext context)
    {
        answering = true;
        requestNumber++;
        connections.onRequest(context.channel());
    }

    private static HttpAnswer lineOf(final HttpResponseStatus status, final String why)
    {
        return HttpAnswer.line(status.code(), status + (why.isEmpty() ? "" : ": " + why));
    }

    /** Answers from any thread; deferred, so that many short requests do not nest. */
    private void answerLater(
        final ChannelHandlerContext context, final long number, final HttpAnswer answer, final boolean keepAlive)
    {
        try
        {
            context.executor().execute(() -> answerOnce(context, number, answer, keepAlive));
        }
        catch (final RejectedExecutionException ignore)
        {
            // The server has closed the connection.
        }
    }

    private void answerOnce(
        final ChannelHandlerContext context, final long number, final HttpAnswer answer, final boolean keepAlive)
    {
        if (answering && number == requestNumber && context.channel().isActive())
        {
            requestNumber++;
            answer(context, answer, keepAlive);
        }
    }

    private void answer(final ChannelHandlerContext context, final HttpAnswer answer, final boolean keepAlive)
    {
        final int bytes = answer.body().length;
        connections.addPending(bytes);
        within(context, connections.limits().writeTimeoutMs(), context::close);
        context.writeAndFlush(response(answer, keepAlive)).addListener((ChannelFutureListener)written ->
        {
            connections.addPending(-bytes);
            if (written.isSuccess() && keepAlive)
            {
                answering = false;
                connections.onAnswered(context.channel());
                awaitRequest(context);
            }
            else
            {
                context.close();
            }
        });
    }

    private static FullHttpResponse response(final HttpAnswer answer, final boolean keepAlive)
    {
        final FullHttpResponse response = new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()), Unpooled.wrappedBuffer(answer.body()));
        response.headers()
            .set(HttpHeaderNames.CONTENT_TYPE, answer.contentType())
            .set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length)
            .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
            .set(HttpHeaderNames.CONNECTION, keepAlive ? HttpHeaderValues.KEEP_ALIVE : HttpHeaderValues.CLOSE);
        if (answer.status() == HttpResponseStatus.METHOD_NOT_ALLOWED.code())
        {
            response.headers().set(HttpHeaderNames.ALLOW, HttpMethod.GET.name());
        }
        return response;
    }

    /** Replaces the deadline of the connection. */
    private void within(final ChannelHandlerContext context, final long milliseconds, final Runnable otherwise)
    {
        if (deadline != null)
        {
            deadline.cancel(false);
        }
        deadline = context.executor().schedule(otherwise, milliseconds, TimeUnit.MILLISECONDS);
    }
}
