package org.fibnuma.binding.bpf;

/** {@code struct xdp_md}, to which R1 points when an XDP program starts (linux/bpf.h, Linux 6.1); fields of 32 bits. */
public final class XdpContextLayout
{
    /** Address of the first byte of the frame. */
    public static final int DATA_OFFSET = 0;
    /** Address after the last byte of the frame. */
    public static final int DATA_END_OFFSET = DATA_OFFSET + Integer.BYTES;
    /** Address of the metadata before the frame. */
    public static final int DATA_META_OFFSET = DATA_END_OFFSET + Integer.BYTES;
    /** Receiving interface. */
    public static final int INGRESS_IFINDEX_OFFSET = DATA_META_OFFSET + Integer.BYTES;
    /** Receiving queue of the interface. */
    public static final int RX_QUEUE_INDEX_OFFSET = INGRESS_IFINDEX_OFFSET + Integer.BYTES;
    /** Sending interface. */
    public static final int EGRESS_IFINDEX_OFFSET = RX_QUEUE_INDEX_OFFSET + Integer.BYTES;
    public static final int SIZE = EGRESS_IFINDEX_OFFSET + Integer.BYTES;

    private XdpContextLayout()
    {
    }
}
