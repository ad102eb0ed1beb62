package org.fibnuma.binding.netdevice;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.libc.SystemCallException;

import java.util.Set;

/**
 * Properties of an interface at the time of reading.
 *
 * @param name       of the interface.
 * @param index      of the interface, 1 or more.
 * @param ethernet   whether the interface transmits Ethernet frames; the loopback does not.
 * @param macAddress in the format of {@link org.fibnuma.core.wire.MacAddress}; 0 if there is none.
 * @param mtu        longest packet in bytes, without the Ethernet header.
 * @param up         whether the interface is set up (IFF_UP).
 * @param rxQueues   receive queues in use, or {@link #UNKNOWN}.
 * @param txQueues   transmit queues in use, or {@link #UNKNOWN}.
 * @param driver     name of the driver, such as {@code veth}; empty if the interface does not report it.
 */
public record NetworkDevice(
    String name,
    int index,
    boolean ethernet,
    long macAddress,
    int mtu,
    boolean up,
    int rxQueues,
    int txQueues,
    String driver)
{
    /** Number of queues that the driver does not report. */
    public static final int UNKNOWN = -1;

    /**
     * Drivers that deliver frames of the same machine with partial checksums (Linux 6.18): veth and tun always,
     * virtio_net if it has negotiated VIRTIO_NET_F_GUEST_CSUM.
     */
    private static final Set<String> PARTIAL_CHECKSUM_DRIVERS = Set.of("veth", "tun", "virtio_net");

    private static final int MAX_NAME_LENGTH = IfreqLayout.NAME_SIZE - 1;

    /** Returns whether a text is a valid interface name: 1 to 15 characters without white space and slashes. */
    public static boolean isName(final String name)
    {
        return name.matches("[^\\s/]{1," + MAX_NAME_LENGTH + "}");
    }

    /**
     * Reads the properties of an interface in the calling thread's network namespace, by a name that {@link #isName}
     * accepts.
     *
     * @return null if there is no such interface.
     * @throws SystemCallException if the kernel refuses.
     */
    public static NetworkDevice read(final String name)
    {
        final LibC libC = LibC.get();
        final int socket = openSocket(libC);
        try (StructMemory ifreq = new StructMemory(IfreqLayout.SIZE))
        {
            ifreq.putString(IfreqLayout.NAME_OFFSET, name, IfreqLayout.NAME_SIZE);
            if (libC.ioctl(socket, IfreqLayout.SIOCGIFINDEX, ifreq.address()) < 0)
            {
                return onMissing(name, Errno.last());
            }
            final int index = ifreq.getInt(IfreqLayout.VALUE_OFFSET);
            request(socket, IfreqLayout.SIOCGIFFLAGS, ifreq);
            final boolean up = (ifreq.getShort(IfreqLayout.VALUE_OFFSET) & IfreqLayout.IFF_UP) != 0;
            request(socket, IfreqLayout.SIOCGIFMTU, ifreq);
            final int mtu = ifreq.getInt(IfreqLayout.VALUE_OFFSET);
            request(socket, IfreqLayout.SIOCGIFHWADDR, ifreq);
            final boolean ethernet = ifreq.getShort(IfreqLayout.VALUE_OFFSET) == IfreqLayout.ARPHRD_ETHER;
            final long macAddress = ethernet ? macAddress(ifreq) : 0;
            final int[] queues = queues(socket, ifreq);
            return new NetworkDevice(
                name, index, ethernet, macAddress, mtu, up, queues[0], queues[1], driver(socket, ifreq));
        }
        finally
        {
            libC.close(socket);
        }
    }

    /**
     * Returns whether received frames may have partial checksums, by the driver's name; see
     * {@link org.fibnuma.core.wire.PartialChecksum}.
     */
    public boolean deliversPartialChecksums()
    {
        return PARTIAL_CHECKSUM_DRIVERS.contains(driver);
    }

    /** Returns a copy with another link-layer address, in the format of {@link org.fibnuma.core.wire.MacAddress}. */
    public NetworkDevice withMacAddress(final long other)
    {
        return new NetworkDevice(name, index, ethernet, other, mtu, up, rxQueues, txQueues, driver);
    }

    static int openSocket(final LibC libC)
    {
        return SystemCallException.check(
            libC.socket(SysSocket.AF_INET, SysSocket.SOCK_DGRAM | SysSocket.SOCK_CLOEXEC, 0), "socket(AF_INET)");
    }

    private static NetworkDevice onMissing(final String name, final int errno)
    {
        if (Errno.ENODEV.is(errno))
        {
            return null;
        }
        throw new SystemCallException("interface " + name, errno, "");
    }

    static void request(final int socket, final int request, final StructMemory ifreq)
    {
        SystemCallException.check(
            LibC.get().ioctl(socket, request, ifreq.address()), "ioctl 0x" + Integer.toHexString(request));
    }

    static long macAddress(final StructMemory ifreq)
    {
        long mac = 0;
        for (final byte octet : ifreq.getBytes(IfreqLayout.HARDWARE_ADDRESS_OFFSET, 6))
        {
            mac = mac << Byte.SIZE | octet & 0xFF;
        }
        return mac;
    }

    private static int[] queues(final int socket, final StructMemory ifreq)
    {
        try (StructMemory channels = new StructMemory(EthtoolLayout.CHANNELS_SIZE))
        {
            channels.putInt(0, EthtoolLayout.ETHTOOL_GCHANNELS);
            ifreq.putLong(IfreqLayout.VALUE_OFFSET, channels.address());
            if (LibC.get().ioctl(socket, IfreqLayout.SIOCETHTOOL, ifreq.address()) < 0)
            {
                return new int[]{UNKNOWN, UNKNOWN};
            }
            final int combined = channels.getInt(EthtoolLayout.COMBINED_COUNT_OFFSET);
            return new int[]{
                channels.getInt(EthtoolLayout.RX_COUNT_OFFSET) + combined,
                channels.getInt(EthtoolLayout.TX_COUNT_OFFSET) + combined};
        }
    }

    private static String driver(final int socket, final StructMemory ifreq)
    {
        try (StructMemory information = new StructMemory(EthtoolLayout.DRIVER_INFORMATION_SIZE))
        {
            information.putInt(0, EthtoolLayout.ETHTOOL_GDRVINFO);
            ifreq.putLong(IfreqLayout.VALUE_OFFSET, information.address());
            return LibC.get().ioctl(socket, IfreqLayout.SIOCETHTOOL, ifreq.address()) < 0 ? "" :
                information.getString(EthtoolLayout.DRIVER_OFFSET, EthtoolLayout.DRIVER_SIZE);
        }
    }
}
