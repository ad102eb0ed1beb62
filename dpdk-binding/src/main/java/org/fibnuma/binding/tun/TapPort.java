package org.fibnuma.binding.tun;

import org.agrona.CloseHelper;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netdevice.InterfaceSettings;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;

/**
 * Our end of a TAP interface, with one queue for each worker; at the other end is the kernel. Each frame is one system
 * call, either way.
 */
final class TapPort implements KernelPort
{
    static final String SCHEME = "tap";

    private final PortRequest request;
    private final TunFailure failure;
    private final TunDevice device;
    private final InterfaceSettings settings;
    private final TunTxQueue[] txQueues;
    private final TapRxQueue[] rxQueues;
    private volatile int mtu;
    private boolean open = true;

    private TapPort(
        final PortRequest request,
        final TunFailure failure,
        final TunDevice device,
        final InterfaceSettings settings)
    {
        this.settings = settings;
        this.request = request;
        this.failure = failure;
        this.device = device;
        this.mtu = device.device().mtu();
        this.txQueues = new TunTxQueue[device.queueCount()];
        this.rxQueues = new TapRxQueue[device.queueCount()];
        for (int i = 0; i < txQueues.length; i++)
        {
            txQueues[i] = new TunTxQueue(device.fd(i), 0, request.pools().get(i));
            rxQueues[i] = new TapRxQueue(device.fd(i), request.index(), request.pools().get(i));
        }
    }

    static TapPort open(final PortRequest request)
    {
        final TunFailure failure = new TunFailure(SCHEME, request);
        failure.requireName(request.device());
        InterfaceSettings settings = null;
        try
        {
            settings = new InterfaceSettings(request.device());
            final TunDevice device = new TunDevice(
                request.device(),
                TunLayout.IFF_TAP | TunLayout.IFF_NO_PI | TunLayout.IFF_MULTI_QUEUE,
                request.queueCount());
            return new TapPort(request, failure, device, settings);
        }
        catch (final SystemCallException ex)
        {
            CloseHelper.close(settings);
            throw failure.of(ex);
        }
    }

    @Override
    public void represent(final long macAddress, final int portMtu)
    {
        try
        {
            if (macAddress != 0)
            {
                settings.macAddress(macAddress);
            }
            if (!device.isInherited() || mtu > portMtu)
            {
                settings.mtu(portMtu);
                mtu = portMtu;
            }
        }
        catch (final SystemCallException ex)
        {
            throw failure.of(ex);
        }
    }

    @Override
    public void address(final int address, final int prefixLength)
    {
        AddressWriter.put(new KernelAddress(interfaceIndex(), address, prefixLength));
    }

    @Override
    public void carrier(final boolean up)
    {
        try (StructMemory value = new StructMemory(Integer.BYTES))
        {
            value.putInt(0, up ? 1 : 0);
            SystemCallException.check(
                LibC.get().ioctl(device.fd(0), TunLayout.TUNSETCARRIER, value.address()), "ioctl(TUNSETCARRIER)");
        }
        catch (final SystemCallException ex)
        {
            throw failure.of(ex);
        }
    }

    @Override
    public String name()
    {
        return request.name();
    }

    @Override
    public String device()
    {
        return SCHEME + ":" + request.device();
    }

    @Override
    public String mode()
    {
        return "a system call for each frame";
    }

    @Override
    public int interfaceIndex()
    {
        return device.device().index();
    }

    /** Unknown: the interface's address is that of the other end. */
    @Override
    public long macAddress()
    {
        return 0;
    }

    @Override
    public int mtu()
    {
        return mtu;
    }

    @Override
    public int queueCount()
    {
        return txQueues.length;
    }

    @Override
    public RxQueue rxQueue(final int queue)
    {
        return rxQueues[queue];
    }

    @Override
    public TxQueue txQueue(final int queue)
    {
        return txQueues[queue];
    }

    @Override
    public void start()
    {
        try
        {
            settings.setUp();
        }
        catch (final SystemCallException ex)
        {
            throw failure.of(ex);
        }
        for (final TapRxQueue rxQueue : rxQueues)
        {
            rxQueue.start();
        }
    }

    @Override
    public long deviceCounter(final PortCounter counter)
    {
        switch (counter)
        {
            case TX_INVALID:
                return TunTxQueue.refused(txQueues);
            case RX_DROPPED:
                long tooLong = 0;
                for (final TapRxQueue rxQueue : rxQueues)
                {
                    tooLong += rxQueue.tooLong();
                }
                return tooLong;
            default:
                return 0;
        }
    }

    @Override
    public void close()
    {
        if (open)
        {
            open = false;
            device.close();
            settings.close();
        }
    }
}
