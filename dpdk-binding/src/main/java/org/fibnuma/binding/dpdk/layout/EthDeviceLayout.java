package org.fibnuma.binding.dpdk.layout;

/**
 * {@code struct rte_eth_dev_info}, {@code rte_eth_conf} and {@code rte_eth_link} of rte_ethdev.h (22.11, 23.11, 24.11):
 * a device's properties, configuration and link. The first two grow from release to release; the room here is larger
 * than in these releases. {@code struct rte_eth_dev_data} is of ethdev_driver.h, which few packages install: code that
 * uses it compares the name first.
 */
public final class EthDeviceLayout
{
    /** Room for {@code struct rte_eth_dev_info}, 376 bytes in 22.11. */
    public static final int INFO_ROOM = 1024;
    /** {@code struct rte_device *device}. */
    public static final int INFO_DEVICE_OFFSET = 0;
    /** {@code const char *driver_name}. */
    public static final int INFO_DRIVER_NAME_OFFSET = 8;
    /** {@code uint64_t flow_type_rss_offloads}: fields that receive-side scaling supports. */
    public static final int INFO_RSS_OFFLOADS_OFFSET = 112;

    /** Room for {@code struct rte_eth_conf}, 2,272 bytes in 22.11. */
    public static final int CONF_ROOM = 8192;
    /** {@code rxmode.mq_mode}, a {@code uint32_t}. */
    public static final int CONF_RX_MQ_MODE_OFFSET = 8;
    /** {@code rx_adv_conf.rss_conf.rss_hf}, a {@code uint64_t}. */
    public static final int CONF_RSS_HF_OFFSET = 144;
    /** RTE_ETH_MQ_RX_RSS: distribute over the queues by a hash. */
    public static final int MQ_RX_RSS = 1;
    /** RTE_ETH_RSS_IP, and the ports of TCP and UDP over IPv4. */
    public static final long RSS_IP_AND_PORTS = 41916;

    /** Room for {@code struct rte_eth_link}, which grows in later releases. */
    public static final int LINK_ROOM = 64;
    /** {@code uint32_t link_speed} in Mbit/s. */
    public static final int LINK_SPEED_OFFSET = 0;
    /** Bits {@code link_duplex}, {@code link_autoneg}, {@code link_status}. */
    public static final int LINK_BITS_OFFSET = 4;
    /** {@code link_status}: 1 is up. */
    public static final int LINK_UP_BIT = 1 << 2;

    /** {@code char name[64]} of {@code struct rte_eth_dev_data}, ended by a zero. */
    public static final int DATA_NAME_OFFSET = 0;
    private static final int DATA_NAME_LENGTH = 64;
    /** {@code rx_queues}, {@code tx_queues}, their numbers and {@code struct rte_eth_dev_sriov}, with padding. */
    private static final int DATA_QUEUES_LENGTH = 2 * Long.BYTES + 2 * Short.BYTES + 12;
    /** {@code void *dev_private}: the driver's own. */
    public static final int DATA_DEV_PRIVATE_OFFSET = DATA_NAME_OFFSET + DATA_NAME_LENGTH + DATA_QUEUES_LENGTH;

    private EthDeviceLayout()
    {
    }
}
