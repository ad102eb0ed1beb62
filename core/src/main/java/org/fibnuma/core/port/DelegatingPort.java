package org.fibnuma.core.port;

import java.util.Optional;

/** Port that passes every call to another port. Subclasses override what they change. */
public abstract class DelegatingPort implements Port
{
    private final Port port;

    /** Wraps a port, which is closed with this one. */
    protected DelegatingPort(final Port port)
    {
        this.port = port;
    }

    @Override
    public String name()
    {
        return port.name();
    }

    @Override
    public String device()
    {
        return port.device();
    }

    @Override
    public String mode()
    {
        return port.mode();
    }

    @Override
    public int interfaceIndex()
    {
        return port.interfaceIndex();
    }

    @Override
    public long macAddress()
    {
        return port.macAddress();
    }

    @Override
    public int mtu()
    {
        return port.mtu();
    }

    @Override
    public int queueCount()
    {
        return port.queueCount();
    }

    @Override
    public RxQueue rxQueue(final int queue)
    {
        return port.rxQueue(queue);
    }

    @Override
    public TxQueue txQueue(final int queue)
    {
        return port.txQueue(queue);
    }

    @Override
    public void start()
    {
        port.start();
    }

    @Override
    public boolean linkUp()
    {
        return port.linkUp();
    }

    @Override
    public boolean deliversPartialChecksums()
    {
        return port.deliversPartialChecksums();
    }

    @Override
    public boolean removed()
    {
        return port.removed();
    }

    @Override
    public long deviceCounter(final PortCounter counter)
    {
        return port.deviceCounter(counter);
    }

    @Override
    public <T> Optional<T> capability(final Class<T> type)
    {
        final Optional<T> own = Port.super.capability(type);
        return own.isPresent() ? own : port.capability(type);
    }

    @Override
    public void close()
    {
        port.close();
    }
}
