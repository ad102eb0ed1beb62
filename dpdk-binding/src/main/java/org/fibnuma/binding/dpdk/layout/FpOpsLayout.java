package org.fibnuma.binding.dpdk.layout;

/**
 * {@code struct rte_eth_fp_ops} of rte_ethdev_core.h: the functions called by the inline {@code rte_eth_rx_burst} and
 * {@code rte_eth_tx_burst}, one entry of {@link #SIZE} bytes for each port in the exported array of the same name.
 *
 * @param rxBurst  offset of {@code rx_pkt_burst}, a function of (queue, mbuf pointers, count) that returns a count.
 * @param rxQueues offset of {@code rxq.data}, the address of an array of queue pointers.
 * @param txBurst  offset of {@code tx_pkt_burst}, with the same signature as {@code rx_pkt_burst}.
 * @param txQueues offset of {@code txq.data}, like {@code rxq.data}.
 */
public record FpOpsLayout(int rxBurst, int rxQueues, int txBurst, int txQueues)
{
    /** Bytes of an entry: two cache lines. */
    public static final int SIZE = 128;

    /** As in rte_ethdev_core.h of 22.11: functions first. */
    static final FpOpsLayout OF_22_11 = new FpOpsLayout(0, 24, 64, 88);

    /** As in rte_ethdev_core.h of 23.11 and 24.11: queues (data, clbk) first. */
    static final FpOpsLayout OF_23_11 = new FpOpsLayout(16, 0, 80, 64);
}
