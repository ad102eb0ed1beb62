package org.fibnuma.binding.tun;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortException;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;

import java.io.UncheckedIOException;

/** The kernel's side of this host as a port that only takes. */
final class TunPort implements Port
{
    private final PortRequest request;
    private final TunDevice device;
    private final TunTxQueue[] txQueues;
    private boolean open = true;

    private TunPort(final PortRequest request, final TunDevice device)
    {
        this.request = request;
        this.device = device;
        this.txQueues = new TunTxQueue[request.queueCount()];
        for (int i = 0; i < txQueues.length; i++)
        {
            txQueues[i] = new TunTxQueue(device.fd(), request.pools().get(i));
        }
    }

    static TunPort open(final PortRequest request)
    {
        final String prefix = "port " + request.name() + " (" + TunPortProvider.SCHEME + ":" + request.device() + "): ";
        if (!NetworkDevice.isName(request.device()))
        {
            throw new PortException(prefix + "\"" + request.device() + "\" cannot be the name of an interface");
        }
        try
        {
            return new TunPort(request, new TunDevice(request.device()));
        }
        catch (final SystemCallException ex)
        {
            throw new PortException(prefix + explain(ex), ex);
        }
        catch (final UncheckedIOException ex)
        {
            throw new PortException(prefix + "cannot set the reverse path filter: " + ex.getCause().getMessage(), ex);
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
        return TunPortProvider.SCHEME + ":" + request.device();
    }

    @Override
    public String mode()
    {
        return "to the kernel";
    }

    @Override
    public int interfaceIndex()
    {
        return device.index();
    }

    @Override
    public long macAddress()
    {
        return 0;
    }

    @Override
    public int mtu()
    {
        return device.mtu();
    }

    @Override
    public int queueCount()
    {
        return txQueues.length;
    }

    @Override
    public RxQueue rxQueue(final int queue)
    {
        return batch -> 0;
    }

    @Override
    public TxQueue txQueue(final int queue)
    {
        return txQueues[queue];
    }

    @Override
    public void start()
    {
    }

    @Override
    public void localAddress(final int address, final boolean local)
    {
    }

    @Override
    public long deviceCounter(final PortCounter counter)
    {
        long refused = 0;
        if (counter == PortCounter.TX_INVALID)
        {
            for (final TunTxQueue txQueue : txQueues)
            {
                refused += txQueue.refused();
            }
        }
        return refused;
    }

    @Override
    public void close()
    {
        if (open)
        {
            open = false;
            device.close();
        }
    }

    private static String explain(final SystemCallException ex)
    {
        if (Errno.EPERM.is(ex.errno()) || Errno.EACCES.is(ex.errno()))
        {
            return "needs root, or the capability CAP_NET_ADMIN: run it with sudo";
        }
        if (Errno.ENOENT.is(ex.errno()) || Errno.ENODEV.is(ex.errno()))
        {
            return "this kernel has no /dev/net/tun: modprobe tun";
        }
        if (Errno.EBUSY.is(ex.errno()) || Errno.EINVAL.is(ex.errno()))
        {
            return "an interface of this name is there already";
        }
        return "the kernel refuses: " + ex.getMessage();
    }
}
