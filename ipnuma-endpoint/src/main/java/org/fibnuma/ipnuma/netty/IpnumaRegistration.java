package org.fibnuma.ipnuma.netty;

import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;

import java.util.concurrent.atomic.AtomicBoolean;

/** A channel registered with the handler of an event loop. It is in the queue of ready channels at most once. */
final class IpnumaRegistration implements IoRegistration
{
    private final IpnumaIoHandler handler;
    private final IpnumaIoHandle handle;
    private final AtomicBoolean queued = new AtomicBoolean();
    private final AtomicBoolean cancelled = new AtomicBoolean();

    IpnumaRegistration(final IpnumaIoHandler handler, final IpnumaIoHandle handle)
    {
        this.handler = handler;
        this.handle = handle;
    }

    /** Queues the channel for its handler; any thread. */
    void markReady()
    {
        if (queued.compareAndSet(false, true))
        {
            handler.enqueue(this);
        }
    }

    /** Handles the events of the channel. Called by the handler with a registration from its queue. */
    void handleReady()
    {
        queued.set(false);
        if (isValid())
        {
            handle.handle(this, IpnumaIoHandle.READY);
        }
    }

    IpnumaIoHandle handle()
    {
        return handle;
    }

    SharedAgent agent()
    {
        return handler.agent();
    }

    /** Returns this. The event loop wraps the registration that its handler returns. */
    @Override
    @SuppressWarnings("unchecked") // The caller names the type, as everywhere in Netty.
    public <T> T attachment()
    {
        return (T)this;
    }

    /** Not supported. Channels of this package submit no operations, since they are notified of every change. */
    @Override
    public long submit(final IoOps ops)
    {
        throw new UnsupportedOperationException("channels of IP-NUMA have no operations to submit");
    }

    @Override
    public boolean isValid()
    {
        return !cancelled.get();
    }

    @Override
    public boolean cancel()
    {
        final boolean changed = cancelled.compareAndSet(false, true);
        if (changed)
        {
            handler.cancel(this);
        }
        return changed;
    }
}
