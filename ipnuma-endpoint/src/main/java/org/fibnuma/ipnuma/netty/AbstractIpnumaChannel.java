package org.fibnuma.ipnuma.netty;

import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;

/**
 * Common part of connections and listening channels: registration, and when to read. Fields are for the event loop
 * unless they are volatile.
 */
abstract class AbstractIpnumaChannel extends AbstractChannel
{
    /** The registration of the event loop, which contains that of the handler. */
    private IoRegistration wrapped;
    private IpnumaRegistration registration;
    private boolean readPending;
    /** False after a read that left nothing to read. Every event sets it. */
    private boolean mayRead = true;
    private volatile boolean open = true;

    AbstractIpnumaChannel(final Channel parent)
    {
        super(parent);
    }

    /** Directs events of the stream to a registration, or to none if it is null. */
    abstract void attach(IpnumaRegistration target);

    /** Called when the state has changed or there may be something to read. */
    abstract void onReady();

    /** Ends the stream. Called once. */
    abstract void closeStream();

    final IpnumaRegistration registration()
    {
        return registration;
    }

    final boolean isReadPending()
    {
        return readPending;
    }

    final void readDone()
    {
        readPending = false;
    }

    /** Sets whether a read may succeed without an event. */
    final void mayRead(final boolean possible)
    {
        mayRead = possible;
    }

    /** Ends the pending read after auto-read was switched off; any thread. */
    final void clearReadPending()
    {
        if (!isRegistered() || eventLoop().inEventLoop())
        {
            readPending = false;
        }
        else
        {
            eventLoop().execute(this::readDone);
        }
    }

    @Override
    protected final boolean isCompatible(final EventLoop loop)
    {
        return loop instanceof IoEventLoop own && own.isCompatible(IpnumaIoHandle.class);
    }

    @Override
    protected final void doRegister(final ChannelPromise promise)
    {
        ((IoEventLoop)eventLoop()).register((IpnumaIoHandle)unsafe()).addListener(registered ->
        {
            if (registered.isSuccess())
            {
                wrapped = (IoRegistration)registered.getNow();
                registration = wrapped.attachment();
                attach(registration);
                registration.markReady();
                promise.setSuccess();
            }
            else
            {
                promise.setFailure(registered.cause());
            }
        });
    }

    @Override
    protected final void doDeregister()
    {
        if (registration != null)
        {
            attach(null);
            wrapped.cancel();
            registration = null;
        }
    }

    @Override
    protected final void doBeginRead()
    {
        readPending = true;
        if (mayRead && registration != null)
        {
            registration.markReady();
        }
    }

    @Override
    protected final void doDisconnect()
    {
        doClose();
    }

    @Override
    protected final void doClose()
    {
        if (open)
        {
            open = false;
            readPending = false;
            closeStream();
        }
    }

    @Override
    public final boolean isOpen()
    {
        return open;
    }

    /** The channel as the handler uses it. */
    abstract class IpnumaUnsafe extends AbstractUnsafe implements IpnumaIoHandle
    {
        @Override
        public final void handle(final IoRegistration from, final IoEvent event)
        {
            mayRead = true;
            onReady();
        }

        @Override
        public final void close()
        {
            close(voidPromise());
        }
    }
}
