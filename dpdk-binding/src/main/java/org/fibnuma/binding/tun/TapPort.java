package org.fibnuma.binding.tun;

import org.agrona.CloseHelper;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netdevice.InterfaceSettings;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.rtnetlink.AddressLayout;
import org.fibnuma.core.UserException;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.wire.IpAddress;

import java.util.Arrays;

/**
 * This process's end of a TAP interface, with one queue for each worker. The kernel is the other end. Each frame is one
 * system call in each direction.
 */
final class TapPort extends TunPort implements KernelPort
{
    static final String SCHEME = "tap";

    private static final int MAX_ADDRESS_REQUEST = 128;

    private final PortRequest request;
    private final TunFailure failure;
    private final TunDevice device;
    private final InterfaceSettings settings;
    private final TapRxQueue[] rxQueues;
    private volatile int mtu;

    private TapPort(
        final PortRequest request,
        final TunFailure failure,
        final TunDevice device,
        final InterfaceSettings settings)
    {
        super(request, device, 0);
        this.request = request;
        this.failure = failure;
        this.device = device;
        this.settings = settings;
        this.mtu = device.device().mtu();
        this.rxQueues = new TapRxQueue[device.queueCount()];
        for (int i = 0; i < rxQueues.length; i++)
        {
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

    /**
     * Adds an address as {@code ip address replace} does: an existing one stays. The kernel detects duplicates of an
     * IPv6 address before it uses it (RFC 4862 section 5.4), through this port when the carrier is up.
     */
    @Override
    public void address(final IpAddress address, final int prefixLength)
    {
        final NetlinkRequest put = new NetlinkRequest(MAX_ADDRESS_REQUEST);
        try (NetlinkExchange exchange = new NetlinkExchange(NetlinkLayout.NETLINK_ROUTE))
        {
            put.begin(
                AddressLayout.RTM_NEWADDR,
                NetlinkLayout.NLM_F_CREATE | NetlinkLayout.NLM_F_REPLACE | NetlinkLayout.NLM_F_ACK,
                exchange.nextSequence(),
                AddressLayout.LENGTH)
                .putByte(AddressLayout.FAMILY_OFFSET, address.isIpv4() ? SysSocket.AF_INET : SysSocket.AF_INET6)
                .putByte(AddressLayout.PREFIX_LENGTH_OFFSET, prefixLength)
                .putInt(AddressLayout.INDEX_OFFSET, interfaceIndex())
                .addAddress(AddressLayout.IFA_LOCAL, address)
                .addAddress(AddressLayout.IFA_ADDRESS, address);
            if (exchange.execute(put) != 0)
            {
                throw new UserException("netlink: the kernel refused the address " +
                    address + "/" + prefixLength + ": " + exchange.refusal() +
                    (address.isIpv4() ? "" : "; net.ipv6.conf." + request.device() + ".disable_ipv6 must be 0"));
            }
        }
        catch (final SystemCallException ex)
        {
            throw new UserException("netlink: " + ex.getMessage(), ex);
        }
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
    public int mtu()
    {
        return mtu;
    }

    @Override
    public RxQueue rxQueue(final int queue)
    {
        return rxQueues[queue];
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
        return counter == PortCounter.RX_DROPPED ? Arrays.stream(rxQueues).mapToLong(TapRxQueue::tooLong).sum() :
            super.deviceCounter(counter);
    }

    @Override
    void release()
    {
        super.release();
        settings.close();
    }
}
