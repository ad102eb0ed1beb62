package org.fibnuma.core.service.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Answers the requests of one connection, one after the other: the next is not read from the socket before the client
 * has read the answer to the previous one. A request for events is the last one of its connection. Runs on the server's
 * thread; resources may answer from any thread.
 */
final class HttpRequests extends ChannelInboundHandlerAdapter
{
    /** A browser loads nothing from other sites, runs no script or style of the web page itself and shows no frame. */
    private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; " +
        "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'";

    private final HttpPaths paths;
    private final HttpConnections connections;
    private final RequestOrigin origin;
    /** Null if all users of this host may read. */
    private final LocalUsers users;
    private boolean admitted;
    /** Whether the user at the other end was found and may read. */
    private boolean isUserAllowed;
    /** True from a complete or refused request until its answer is read. */
    private boolean answering;
    /** Whether a read was requested that no part of a request has ended. */
    private boolean reading;
    private HttpRequest request;
    /** Identifies the current request; late answers to earlier ones are ignored. */
    private long requestNumber;
    private Future<?> deadline;
    /** Events that the client listens to until the connection ends; null before. */
    private HttpEvents events;

    HttpRequests(
        final HttpPaths paths, final HttpConnections connections, final RequestOrigin origin, final LocalUsers users)
    {
        this.paths = paths;
        this.connections = connections;
        this.origin = origin;
        this.users = users;
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
            if (events != null)
            {
                events.remove(context.channel());
            }
            connections.onClosed(context.channel());
        }
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
    {
        context.close();
    }

    /** Reads again if the bytes read completed no part: {@code FlowControlHandler} passes on one part for each read. */
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
            if (events != null)
            {
                context.close();
            }
            else if (!answering)
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

    /** Processes the line and headers of a request, or a part of its body. */
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
            final HttpAnswer refusal = refusal(context.channel());
            if (refusal != null)
            {
                begin(context);
                answer(context, refusal, false);
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

    /** Returns why the line or the headers of a request are refused, or null. */
    private HttpAnswer refusal(final Channel channel)
    {
        final HttpMethod method = request.method();
        if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD))
        {
            return lineOf(HttpResponseStatus.METHOD_NOT_ALLOWED, "");
        }
        if (RequestOrigin.isHostMissing(request))
        {
            return lineOf(HttpResponseStatus.BAD_REQUEST, "the request needs one header Host");
        }
        if (!origin.isOwnHost(request.headers()))
        {
            return lineOf(HttpResponseStatus.MISDIRECTED_REQUEST,
                "the host name of the request is not one of this server; use its IP address, or give the name in " +
                "http.host-names");
        }
        if (RequestOrigin.isOfOtherSite(request.headers()))
        {
            return lineOf(HttpResponseStatus.FORBIDDEN, "pages of other sites have no access");
        }
        return mayRead(channel) ? null : lineOf(HttpResponseStatus.FORBIDDEN,
            "only root, the user of this process and members of its group have access; add the user to the group, or " +
            "set http.allow-other-users = true");
    }

    private boolean mayRead(final Channel channel)
    {
        isUserAllowed = isUserAllowed || users == null || users.mayRead(
            (InetSocketAddress)channel.remoteAddress(), (InetSocketAddress)channel.localAddress());
        return isUserAllowed;
    }

    private void onRequest(final ChannelHandlerContext context)
    {
        begin(context);
        final boolean keepAlive = HttpUtil.isKeepAlive(request);
        final String path = request.uri().split("\\?", 2)[0];
        final HttpResource resource = paths.resources().get(path);
        final HttpEvents stream = paths.events().get(path);
        if (stream != null)
        {
            onListener(context, stream, keepAlive);
        }
        else if (resource == null)
        {
            answer(context, lineOf(HttpResponseStatus.NOT_FOUND, "there is only " + paths.names()), keepAlive);
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
                "there was no answer within " + connections.limits().answerTimeoutMs() + " ms"), keepAlive));
            ask(resource, answer -> answerLater(context, number, answer, keepAlive));
        }
    }

    private void ask(final HttpResource resource, final Consumer<HttpAnswer> answer)
    {
        final Map<String, List<String>> parameters;
        try
        {
            parameters = new QueryStringDecoder(
                request.uri(), StandardCharsets.UTF_8, true, HttpLimits.MAX_PARAMETERS).parameters();
        }
        catch (final IllegalArgumentException ignore)
        {
            answer.accept(lineOf(HttpResponseStatus.BAD_REQUEST,
                "the part behind the question mark has a bad percent sign; encode it as %25"));
            return;
        }
        resource.get(new HttpQuery(request.headers().get(HttpHeaderNames.ACCEPT, ""), parameters), answer);
    }

    /** Sends events until the connection ends, so the answer has no length. */
    private void onListener(final ChannelHandlerContext context, final HttpEvents stream, final boolean keepAlive)
    {
        if (stream.listeners() >= connections.limits().maxListeners())
        {
            answer(context, lineOf(HttpResponseStatus.SERVICE_UNAVAILABLE,
                "all " + connections.limits().maxListeners() + " listeners are in use; close another page"), keepAlive);
        }
        else if (request.method().equals(HttpMethod.HEAD))
        {
            answer(context, new HttpAnswer(
                HttpResponseStatus.OK.code(), HttpEvents.CONTENT_TYPE, new byte[0]), keepAlive);
        }
        else
        {
            deadline.cancel(false);
            events = stream;
            final HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            setHeaders(head, HttpEvents.CONTENT_TYPE, false);
            context.writeAndFlush(head);
            stream.add(context.channel(), connections);
            // The client sends nothing more; the read detects the end of the connection.
            read(context);
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

    /** Answers on the server's thread. Deferred, so that many short requests do not nest. */
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
        setHeaders(response, answer.contentType(), keepAlive);
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
        if (answer.status() == HttpResponseStatus.METHOD_NOT_ALLOWED.code())
        {
            response.headers().set(HttpHeaderNames.ALLOW, HttpMethod.GET + ", " + HttpMethod.HEAD);
        }
        return response;
    }

    private static void setHeaders(final HttpResponse response, final String contentType, final boolean keepAlive)
    {
        response.headers()
            .set(HttpHeaderNames.CONTENT_TYPE, contentType)
            .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
            .set(HttpHeaderNames.CONNECTION, keepAlive ? HttpHeaderValues.KEEP_ALIVE : HttpHeaderValues.CLOSE)
            .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY)
            .set("x-content-type-options", "nosniff")
            .set("referrer-policy", "no-referrer")
            .set("cross-origin-opener-policy", "same-origin")
            .set("cross-origin-resource-policy", "same-origin");
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
