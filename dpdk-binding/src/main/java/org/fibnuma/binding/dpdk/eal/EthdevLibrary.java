package org.fibnuma.binding.dpdk.eal;

/**
 * librte_ethdev (rte_ethdev.h, 22.11 to 24.11). Pointers are {@code long}, {@code uint16_t} is {@code int}. An
 * {@code int} result is 0 or a negated errno, unless stated otherwise. Public because jnr-ffi implements it from
 * another class loader.
 */
public interface EthdevLibrary
{
    /** {@code int rte_eth_dev_get_port_by_name(const char *name, uint16_t *port_id)}. */
    int rte_eth_dev_get_port_by_name(String name, long portId);

    /** {@code struct rte_eth_dev *rte_eth_dev_allocated(const char *name)}: for drivers; 0 if there is none. */
    long rte_eth_dev_allocated(String name);

    /** {@code int rte_eth_dev_info_get(uint16_t port_id, struct rte_eth_dev_info *dev_info)}. */
    int rte_eth_dev_info_get(int port, long info);

    /**
     * {@code int rte_eth_dev_configure(uint16_t port_id, uint16_t nb_rx_queue, uint16_t nb_tx_queue,
     * const struct rte_eth_conf *eth_conf)}.
     */
    int rte_eth_dev_configure(int port, int rxQueues, int txQueues, long conf);

    /**
     * {@code int rte_eth_dev_adjust_nb_rx_tx_desc(uint16_t port_id, uint16_t *nb_rx_desc, uint16_t *nb_tx_desc)}.
     */
    int rte_eth_dev_adjust_nb_rx_tx_desc(int port, long rxDescriptors, long txDescriptors);

    /**
     * {@code int rte_eth_rx_queue_setup(uint16_t port_id, uint16_t rx_queue_id, uint16_t nb_rx_desc,
     * unsigned int socket_id, const struct rte_eth_rxconf *rx_conf, struct rte_mempool *mb_pool)}.
     */
    int rte_eth_rx_queue_setup(int port, int queue, int descriptors, int socket, long conf, long pool);

    /**
     * {@code int rte_eth_tx_queue_setup(uint16_t port_id, uint16_t tx_queue_id, uint16_t nb_tx_desc,
     * unsigned int socket_id, const struct rte_eth_txconf *tx_conf)}.
     */
    int rte_eth_tx_queue_setup(int port, int queue, int descriptors, int socket, long conf);

    /** {@code int rte_eth_dev_start(uint16_t port_id)}. */
    int rte_eth_dev_start(int port);

    /** {@code int rte_eth_dev_stop(uint16_t port_id)}. */
    int rte_eth_dev_stop(int port);

    /** {@code int rte_eth_dev_close(uint16_t port_id)}. */
    int rte_eth_dev_close(int port);

    /** {@code int rte_eth_dev_socket_id(uint16_t port_id)}: -1 if unknown. */
    int rte_eth_dev_socket_id(int port);

    /** {@code int rte_eth_macaddr_get(uint16_t port_id, struct rte_ether_addr *mac_addr)}. */
    int rte_eth_macaddr_get(int port, long mac);

    /** {@code int rte_eth_dev_get_mtu(uint16_t port_id, uint16_t *mtu)}. */
    int rte_eth_dev_get_mtu(int port, long mtu);

    /** {@code int rte_eth_dev_set_mtu(uint16_t port_id, uint16_t mtu)}. */
    int rte_eth_dev_set_mtu(int port, int mtu);

    /** {@code int rte_eth_dev_is_removed(uint16_t port_id)}: 1 if removed. */
    int rte_eth_dev_is_removed(int port);

    /** {@code int rte_eth_dev_default_mac_addr_set(uint16_t port_id, struct rte_ether_addr *mac_addr)}. */
    int rte_eth_dev_default_mac_addr_set(int port, long mac);

    /** {@code int rte_eth_link_get_nowait(uint16_t port_id, struct rte_eth_link *link)}. */
    int rte_eth_link_get_nowait(int port, long link);

    /** {@code int rte_eth_stats_get(uint16_t port_id, struct rte_eth_stats *stats)}. */
    int rte_eth_stats_get(int port, long stats);

    /** {@code int rte_eth_promiscuous_enable(uint16_t port_id)}. */
    int rte_eth_promiscuous_enable(int port);

    /** {@code int rte_eth_allmulticast_enable(uint16_t port_id)}. */
    int rte_eth_allmulticast_enable(int port);

    /** {@code int rte_eth_dev_flow_ctrl_get(uint16_t port_id, struct rte_eth_fc_conf *fc_conf)}. */
    int rte_eth_dev_flow_ctrl_get(int port, long conf);

    /** {@code int rte_eth_dev_flow_ctrl_set(uint16_t port_id, struct rte_eth_fc_conf *fc_conf)}. */
    int rte_eth_dev_flow_ctrl_set(int port, long conf);

    /**
     * {@code int rte_eth_dev_priority_flow_ctrl_set(uint16_t port_id, struct rte_eth_pfc_conf *pfc_conf)}.
     */
    int rte_eth_dev_priority_flow_ctrl_set(int port, long pfcConf);
}
