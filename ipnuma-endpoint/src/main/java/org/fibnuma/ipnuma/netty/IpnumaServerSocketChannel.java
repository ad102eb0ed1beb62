package org.fibnuma.ipnuma.netty;

import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.ServerSocketChannelConfig;
import org.fibnuma.ipnuma.stream.IpnumaHosts;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/**
 * Listens on a port of the local endpoint. It is bound to an {@link org.fibnuma.ipnuma.stream.IpnumaSocketAddress} or
 * to the port of an {@code InetSocketAddress}, whose host is ignored. Port 0 selects any free port. The address of the
 * channel is 0.0.x.y with the PC ID in the last two bytes. Connections are established before they are accepted, up to
 * {@code SO_BACKLOG}. Further connecting programs try again.
 */
public final class IpnumaServerSocketChannel extends AbstractIpnumaChannel implements ServerSocketChannel
{
    /** As in Netty's own transports, at most 16 connections are accepted for each read. */
    private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);

    private final IpnumaServerSocketChannelConfig config = new IpnumaServerSocketChannelConfig(this);
    private volatile SharedAcceptor acceptor;

    /** Creates a channel that is not bound. */
    public IpnumaServerSocketChannel()
    {
        super(null);
    }

    @Override
    public ServerSocketChannelConfig config()
    {
        return config;
    }

    @Override
    public ChannelMetadata metadata()
    {
        return METADATA;
    }

    @Override
    public boolean isActive()
    {
        return isOpen() && acceptor != null;
    }

    @Override
    public InetSocketAddress localAddress()
    {
        return (InetSocketAddress)super.localAddress();
    }

    /** Returns null. */
    @Override
    public InetSocketAddress remoteAddress()
    {
        return null;
    }

    @Override
    protected SocketAddress localAddress0()
    {
        return acceptor == null ? null : IpnumaHosts.inetSocketAddress(acceptor.address());
    }

    @Override
    protected SocketAddress remoteAddress0()
    {
        return null;
    }

    @Override
    protected void doBind(final SocketAddress localAddress) throws IOException
    {
        final int port = IpnumaHosts.localPort(localAddress);
        acceptor = SharedAcceptor.listen(registration().agent(), port, config.getBacklog(), registration());
    }

    @Override
    void attach(final IpnumaRegistration target)
    {
        if (acceptor != null)
        {
            acceptor.attach(target);
        }
    }

    @Override
    void closeStream()
    {
        if (acceptor != null)
        {
            acceptor.close();
        }
    }

    @Override
    void onReady()
    {
        if (!isActive())
        {
            return;
        }
        if (isReadPending())
        {
            acceptAll();
        }
        if (isOpen() && acceptor.isClosed())
        {
            pipeline().fireExceptionCaught(new IOException("the endpoint is lost"));
            unsafe().close(voidPromise());
        }
    }

    private void acceptAll()
    {
        final ExtendedHandle allocation = (ExtendedHandle)unsafe().recvBufAllocHandle();
        allocation.reset(config);
        int accepted = 0;
        SharedStream stream = acceptor.accept();
        while (stream != null)
        {
            accepted++;
            readDone();
            allocation.incMessagesRead(1);
            pipeline().fireChannelRead(new IpnumaSocketChannel(this, stream));
            stream = isOpen() && allocation.continueReading() ? acceptor.accept() : null;
        }
        // Without an accepted connection the read stays pending. The next connection is an event.
        mayRead(accepted > 0);
        if (accepted > 0)
        {
            allocation.readComplete();
            pipeline().fireChannelReadComplete();
        }
    }

    @Override
    protected void doWrite(final ChannelOutboundBuffer in)
    {
        throw new UnsupportedOperationException("a listening channel is not written to");
    }

    @Override
    protected Object filterOutboundMessage(final Object message)
    {
        throw new UnsupportedOperationException("a listening channel is not written to");
    }

    @Override
    protected AbstractUnsafe newUnsafe()
    {
        return new ListeningUnsafe();
    }

    private final class ListeningUnsafe extends IpnumaUnsafe
    {
        @Override
        public void connect(
            final SocketAddress remote, final SocketAddress local, final ChannelPromise promise)
        {
            safeSetFailure(promise, new UnsupportedOperationException("a listening channel does not connect"));
        }
    }
}
