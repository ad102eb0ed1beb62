package org.fibnuma.binding.dpdk.layout;

/**
 * {@code struct rte_eth_dev_data} of ethdev_driver.h (22.11 to 24.11), which {@code struct rte_eth_dev} points to. Few
 * packages install that header, so users of this class compare the name first.
 */
public final class EthDevLayout
{
    /** {@code char name[64]}, zero-terminated. */
    public static final int NAME_OFFSET = 0;
    private static final int NAME_LENGTH = 64;
    /** {@code rx_queues}, {@code tx_queues}, their numbers and {@code struct rte_eth_dev_sriov}, including padding. */
    private static final int QUEUES_LENGTH = 2 * Long.BYTES + 2 * Short.BYTES + 12;
    /** {@code void *dev_private}: the driver's private data. */
    public static final int DEV_PRIVATE_OFFSET = NAME_OFFSET + NAME_LENGTH + QUEUES_LENGTH;

    private EthDevLayout()
    {
    }
}
