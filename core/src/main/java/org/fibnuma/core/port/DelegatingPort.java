package org.fibnuma.core.port;

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
    public boolean exhausted()
    {
        return port.exhausted();
    }

    @Override
    public boolean linkUp()
    {
        return port.linkUp();
    }

    @Override
    public FlowControlAnswer macFlowControl(final int priorities)
    {
        return port.macFlowControl(priorities);
    }

    @Override
    public boolean hasMacFlowControl()
    {
        return port.hasMacFlowControl();
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
    public String interfaceName()
    {
        return port.interfaceName();
    }

    @Override
    public boolean takeUp()
    {
        return port.takeUp();
    }

    @Override
    public boolean followAddress()
    {
        return port.followAddress();
    }

    @Override
    public void adopt(final long macAddress, final int mtu)
    {
        port.adopt(macAddress, mtu);
    }

    @Override
    public void localAddress(final int address, final boolean local)
    {
        port.localAddress(address, local);
    }

    @Override
    public boolean takeTransit(final boolean taken)
    {
        return port.takeTransit(taken);
    }

    @Override
    public long deviceCounter(final PortCounter counter)
    {
        return port.deviceCounter(counter);
    }

    @Override
    public void close()
    {
        port.close();
    }
}
