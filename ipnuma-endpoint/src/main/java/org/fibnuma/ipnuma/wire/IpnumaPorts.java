package org.fibnuma.ipnuma.wire;

/**
 * UDP ports of remote memory. Source and destination UDP port of a datagram are the same. Those of NetTLP depend on the
 * TLP tag of the request (libtlp.h, enum dma_direction). A completion has the UDP ports of its request.
 */
public final class IpnumaPorts
{
    /** UDP port of fibnuma, ipnuma-10g and ipnuma-1g. */
    public static final int IPNUMA = 3422;
    /** Base of LibTLP's requests to an adapter, to which the TLP tag is added (NETTLP_LIBTLP_PORT_BASE). */
    public static final int NETTLP_REQUESTER = 0x3000;
    /**
     * Base of an adapter's requests to LibTLP, to which the low four bits of the TLP tag are added
     * (NETTLP_ADAPTER_PORT_BASE).
     */
    public static final int NETTLP_ADAPTER = 0x4000;

    private static final int REQUESTER_TAG_MASK = 0xFF;
    private static final int ADAPTER_TAG_MASK = 0xF;

    private IpnumaPorts()
    {
    }

    /** Returns the UDP port of a request as LibTLP sends it, 0x3000 to 0x30FF, for a TLP tag of 0 to 255. */
    public static int ofRequester(final int tag)
    {
        return NETTLP_REQUESTER + (tag & REQUESTER_TAG_MASK);
    }

    /** Returns the UDP port of a request as a NetTLP adapter sends it, 0x4000 to 0x400F, for a TLP tag of 0 to 255. */
    public static int ofAdapter(final int tag)
    {
        return NETTLP_ADAPTER + (tag & ADAPTER_TAG_MASK);
    }

    /** Returns whether a UDP port is one of the 256 of LibTLP's requests or of the 16 of an adapter's. */
    public static boolean isNetTlp(final int port)
    {
        return (port & ~REQUESTER_TAG_MASK) == NETTLP_REQUESTER || (port & ~ADAPTER_TAG_MASK) == NETTLP_ADAPTER;
    }
}
