package org.fibnuma.binding.netdevice;

/**
 * {@code struct ifreq} and the requests that use it (linux/if.h, linux/sockios.h, linux/if_arp.h, Linux 6.1).
 */
final class IfreqLayout
{
    static final int SIOCGIFNAME = 0x8910;
    static final int SIOCGIFFLAGS = 0x8913;
    static final int SIOCSIFFLAGS = 0x8914;
    static final int SIOCSIFADDR = 0x8916;
    static final int SIOCSIFNETMASK = 0x891C;
    static final int SIOCGIFMTU = 0x8921;
    static final int SIOCSIFMTU = 0x8922;
    static final int SIOCSIFHWADDR = 0x8924;
    static final int SIOCGIFHWADDR = 0x8927;
    static final int SIOCGIFINDEX = 0x8933;
    static final int SIOCETHTOOL = 0x8946;

    static final int NAME_OFFSET = 0;
    /** IFNAMSIZ. */
    static final int NAME_SIZE = 16;
    /** The union: flags, MTU, index, pointer or address, depending on the request. */
    static final int VALUE_OFFSET = NAME_OFFSET + NAME_SIZE;
    /** {@code ifr_hwaddr.sa_data}, after {@code sa_family}. */
    static final int HARDWARE_ADDRESS_OFFSET = VALUE_OFFSET + Short.BYTES;
    /** {@code ((struct sockaddr_in *)&ifr_addr)->sin_addr}, after {@code sin_family} and {@code sin_port}. */
    static final int INTERNET_ADDRESS_OFFSET = VALUE_OFFSET + 2 * Short.BYTES;
    static final int SIZE = 40;

    static final int IFF_UP = 1;
    static final int IFF_RUNNING = 0x40;
    static final int ARPHRD_ETHER = 1;

    private IfreqLayout()
    {
    }
}
