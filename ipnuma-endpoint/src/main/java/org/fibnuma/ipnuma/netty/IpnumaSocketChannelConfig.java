package org.fibnuma.ipnuma.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannelConfig;

import java.util.Map;

/**
 * Options of a connection: {@code ALLOW_HALF_CLOSURE} and {@code SO_LINGER}. {@code SO_LINGER} 0 resets the connection
 * at the close; other values have no effect. The sizes of the buffers are those of the program's rings. Other options
 * of TCP are stored without effect.
 */
final class IpnumaSocketChannelConfig extends DefaultChannelConfig implements SocketChannelConfig
{
    private final IpnumaSocketChannel owner;
    private volatile boolean allowHalfClosure;
    private volatile int soLinger = -1;
    private volatile boolean tcpNoDelay = true;
    private volatile boolean keepAlive;
    private volatile boolean reuseAddress;
    private volatile int trafficClass;

    IpnumaSocketChannelConfig(final IpnumaSocketChannel owner)
    {
        super(owner);
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
            super.getOptions(), ChannelOption.ALLOW_HALF_CLOSURE, ChannelOption.SO_LINGER, ChannelOption.SO_RCVBUF,
            ChannelOption.SO_SNDBUF, ChannelOption.TCP_NODELAY, ChannelOption.SO_KEEPALIVE, ChannelOption.SO_REUSEADDR,
            ChannelOption.IP_TOS);
    }

    @Override
    @SuppressWarnings("unchecked") // The option's type is that of its value.
    public <T> T getOption(final ChannelOption<T> option)
    {
        final Object own =
            option == ChannelOption.ALLOW_HALF_CLOSURE ? allowHalfClosure :
            option == ChannelOption.TCP_NODELAY ? tcpNoDelay :
            option == ChannelOption.SO_KEEPALIVE ? keepAlive :
            option == ChannelOption.SO_REUSEADDR ? (Object)reuseAddress :
            option == ChannelOption.SO_LINGER ? soLinger :
            option == ChannelOption.IP_TOS ? trafficClass :
            option == ChannelOption.SO_RCVBUF || option == ChannelOption.SO_SNDBUF ? (Object)owner.ringCapacity() :
            null;
        return own == null ? super.getOption(option) : (T)own;
    }

    @Override
    public <T> boolean setOption(final ChannelOption<T> option, final T value)
    {
        validate(option, value);
        if (option == ChannelOption.ALLOW_HALF_CLOSURE)
        {
            allowHalfClosure = (Boolean)value;
        }
        else if (option == ChannelOption.SO_LINGER)
        {
            soLinger = (Integer)value;
        }
        else if (option == ChannelOption.TCP_NODELAY)
        {
            tcpNoDelay = (Boolean)value;
        }
        else if (option == ChannelOption.SO_KEEPALIVE)
        {
            keepAlive = (Boolean)value;
        }
        else if (option == ChannelOption.SO_REUSEADDR)
        {
            reuseAddress = (Boolean)value;
        }
        else if (option == ChannelOption.IP_TOS)
        {
            trafficClass = (Integer)value;
        }
        else
        {
            return option == ChannelOption.SO_RCVBUF || option == ChannelOption.SO_SNDBUF ||
                super.setOption(option, value);
        }
        return true;
    }

    @Override
    public boolean isAllowHalfClosure()
    {
        return allowHalfClosure;
    }

    @Override
    public SocketChannelConfig setAllowHalfClosure(final boolean on)
    {
        allowHalfClosure = on;
        return this;
    }

    @Override
    public int getSoLinger()
    {
        return soLinger;
    }

    @Override
    public SocketChannelConfig setSoLinger(final int seconds)
    {
        soLinger = seconds;
        return this;
    }

    @Override
    public boolean isTcpNoDelay()
    {
        return tcpNoDelay;
    }

    @Override
    public SocketChannelConfig setTcpNoDelay(final boolean on)
    {
        tcpNoDelay = on;
        return this;
    }

    @Override
    public boolean isKeepAlive()
    {
        return keepAlive;
    }

    @Override
    public SocketChannelConfig setKeepAlive(final boolean on)
    {
        keepAlive = on;
        return this;
    }

    @Override
    public boolean isReuseAddress()
    {
        return reuseAddress;
    }

    @Override
    public SocketChannelConfig setReuseAddress(final boolean on)
    {
        reuseAddress = on;
        return this;
    }

    @Override
    public int getTrafficClass()
    {
        return trafficClass;
    }

    @Override
    public SocketChannelConfig setTrafficClass(final int value)
    {
        trafficClass = value;
        return this;
    }

    @Override
    public int getSendBufferSize()
    {
        return owner.ringCapacity();
    }

    @Override
    public SocketChannelConfig setSendBufferSize(final int bytes)
    {
        return this;
    }

    @Override
    public int getReceiveBufferSize()
    {
        return owner.ringCapacity();
    }

    @Override
    public SocketChannelConfig setReceiveBufferSize(final int bytes)
    {
        return this;
    }

    @Override
    public SocketChannelConfig setPerformancePreferences(
        final int connectionTime, final int latency, final int bandwidth)
    {
        return this;
    }

    @Override
    public SocketChannelConfig setConnectTimeoutMillis(final int milliseconds)
    {
        super.setConnectTimeoutMillis(milliseconds);
        return this;
    }

    @Override
    public SocketChannelConfig setWriteSpinCount(final int count)
    {
        super.setWriteSpinCount(count);
        return this;
    }

    @Override
    public SocketChannelConfig setAllocator(final ByteBufAllocator allocator)
    {
        super.setAllocator(allocator);
        return this;
    }

    @Override
    public SocketChannelConfig setRecvByteBufAllocator(final RecvByteBufAllocator allocator)
    {
        super.setRecvByteBufAllocator(allocator);
        return this;
    }

    @Override
    public SocketChannelConfig setAutoRead(final boolean on)
    {
        super.setAutoRead(on);
        return this;
    }

    @Override
    public SocketChannelConfig setAutoClose(final boolean on)
    {
        super.setAutoClose(on);
        return this;
    }

    @Override
    public SocketChannelConfig setMessageSizeEstimator(final MessageSizeEstimator estimator)
    {
        super.setMessageSizeEstimator(estimator);
        return this;
    }

    @Override
    public SocketChannelConfig setWriteBufferWaterMark(final WriteBufferWaterMark mark)
    {
        super.setWriteBufferWaterMark(mark);
        return this;
    }

    @Override
    @Deprecated
    public SocketChannelConfig setMaxMessagesPerRead(final int messages)
    {
        super.setMaxMessagesPerRead(messages);
        return this;
    }
}
