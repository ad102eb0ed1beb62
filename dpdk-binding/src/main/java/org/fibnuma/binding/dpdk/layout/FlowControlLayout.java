package org.fibnuma.binding.dpdk.layout;

/** {@code struct rte_eth_fc_conf} and {@code rte_eth_pfc_conf} of rte_ethdev.h (22.11, 23.11, 24.11). */
public final class FlowControlLayout
{
    /** Bytes of {@code struct rte_eth_pfc_conf}, which starts with a {@code struct rte_eth_fc_conf}. */
    public static final int PFC_SIZE = 24;
    /** {@code uint32_t high_water}: level of the receive buffer above which the sender is paused. */
    public static final int HIGH_WATER_OFFSET = 0;
    /** {@code uint32_t low_water}: level below which the sender may resume. */
    public static final int LOW_WATER_OFFSET = 4;
    /** {@code uint16_t pause_time} in quanta of 512 bit times. */
    public static final int PAUSE_TIME_OFFSET = 8;
    /** {@code uint16_t send_xon}: whether a frame signals the end of a pause. */
    public static final int SEND_XON_OFFSET = 10;
    /** {@code enum rte_eth_fc_mode mode}. */
    public static final int MODE_OFFSET = 12;
    /** RTE_ETH_FC_FULL: pause frames are sent and obeyed. */
    public static final int MODE_FULL = 3;
    /** {@code uint8_t autoneg}. */
    public static final int AUTONEG_OFFSET = 17;
    /** {@code uint8_t priority}, 0 to 7. */
    public static final int PRIORITY_OFFSET = 20;

    private FlowControlLayout()
    {
    }
}
