package org.fibnuma.core.service.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.DefaultHttpContent;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Server-sent events (the "text/event-stream" of the HTML standard, section 9.2) to any number of listeners. Used by
 * the server's thread.
 * <p>
 * An event must not depend on earlier ones: until a listener has read an event, further ones are not sent to it. A
 * listener that does not read an event within the write timeout is disconnected.
 */
public final class HttpEvents
{
    static final String CONTENT_TYPE = "text/event-stream";

    private final Runnable onListener;
    private final Map<Channel, Listener> listeners = new LinkedHashMap<>();

    private static final class Listener
    {
        private final HttpConnections connections;
        private boolean isWriting;
        private long writingSinceNs;

        private Listener(final HttpConnections connections)
        {
            this.connections = connections;
        }
    }

    /** Creates a stream. The action runs on the server's thread after each new listener. */
    public HttpEvents(final Runnable onListener)
    {
        this.onListener = onListener;
    }

    /** Returns the number of listeners. */
    public int listeners()
    {
        return listeners.size();
    }

    /** Sends an event, one line of text, to every listener that has read the previous one. */
    public void publish(final String data)
    {
        final byte[] event = ("data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
        // A copy, because writing may remove a listener.
        new ArrayList<>(listeners.entrySet()).forEach(entry -> write(entry.getKey(), entry.getValue(), event));
    }

    private static void write(final Channel channel, final Listener listener, final byte[] event)
    {
        final long nowNs = System.nanoTime();
        final HttpConnections connections = listener.connections;
        if (listener.isWriting)
        {
            if (nowNs - listener.writingSinceNs >
                TimeUnit.MILLISECONDS.toNanos(connections.limits().writeTimeoutMs()))
            {
                channel.close();
            }
            return;
        }
        if (!connections.hasRoom())
        {
            return;
        }
        listener.isWriting = true;
        listener.writingSinceNs = nowNs;
        connections.addPending(event.length);
        channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(event)))
            .addListener((ChannelFutureListener)written ->
            {
                listener.isWriting = false;
                connections.addPending(-event.length);
                if (!written.isSuccess())
                {
                    channel.close();
                }
            });
    }

    /** Adds a client that has received the headers of the answer. */
    void add(final Channel channel, final HttpConnections connections)
    {
        channel.config().setOption(ChannelOption.SO_SNDBUF, HttpLimits.EVENT_SEND_BYTES);
        listeners.put(channel, new Listener(connections));
        onListener.run();
    }

    /** Removes a client, if it is a listener. */
    void remove(final Channel channel)
    {
        listeners.remove(channel);
    }
}
