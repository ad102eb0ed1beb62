package org.fibnuma.binding.dpdk.layout;

import org.fibnuma.core.frame.FramePool;

/**
 * {@code struct rte_mbuf} of rte_mbuf_core.h (22.11, 23.11, 24.11), and its position in a chunk of frame memory: after
 * the header of a pool's element, in the {@link FramePool#HEADROOM} before a frame. Each chunk is an mbuf, and its
 * handle and the mbuf's address differ by a constant.
 * <pre>
 *   chunk      +64                +192              +256            +320
 *   | objhdr   | rte_mbuf         | buf_addr        | own frames    | received frames
 * </pre>
 */
public final class MbufLayout
{
    /** Bytes of the structure, without private data. */
    public static final int SIZE = 128;
    /** {@code void *buf_addr}. */
    public static final int BUF_ADDR_OFFSET = 0;
    /**
     * {@code uint16_t data_off, refcnt, nb_segs, port}: eight bytes accessed together, as drivers do ({@code
     * rearm_data}).
     */
    public static final int REARM_OFFSET = 16;
    /** {@code uint16_t data_off}, in the low bits of the eight bytes. */
    public static final long DATA_OFF_MASK = 0xFFFF;
    /** {@code uint16_t nb_segs} in the eight bytes. */
    public static final long NB_SEGS_MASK = 0xFFFF_0000_0000L;
    /** {@code nb_segs} of 1. */
    public static final long ONE_SEGMENT = 1L << 32;
    /** {@code refcnt} of 1 and {@code nb_segs} of 1. */
    public static final long SINGLE_OWNER_ONE_SEGMENT = ONE_SEGMENT | 1L << 16;
    /** {@code uint64_t ol_flags}. */
    public static final int OL_FLAGS_OFFSET = 24;
    /**
     * {@code RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL} of these flags: the data is in another mbuf's buffer, or
     * outside of all mbufs. Without these flags the data follows the mbuf directly, because pools over frame memory
     * have no private data.
     */
    public static final long BUFFER_ELSEWHERE = 1L << 62 | 1L << 61;
    /** {@code uint32_t pkt_len}, then {@code uint16_t data_len, vlan_tci}: eight bytes that are written together. */
    public static final int PKT_LEN_OFFSET = 36;
    /** {@code data_len} in those eight bytes. */
    public static final int DATA_LEN_SHIFT = 32;
    /** {@code struct rte_mempool *pool}. */
    public static final int POOL_OFFSET = 56;

    /** Bytes before the data of a received frame: RTE_PKTMBUF_HEADROOM, rte_config.h. */
    public static final int HEADROOM = 128;

    /** Offset of the mbuf in its chunk: {@code struct rte_mempool_objhdr}, rounded up to a cache line. */
    public static final int IN_CHUNK = 64;
    /** Offset of the mbuf's buffer in the chunk. */
    public static final int BUFFER_IN_CHUNK = IN_CHUNK + SIZE;
    /** Offset of the first byte of a received frame in the chunk. */
    public static final int FRAME_IN_CHUNK = BUFFER_IN_CHUNK + HEADROOM;

    private MbufLayout()
    {
    }
}
