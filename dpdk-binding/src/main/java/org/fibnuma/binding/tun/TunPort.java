package org.fibnuma.binding.tun;

import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netdevice.InterfaceSettings;
import org.fibnuma.core.UserException;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The kernel's side of this host as a port that only takes: the IP packets of its frames come in by a TUN interface,
 * whatever interface their sender is reached through.
 */
final class TunPort implements Port
{
    static final String SCHEME = "tun";

    private static final Path IPV4_SETTINGS = Path.of("/proc/sys/net/ipv4/conf");
    private static final String REVERSE_PATH_FILTER = "rp_filter";
    private static final String NO_FILTER = "0";
    private static final String LOOSE_FILTER = "2";
    /** 192.0.0.8, the IPv4 dummy address of RFC 7600: never seen on a wire. */
    private static final int DUMMY_ADDRESS = 0xC000_0008;

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
            txQueues[i] = new TunTxQueue(device.fd(0), EthernetHeaderFlyweight.LENGTH, request.pools().get(i));
        }
    }

    static TunPort open(final PortRequest request)
    {
        final TunFailure failure = new TunFailure(SCHEME, request);
        failure.requireName(request.device());
        final TunPort port;
        try
        {
            port = new TunPort(
                request, new TunDevice(request.device(), TunLayout.IFF_TUN | TunLayout.IFF_NO_PI, 1));
        }
        catch (final SystemCallException ex)
        {
            throw failure.of(ex);
        }
        try
        {
            port.setUp();
            return port;
        }
        catch (final SystemCallException ex)
        {
            port.close();
            throw failure.of(ex);
        }
        catch (final IOException ex)
        {
            port.close();
            final UserException exception = failure.of("cannot set the reverse path filter: " + ex.getMessage());
            exception.initCause(ex);
            throw exception;
        }
    }

    private void setUp() throws IOException
    {
        try (InterfaceSettings settings = new InterfaceSettings(request.device()))
        {
            acceptAnySource(settings);
            settings.setUp();
        }
    }

    /**
     * The kernel applies the larger of an interface's reverse path filter and that of "all". Loose (2) is above
     * strict (1) and accepts whatever has a route, on an interface that has an address.
     */
    private void acceptAnySource(final InterfaceSettings settings) throws IOException
    {
        final Path all = IPV4_SETTINGS.resolve("all").resolve(REVERSE_PATH_FILTER);
        final boolean unfiltered = NO_FILTER.equals(Files.readString(all).strip());
        Files.writeString(
            IPV4_SETTINGS.resolve(request.device()).resolve(REVERSE_PATH_FILTER),
            unfiltered ? NO_FILTER : LOOSE_FILTER);
        if (!unfiltered)
        {
            settings.hostAddress(DUMMY_ADDRESS);
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
        return "to the kernel";
    }

    @Override
    public int interfaceIndex()
    {
        return device.device().index();
    }

    @Override
    public long macAddress()
    {
        return 0;
    }

    @Override
    public int mtu()
    {
        return device.device().mtu();
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
    public long deviceCounter(final PortCounter counter)
    {
        return counter == PortCounter.TX_INVALID ? TunTxQueue.refused(txQueues) : 0;
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
}
