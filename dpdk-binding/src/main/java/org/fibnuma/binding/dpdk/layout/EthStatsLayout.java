package org.fibnuma.binding.dpdk.layout;

/** {@code struct rte_eth_stats} of rte_ethdev.h (22.11, 23.11, 24.11), in {@code uint64_t}. */
public final class EthStatsLayout
{
    /** Bytes of the structure. */
    public static final int SIZE = 704;
    /** {@code ipackets}: received. */
    public static final int IPACKETS_OFFSET = 0;
    /** {@code opackets}: sent. */
    public static final int OPACKETS_OFFSET = 8;
    /** {@code imissed}: lost because the receive ring was full. */
    public static final int IMISSED_OFFSET = 32;
    /** {@code ierrors}: received with an error. */
    public static final int IERRORS_OFFSET = 40;
    /** {@code oerrors}: failed to be sent. */
    public static final int OERRORS_OFFSET = 48;
    /** {@code rx_nombuf}: lost because no mbuf was free. */
    public static final int RX_NOMBUF_OFFSET = 56;

    private EthStatsLayout()
    {
    }
}
