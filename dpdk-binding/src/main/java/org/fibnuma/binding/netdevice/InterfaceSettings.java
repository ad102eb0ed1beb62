package org.fibnuma.binding.netdevice;

import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.libc.SystemCallException;

import java.nio.ByteBuffer;

/**
 * Changes settings of one interface, with CAP_NET_ADMIN, in the network namespace of the thread that called the
 * constructor. One thread at a time. Methods throw {@link SystemCallException} if the kernel refuses.
 */
public final class InterfaceSettings implements AutoCloseable
{
    private final int socket;
    private final StructMemory ifreq = new StructMemory(IfreqLayout.SIZE);

    /**
     * Opens a socket in the calling thread's network namespace. The interface need not exist yet;
     * {@link NetworkDevice#isName} accepts its name.
     */
    public InterfaceSettings(final String name)
    {
        socket = NetworkDevice.openSocket(LibC.get());
        ifreq.putString(IfreqLayout.NAME_OFFSET, name, IfreqLayout.NAME_SIZE);
    }

    /** Sets the interface up, as {@code ip link set NAME up} does. */
    public void setUp()
    {
        NetworkDevice.request(socket, IfreqLayout.SIOCGIFFLAGS, ifreq);
        ifreq.putShort(IfreqLayout.VALUE_OFFSET, ifreq.getShort(IfreqLayout.VALUE_OFFSET) | IfreqLayout.IFF_UP);
        NetworkDevice.request(socket, IfreqLayout.SIOCSIFFLAGS, ifreq);
    }

    /**
     * Adds an IPv4 address, in the format of {@link org.fibnuma.core.wire.Ipv4Address}, as
     * {@code ip address add ADDRESS/32} does.
     */
    public void hostAddress(final int address)
    {
        ifreq.putShort(IfreqLayout.VALUE_OFFSET, SysSocket.AF_INET)
            .putBytes(IfreqLayout.INTERNET_ADDRESS_OFFSET, inNetworkOrder(address));
        NetworkDevice.request(socket, IfreqLayout.SIOCSIFADDR, ifreq);
        ifreq.putBytes(IfreqLayout.INTERNET_ADDRESS_OFFSET, inNetworkOrder(-1));
        NetworkDevice.request(socket, IfreqLayout.SIOCSIFNETMASK, ifreq);
    }

    private static byte[] inNetworkOrder(final int address)
    {
        return ByteBuffer.allocate(Integer.BYTES).putInt(address).array();
    }

    /**
     * Sets the link-layer address, in the format of {@link org.fibnuma.core.wire.MacAddress}, as
     * {@code ip link set NAME address MAC} does.
     */
    public void macAddress(final long macAddress)
    {
        final byte[] octets = ByteBuffer.allocate(Long.BYTES).putLong(macAddress << 2 * Byte.SIZE).array();
        ifreq.putShort(IfreqLayout.VALUE_OFFSET, IfreqLayout.ARPHRD_ETHER)
            .putBytes(IfreqLayout.HARDWARE_ADDRESS_OFFSET, octets);
        NetworkDevice.request(socket, IfreqLayout.SIOCSIFHWADDR, ifreq);
    }

    /** Sets the MTU in bytes, without the Ethernet header, as {@code ip link set NAME mtu MTU} does. */
    public void mtu(final int mtu)
    {
        ifreq.putInt(IfreqLayout.VALUE_OFFSET, mtu);
        NetworkDevice.request(socket, IfreqLayout.SIOCSIFMTU, ifreq);
    }

    @Override
    public void close()
    {
        LibC.get().close(socket);
        ifreq.close();
    }
}
