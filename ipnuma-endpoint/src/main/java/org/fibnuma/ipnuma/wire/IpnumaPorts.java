package org.fibnuma.ipnuma.wire;

/** UDP ports of remote memory. */
public final class IpnumaPorts
{
    /** fibnuma, ipnuma-10g and ipnuma-1g: source and destination. */
    public static final int IPNUMA = 3422;
    /** LibTLP's requests, plus the low four bits of the tag: source and destination (NETTLP_PORT_BASE in libtlp.h). */
    public static final int NETTLP_REQUESTER = 0x3000;
    /** What a NetTLP adapter sends of its own accord, plus the low four bits of the tag. */
    public static final int NETTLP_ADAPTER = 0x4000;
    /** The bits of a tag that choose NetTLP's port. */
    public static final int NETTLP_TAG_MASK = 0xF;

    private IpnumaPorts()
    {
    }

    /**
     * Whether NetTLP datagrams arrive at a port.
     *
     * @param port 0 to 65,535.
     * @return true for the sixteen ports of either kind.
     */
    public static boolean isNetTlp(final int port)
    {
        final int base = port & ~NETTLP_TAG_MASK;
        return base == NETTLP_REQUESTER || base == NETTLP_ADAPTER;
    }
}
