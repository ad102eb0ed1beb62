package org.fibnuma.binding.dpdk.layout;

import org.fibnuma.binding.libc.HeaderProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

class DpdkLayoutTest
{
    /**
     * Folders into which libdpdk-dev of other releases was unpacked ({@code dpkg-deb -x}), separated by colons: their
     * headers are compared too.
     */
    private static final String UNPACKED = System.getenv().getOrDefault("FIBNUMA_DPDK_PACKAGES", "");
    private static final List<String> HEADERS =
        List.of("rte_version.h", "rte_ethdev.h", "rte_mbuf.h", "rte_mempool.h");

    private final Map<String, Long> expected = new LinkedHashMap<>();

    @Test
    void shouldLayOutStructuresAsTheHeadersDo(@TempDir final Path directory) throws IOException
    {
        mbuf();
        mempool();
        device();
        flowControl();
        HeaderProbe.checkPackage(directory, "libdpdk", "libdpdk-dev", HEADERS, expected);
        for (final String unpacked : UNPACKED.isEmpty() ? new String[0] : UNPACKED.split(":"))
        {
            final Path include = Path.of(unpacked, "usr", "include");
            HeaderProbe.checkFolders(directory, List.of(include.resolve("x86_64-linux-gnu").resolve("dpdk"),
                include.resolve("dpdk")), HEADERS, expected);
        }
    }

    @Test
    void shouldKnowReleasesByTheirVersion()
    {
        assertEquals(DpdkRelease.V22_11, DpdkRelease.of("DPDK 22.11.11"));
        assertEquals(DpdkRelease.V23_11, DpdkRelease.of("DPDK 23.11.0"));
        assertEquals(DpdkRelease.V24_11, DpdkRelease.of("DPDK 24.11.3"));
        for (final String unknown : List.of("DPDK 21.11.5", "DPDK 25.03.0", "DPDK 22.11.0-rc1", "DPDK 2.2.11", ""))
        {
            assertNull(DpdkRelease.of(unknown), unknown);
        }
    }

    private void mbuf()
    {
        size("struct rte_mbuf", MbufLayout.SIZE);
        offset("struct rte_mbuf", "buf_addr", MbufLayout.BUF_ADDR_OFFSET);
        offset("struct rte_mbuf", "data_off", MbufLayout.REARM_OFFSET);
        offset("struct rte_mbuf", "refcnt", MbufLayout.REARM_OFFSET + 2);
        offset("struct rte_mbuf", "nb_segs", MbufLayout.REARM_OFFSET + 4);
        offset("struct rte_mbuf", "ol_flags", MbufLayout.OL_FLAGS_OFFSET);
        offset("struct rte_mbuf", "pkt_len", MbufLayout.PKT_LEN_OFFSET);
        offset("struct rte_mbuf", "data_len", MbufLayout.PKT_LEN_OFFSET + MbufLayout.DATA_LEN_SHIFT / Byte.SIZE);
        offset("struct rte_mbuf", "vlan_tci", MbufLayout.PKT_LEN_OFFSET + 6);
        offset("struct rte_mbuf", "pool", MbufLayout.POOL_OFFSET);
        number("RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL", MbufLayout.BUFFER_ELSEWHERE);
        number("RTE_PKTMBUF_HEADROOM", MbufLayout.HEADROOM);
        number("RTE_ALIGN_CEIL(sizeof(struct rte_mempool_objhdr), RTE_MEMPOOL_ALIGN)", MbufLayout.IN_CHUNK);
    }

    private void mempool()
    {
        offset("struct rte_mempool", "size", MempoolLayout.SIZE_OFFSET);
        offset("struct rte_mempool", "header_size", MempoolLayout.HEADER_SIZE_OFFSET);
        offset("struct rte_mempool", "trailer_size", MempoolLayout.TRAILER_SIZE_OFFSET);
        offset("struct rte_mempool", "ops_index", MempoolLayout.OPS_INDEX_OFFSET);
        offset("struct rte_mempool", "local_cache", MempoolLayout.LOCAL_CACHE_OFFSET);
        offset("struct rte_mempool", "populated_size", MempoolLayout.POPULATED_SIZE_OFFSET);
        number("RTE_MAX_LCORE", MempoolLayout.MAX_LCORES);
        size("struct rte_mempool_cache", MempoolLayout.CACHE_SIZE);
        offset("struct rte_mempool_cache", "size", MempoolLayout.CACHE_SIZE_OFFSET);
        offset("struct rte_mempool_cache", "len", MempoolLayout.CACHE_LENGTH_OFFSET);
        offset("struct rte_mempool_cache", "objs", MempoolLayout.CACHE_OBJECTS_OFFSET);
        offset("struct rte_mempool_ops_table", "ops", MempoolLayout.OPS_TABLE_ENTRIES_OFFSET);
        size("struct rte_mempool_ops", MempoolLayout.OPS_SIZE);
        offset("struct rte_mempool_ops", "enqueue", MempoolLayout.OPS_ENQUEUE_OFFSET);
        offset("struct rte_mempool_ops", "dequeue", MempoolLayout.OPS_DEQUEUE_OFFSET);
        offset("struct rte_mempool_ops", "get_count", MempoolLayout.OPS_GET_COUNT_OFFSET);
        number("RTE_MEMPOOL_F_NO_SPREAD", MempoolLayout.F_NO_SPREAD);
        number("RTE_MEMPOOL_F_NO_IOVA_CONTIG", MempoolLayout.F_NO_IOVA_CONTIG);
        size("struct rte_pktmbuf_pool_private", MempoolLayout.PRIVATE_SIZE);
        offset("struct rte_pktmbuf_pool_private", "mbuf_data_room_size", MempoolLayout.PRIVATE_DATA_ROOM_OFFSET);
    }

    private void device()
    {
        size("struct rte_eth_fp_ops", FpOpsLayout.SIZE);
        ofRelease(HeaderProbe.offset("struct rte_eth_fp_ops", "rx_pkt_burst"),
            FpOpsLayout.OF_22_11.rxBurst(), FpOpsLayout.OF_23_11.rxBurst());
        ofRelease(HeaderProbe.offset("struct rte_eth_fp_ops", "rxq.data"),
            FpOpsLayout.OF_22_11.rxQueues(), FpOpsLayout.OF_23_11.rxQueues());
        ofRelease(HeaderProbe.offset("struct rte_eth_fp_ops", "tx_pkt_burst"),
            FpOpsLayout.OF_22_11.txBurst(), FpOpsLayout.OF_23_11.txBurst());
        ofRelease(HeaderProbe.offset("struct rte_eth_fp_ops", "txq.data"),
            FpOpsLayout.OF_22_11.txQueues(), FpOpsLayout.OF_23_11.txQueues());
        size("struct rte_eth_stats", EthStatsLayout.SIZE);
        offset("struct rte_eth_stats", "ipackets", EthStatsLayout.IPACKETS_OFFSET);
        offset("struct rte_eth_stats", "opackets", EthStatsLayout.OPACKETS_OFFSET);
        offset("struct rte_eth_stats", "imissed", EthStatsLayout.IMISSED_OFFSET);
        offset("struct rte_eth_stats", "ierrors", EthStatsLayout.IERRORS_OFFSET);
        offset("struct rte_eth_stats", "oerrors", EthStatsLayout.OERRORS_OFFSET);
        offset("struct rte_eth_stats", "rx_nombuf", EthStatsLayout.RX_NOMBUF_OFFSET);
        number("sizeof(struct rte_eth_dev_info) <= " + EthDeviceLayout.INFO_ROOM, 1);
        offset("struct rte_eth_dev_info", "device", EthDeviceLayout.INFO_DEVICE_OFFSET);
        offset("struct rte_eth_dev_info", "driver_name", EthDeviceLayout.INFO_DRIVER_NAME_OFFSET);
        offset("struct rte_eth_dev_info", "flow_type_rss_offloads", EthDeviceLayout.INFO_RSS_OFFLOADS_OFFSET);
        ofRelease(HeaderProbe.offset("struct rte_eth_dev_info", "max_rx_queues"),
            DpdkRelease.V22_11.infoMaxRxQueuesOffset(), DpdkRelease.V23_11.infoMaxRxQueuesOffset());
        number("sizeof(struct rte_eth_conf) <= " + EthDeviceLayout.CONF_ROOM, 1);
        offset("struct rte_eth_conf", "rxmode.mq_mode", EthDeviceLayout.CONF_RX_MQ_MODE_OFFSET);
        offset("struct rte_eth_conf", "rx_adv_conf.rss_conf.rss_hf", EthDeviceLayout.CONF_RSS_HF_OFFSET);
        number("RTE_ETH_MQ_RX_RSS", EthDeviceLayout.MQ_RX_RSS);
        number("RTE_ETH_RSS_IP | RTE_ETH_RSS_NONFRAG_IPV4_UDP | RTE_ETH_RSS_NONFRAG_IPV4_TCP",
            EthDeviceLayout.RSS_IP_AND_PORTS);
        number("sizeof(struct rte_eth_link) <= " + EthDeviceLayout.LINK_ROOM, 1);
        offset("struct rte_eth_link", "link_speed", EthDeviceLayout.LINK_SPEED_OFFSET);
        number("((union { struct rte_eth_link link; uint32_t words[4]; }){.link = {.link_status = 1}}).words[1]",
            EthDeviceLayout.LINK_UP_BIT);
    }

    private void flowControl()
    {
        size("struct rte_eth_pfc_conf", FlowControlLayout.PFC_SIZE);
        offset("struct rte_eth_pfc_conf", "fc.high_water", FlowControlLayout.HIGH_WATER_OFFSET);
        offset("struct rte_eth_pfc_conf", "fc.low_water", FlowControlLayout.LOW_WATER_OFFSET);
        offset("struct rte_eth_pfc_conf", "fc.pause_time", FlowControlLayout.PAUSE_TIME_OFFSET);
        offset("struct rte_eth_pfc_conf", "fc.send_xon", FlowControlLayout.SEND_XON_OFFSET);
        offset("struct rte_eth_pfc_conf", "fc.mode", FlowControlLayout.MODE_OFFSET);
        offset("struct rte_eth_pfc_conf", "fc.autoneg", FlowControlLayout.AUTONEG_OFFSET);
        offset("struct rte_eth_pfc_conf", "priority", FlowControlLayout.PRIORITY_OFFSET);
        number("RTE_ETH_FC_FULL", FlowControlLayout.MODE_FULL);
    }

    private void ofRelease(final String expression, final int in22, final int later)
    {
        number("(RTE_VER_YEAR == 22 ? " + in22 + " : " + later + ") - " + expression, 0);
    }

    private void number(final String expression, final long value)
    {
        expected.put(expression, value);
    }

    private void size(final String type, final int bytes)
    {
        expected.put("sizeof(" + type + ")", (long)bytes);
    }

    private void offset(final String type, final String field, final int offset)
    {
        expected.put(HeaderProbe.offset(type, field), (long)offset);
    }
}
