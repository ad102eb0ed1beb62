package org.fibnuma.ipnuma.wire;

/**
 * UDP ports of remote memory. Source and destination port of a datagram are the same. NetTLP's depend on the tag of the
 * request (libtlp.h, enum dma_direction): an answer has the ports of its request.
 */
public final class IpnumaPorts
{
    /** fibnuma, ipnuma-10g and ipnuma-1g. */
    public static final int IPNUMA = 3422;
    /** LibTLP's requests to an adapter, plus the tag (NETTLP_LIBTLP_PORT_BASE). */
    public static final int NETTLP_REQUESTER = 0x3000;
    /** An adapter's requests to LibTLP, plus the low four bits of the tag (NETTLP_ADAPTER_PORT_BASE). */
    public static final int NETTLP_ADAPTER = 0x4000;

    private static final int REQUESTER_TAG_MASK = 0xFF;
    private static final int ADAPTER_TAG_MASK = 0xF;

    private IpnumaPorts()
    {
    }

    /**
     * The port of a request that is sent as LibTLP sends it.
     *
     * @param tag 0 to 255.
     * @return 0x3000 to 0x30FF.
     */
    public static int ofRequester(final int tag)
    {
        return NETTLP_REQUESTER + (tag & REQUESTER_TAG_MASK);
    }

    /**
     * The port of a request that is sent as a NetTLP adapter sends it.
     *
     * @param tag 0 to 255.
     * @return 0x4000 to 0x400F.
     */
    public static int ofAdapter(final int tag)
    {
        return NETTLP_ADAPTER + (tag & ADAPTER_TAG_MASK);
    }

    /**
     * Whether NetTLP datagrams arrive at a port.
     *
     * @param port 0 to 65,535.
     * @return true for the 256 ports of LibTLP's requests and the 16 of an adapter's.
     */
    public static boolean isNetTlp(final int port)
    {
        return (port & ~REQUESTER_TAG_MASK) == NETTLP_REQUESTER || (port & ~ADAPTER_TAG_MASK) == NETTLP_ADAPTER;
    }
}
