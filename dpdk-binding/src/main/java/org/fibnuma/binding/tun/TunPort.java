package org.fibnuma.binding.tun;

import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netdevice.InterfaceSettings;
import org.fibnuma.core.AllOrNothing;
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
import java.util.Arrays;

/**
 * A port that sends to this host's kernel through a TUN interface. The kernel receives the IP packets of the frames on
 * that interface, whatever their source. The port receives nothing. {@link TapPort} sends and receives whole frames.
 */
class TunPort implements Port
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

    /**
     * Makes a port that does not pass the first {@code skipped} bytes of a frame to the kernel. Queues share
     * descriptors.
     */
    TunPort(final PortRequest request, final TunDevice device, final int skipped)
    {
        this.request = request;
        this.device = device;
        this.txQueues = new TunTxQueue[request.queueCount()];
        for (int i = 0; i < txQueues.length; i++)
        {
            txQueues[i] = new TunTxQueue(device.fd(i % device.queueCount()), skipped, request.pools().get(i));
        }
    }

    static TunPort open(final PortRequest request)
    {
        final TunFailure failure = new TunFailure(SCHEME, request);
        failure.requireName(request.device());
        try
        {
            final TunDevice device = AllOrNothing.open(
                new TunDevice(request.device(), TunLayout.IFF_TUN | TunLayout.IFF_NO_PI, 1),
                attached -> setUp(request.device()));
            return new TunPort(request, device, EthernetHeaderFlyweight.LENGTH);
        }
        catch (final SystemCallException ex)
        {
            throw failure.of(ex);
        }
        catch (final IOException ex)
        {
            final UserException exception = failure.of("cannot set the reverse path filter: " + ex.getMessage());
            exception.initCause(ex);
            throw exception;
        }
    }

    private static void setUp(final String name) throws IOException
    {
        try (InterfaceSettings settings = new InterfaceSettings(name))
        {
            acceptAnySource(settings, name);
            settings.setUp();
        }
    }

    /**
     * Sets the interface's reverse path filter. The kernel applies the larger of it and that of "all". Loose (2) is
     * above strict (1) and, on an interface with an address, accepts every source that has a route.
     */
    private static void acceptAnySource(final InterfaceSettings settings, final String name) throws IOException
    {
        final Path all = IPV4_SETTINGS.resolve("all").resolve(REVERSE_PATH_FILTER);
        final boolean unfiltered = NO_FILTER.equals(Files.readString(all).strip());
        Files.writeString(
            IPV4_SETTINGS.resolve(name).resolve(REVERSE_PATH_FILTER), unfiltered ? NO_FILTER : LOOSE_FILTER);
        if (!unfiltered)
        {
            settings.hostAddress(DUMMY_ADDRESS);
        }
    }

    @Override
    public final String name()
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
    public final int interfaceIndex()
    {
        return device.device().index();
    }

    /** Returns 0, because the interface's address is that of the kernel's end. */
    @Override
    public final long macAddress()
    {
        return 0;
    }

    @Override
    public int mtu()
    {
        return device.device().mtu();
    }

    @Override
    public final int queueCount()
    {
        return txQueues.length;
    }

    @Override
    public RxQueue rxQueue(final int queue)
    {
        return batch -> 0;
    }

    @Override
    public final TxQueue txQueue(final int queue)
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
        return counter == PortCounter.TX_INVALID ? Arrays.stream(txQueues).mapToLong(TunTxQueue::refused).sum() : 0;
    }

    @Override
    public final void close()
    {
        if (open)
        {
            open = false;
            release();
        }
    }

    /** Closes the device; called once. */
    void release()
    {
        device.close();
    }
}
