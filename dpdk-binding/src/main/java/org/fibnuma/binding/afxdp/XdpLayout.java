package org.fibnuma.binding.afxdp;

/** Structures and constants of AF_XDP sockets (linux/if_xdp.h, Linux 6.1; the transmit budget is from Linux 6.17). */
final class XdpLayout
{
    static final int XDP_MMAP_OFFSETS = 1;
    static final int XDP_RX_RING = 2;
    static final int XDP_TX_RING = 3;
    static final int XDP_UMEM_REG = 4;
    static final int XDP_UMEM_FILL_RING = 5;
    static final int XDP_UMEM_COMPLETION_RING = 6;
    static final int XDP_STATISTICS = 7;
    static final int XDP_OPTIONS = 8;
    /** Number of descriptors sent by one system call in copy mode. */
    static final int XDP_MAX_TX_SKB_BUDGET = 9;

    /** Flags of {@code sockaddr_xdp}. */
    static final int XDP_COPY = 1 << 1;
    static final int XDP_ZEROCOPY = 1 << 2;
    static final int XDP_USE_NEED_WAKEUP = 1 << 3;

    /** In the flags word of a ring. */
    static final int XDP_RING_NEED_WAKEUP = 1;
    /** In {@code struct xdp_options}. */
    static final int XDP_OPTIONS_ZEROCOPY = 1;

    static final long XDP_PGOFF_RX_RING = 0;
    static final long XDP_PGOFF_TX_RING = 0x80000000L;
    static final long XDP_UMEM_PGOFF_FILL_RING = 0x100000000L;
    static final long XDP_UMEM_PGOFF_COMPLETION_RING = 0x180000000L;

    static final int SOCKADDR_FAMILY_OFFSET = 0;
    static final int SOCKADDR_FLAGS_OFFSET = SOCKADDR_FAMILY_OFFSET + Short.BYTES;
    static final int SOCKADDR_IFINDEX_OFFSET = SOCKADDR_FLAGS_OFFSET + Short.BYTES;
    static final int SOCKADDR_QUEUE_ID_OFFSET = SOCKADDR_IFINDEX_OFFSET + Integer.BYTES;
    /** Includes sxdp_shared_umem_fd at the end. */
    static final int SOCKADDR_SIZE = SOCKADDR_QUEUE_ID_OFFSET + 2 * Integer.BYTES;

    static final int UMEM_ADDR_OFFSET = 0;
    static final int UMEM_LEN_OFFSET = UMEM_ADDR_OFFSET + Long.BYTES;
    static final int UMEM_CHUNK_SIZE_OFFSET = UMEM_LEN_OFFSET + Long.BYTES;
    /** Includes headroom, flags and tx_metadata_len (padding before Linux 6.8) at the end. */
    static final int UMEM_SIZE = UMEM_CHUNK_SIZE_OFFSET + 4 * Integer.BYTES;

    /** {@code struct xdp_ring_offset}; {@code struct xdp_mmap_offsets} consists of four. */
    static final int PRODUCER_OFFSET = 0;
    static final int CONSUMER_OFFSET = PRODUCER_OFFSET + Long.BYTES;
    static final int DESC_OFFSET = CONSUMER_OFFSET + Long.BYTES;
    static final int FLAGS_OFFSET = DESC_OFFSET + Long.BYTES;
    static final int RING_OFFSET_SIZE = FLAGS_OFFSET + Long.BYTES;
    static final int MMAP_RX_OFFSET = 0;
    static final int MMAP_TX_OFFSET = MMAP_RX_OFFSET + RING_OFFSET_SIZE;
    static final int MMAP_FILL_OFFSET = MMAP_TX_OFFSET + RING_OFFSET_SIZE;
    static final int MMAP_COMPLETION_OFFSET = MMAP_FILL_OFFSET + RING_OFFSET_SIZE;
    static final int MMAP_OFFSETS_SIZE = MMAP_COMPLETION_OFFSET + RING_OFFSET_SIZE;

    /** {@code struct xdp_desc}, the entries of RX and TX; entries of FILL and COMPLETION consist of the addr only. */
    static final int DESC_ADDR_OFFSET = 0;
    static final int DESC_LEN_OFFSET = DESC_ADDR_OFFSET + Long.BYTES;
    static final int DESC_OPTIONS_OFFSET = DESC_LEN_OFFSET + Integer.BYTES;
    static final int DESC_SIZE = DESC_OPTIONS_OFFSET + Integer.BYTES;

    static final int STATISTICS_RX_DROPPED_OFFSET = 0;
    static final int STATISTICS_RX_INVALID_OFFSET = STATISTICS_RX_DROPPED_OFFSET + Long.BYTES;
    static final int STATISTICS_TX_INVALID_OFFSET = STATISTICS_RX_INVALID_OFFSET + Long.BYTES;
    static final int STATISTICS_RX_RING_FULL_OFFSET = STATISTICS_TX_INVALID_OFFSET + Long.BYTES;
    static final int STATISTICS_RX_FILL_EMPTY_OFFSET = STATISTICS_RX_RING_FULL_OFFSET + Long.BYTES;
    /** Includes tx_ring_empty_descs at the end. */
    static final int STATISTICS_SIZE = STATISTICS_RX_FILL_EMPTY_OFFSET + 2 * Long.BYTES;

    private XdpLayout()
    {
    }
}
