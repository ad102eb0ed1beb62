package org.fibnuma.ipnuma.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ServerSocketChannelConfig;
import io.netty.util.NetUtil;

import java.util.Map;

/** Options of a listening channel: {@code SO_BACKLOG}. Options of TCP are stored without effect. */
final class IpnumaServerSocketChannelConfig extends DefaultChannelConfig implements ServerSocketChannelConfig
{
    private final IpnumaServerSocketChannel owner;
    private volatile int backlog = NetUtil.SOMAXCONN;
    private volatile boolean reuseAddress;
    private volatile int receiveBufferSize;

    IpnumaServerSocketChannelConfig(final IpnumaServerSocketChannel owner)
    {
        super(owner, new ServerChannelRecvByteBufAllocator());
        this.owner = owner;
    }

    @Override
    protected void autoReadCleared()
    {
        owner.clearReadPending();
    }

    @Override
    public Map<ChannelOption<?>, Object> getOptions()
    {
        return getOptions(
            super.getOptions(), ChannelOption.SO_BACKLOG, ChannelOption.SO_REUSEADDR, ChannelOption.SO_RCVBUF);
    }

    @Override
    @SuppressWarnings("unchecked") // The option's type is that of its value.
    public <T> T getOption(final ChannelOption<T> option)
    {
        if (option == ChannelOption.SO_BACKLOG)
        {
            return (T)(Integer)backlog;
        }
        if (option == ChannelOption.SO_REUSEADDR)
        {
            return (T)(Boolean)reuseAddress;
        }
        if (option == ChannelOption.SO_RCVBUF)
        {
            return (T)(Integer)receiveBufferSize;
        }
        return super.getOption(option);
    }

    @Override
    public <T> boolean setOption(final ChannelOption<T> option, final T value)
    {
        validate(option, value);
        if (option == ChannelOption.SO_BACKLOG)
        {
            setBacklog((Integer)value);
        }
        else if (option == ChannelOption.SO_REUSEADDR)
        {
            setReuseAddress((Boolean)value);
        }
        else if (option == ChannelOption.SO_RCVBUF)
        {
            setReceiveBufferSize((Integer)value);
        }
        else
        {
            return super.setOption(option, value);
        }
        return true;
    }

    @Override
    public int getBacklog()
    {
        return backlog;
    }

    /** Takes effect when the channel is bound. A value below 1 counts as 1. */
    @Override
    public ServerSocketChannelConfig setBacklog(final int connections)
    {
        backlog = connections;
        return this;
    }

    @Override
    public boolean isReuseAddress()
    {
        return reuseAddress;
    }

    @Override
    public ServerSocketChannelConfig setReuseAddress(final boolean on)
    {
        reuseAddress = on;
        return this;
    }

    @Override
    public int getReceiveBufferSize()
    {
        return receiveBufferSize;
    }

    @Override
    public ServerSocketChannelConfig setReceiveBufferSize(final int bytes)
    {
        receiveBufferSize = bytes;
        return this;
    }

    @Override
    public ServerSocketChannelConfig setPerformancePreferences(
        final int connectionTime, final int latency, final int bandwidth)
    {
        return this;
    }

    @Override
    public ServerSocketChannelConfig setConnectTimeoutMillis(final int milliseconds)
    {
        super.setConnectTimeoutMillis(milliseconds);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setWriteSpinCount(final int count)
    {
        super.setWriteSpinCount(count);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setAllocator(final ByteBufAllocator allocator)
    {
        super.setAllocator(allocator);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setRecvByteBufAllocator(final RecvByteBufAllocator allocator)
    {
        super.setRecvByteBufAllocator(allocator);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setAutoRead(final boolean on)
    {
        super.setAutoRead(on);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setAutoClose(final boolean on)
    {
        super.setAutoClose(on);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setMessageSizeEstimator(final MessageSizeEstimator estimator)
    {
        super.setMessageSizeEstimator(estimator);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setWriteBufferWaterMark(final WriteBufferWaterMark mark)
    {
        super.setWriteBufferWaterMark(mark);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setWriteBufferHighWaterMark(final int bytes)
    {
        super.setWriteBufferHighWaterMark(bytes);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setWriteBufferLowWaterMark(final int bytes)
    {
        super.setWriteBufferLowWaterMark(bytes);
        return this;
    }

    @Override
    @Deprecated
    public ServerSocketChannelConfig setMaxMessagesPerRead(final int messages)
    {
        super.setMaxMessagesPerRead(messages);
        return this;
    }
}
