package org.fibnuma.binding.tun;

/** Requests and flags of {@code /dev/net/tun} (linux/if_tun.h and struct ifreq of linux/if.h, Linux 6.1). */
final class TunLayout
{
    static final String CLONE_DEVICE = "/dev/net/tun";

    static final long TUNSETIFF = 0x400454CAL;
    /** The argument is the offloads of the reader: {@code TUN_F_...}, or {@link #NO_OFFLOADS}. */
    static final long TUNSETOFFLOAD = 0x400454D0L;
    /** The kernel completes checksums and segments packets to the MTU before the reader receives them. */
    static final long NO_OFFLOADS = 0;
    /** The argument is a pointer to an int: 1 for a carrier, 0 for none. */
    static final long TUNSETCARRIER = 0x400454E2L;

    /** Packets without a link-layer header. */
    static final int IFF_TUN = 0x0001;
    /** Ethernet frames. */
    static final int IFF_TAP = 0x0002;
    /** One file descriptor for each queue. */
    static final int IFF_MULTI_QUEUE = 0x0100;
    /** Nothing before the packet. */
    static final int IFF_NO_PI = 0x1000;

    static final int NAME_OFFSET = 0;
    /** IFNAMSIZ. */
    static final int NAME_SIZE = 16;
    static final int FLAGS_OFFSET = NAME_OFFSET + NAME_SIZE;
    static final int IFREQ_SIZE = 40;

    private TunLayout()
    {
    }
}
