package org.fibnuma.ipnuma.naming.socket;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.string.StringDecoder;
import io.netty.handler.codec.string.StringEncoder;
import org.fibnuma.ipnuma.naming.NameProtocol;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.Supplier;

/** Sets up a connection: TLS if there is any, lines of limited length, and a separate handler. */
final class LineInitializer extends ChannelInitializer<Channel>
{
    private final Function<Channel, ChannelHandler> tls;
    private final Supplier<ChannelHandler> handlers;

    /** Creates the initializer; {@code tls} is null for clear text. */
    LineInitializer(final Function<Channel, ChannelHandler> tls, final Supplier<ChannelHandler> handlers)
    {
        this.tls = tls;
        this.handlers = handlers;
    }

    @Override
    protected void initChannel(final Channel channel)
    {
        if (tls != null)
        {
            channel.pipeline().addLast(tls.apply(channel));
        }
        channel.pipeline().addLast(
            new LineBasedFrameDecoder(NameProtocol.MAX_LINE_BYTES, true, true),
            new StringDecoder(StandardCharsets.UTF_8),
            new StringEncoder(StandardCharsets.UTF_8),
            handlers.get());
    }
}
