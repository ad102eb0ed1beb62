package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.libc.HeaderProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class XdpLayoutTest
{
    private final Map<String, Long> expected = new HashMap<>();

    @Test
    void shouldAgreeWithTheHeader(@TempDir final Path directory) throws IOException
    {
        numbers();
        size("struct sockaddr_xdp", XdpLayout.SOCKADDR_SIZE);
        offset("struct sockaddr_xdp", "sxdp_family", XdpLayout.SOCKADDR_FAMILY_OFFSET);
        offset("struct sockaddr_xdp", "sxdp_flags", XdpLayout.SOCKADDR_FLAGS_OFFSET);
        offset("struct sockaddr_xdp", "sxdp_ifindex", XdpLayout.SOCKADDR_IFINDEX_OFFSET);
        offset("struct sockaddr_xdp", "sxdp_queue_id", XdpLayout.SOCKADDR_QUEUE_ID_OFFSET);
        size("struct xdp_umem_reg", XdpLayout.UMEM_SIZE);
        offset("struct xdp_umem_reg", "addr", XdpLayout.UMEM_ADDR_OFFSET);
        offset("struct xdp_umem_reg", "len", XdpLayout.UMEM_LEN_OFFSET);
        offset("struct xdp_umem_reg", "chunk_size", XdpLayout.UMEM_CHUNK_SIZE_OFFSET);
        size("struct xdp_ring_offset", XdpLayout.RING_OFFSET_SIZE);
        offset("struct xdp_ring_offset", "producer", XdpLayout.PRODUCER_OFFSET);
        offset("struct xdp_ring_offset", "consumer", XdpLayout.CONSUMER_OFFSET);
        offset("struct xdp_ring_offset", "desc", XdpLayout.DESC_OFFSET);
        offset("struct xdp_ring_offset", "flags", XdpLayout.FLAGS_OFFSET);
        size("struct xdp_mmap_offsets", XdpLayout.MMAP_OFFSETS_SIZE);
        offset("struct xdp_mmap_offsets", "rx", XdpLayout.MMAP_RX_OFFSET);
        offset("struct xdp_mmap_offsets", "tx", XdpLayout.MMAP_TX_OFFSET);
        offset("struct xdp_mmap_offsets", "fr", XdpLayout.MMAP_FILL_OFFSET);
        offset("struct xdp_mmap_offsets", "cr", XdpLayout.MMAP_COMPLETION_OFFSET);
        size("struct xdp_desc", XdpLayout.DESC_SIZE);
        offset("struct xdp_desc", "addr", XdpLayout.DESC_ADDR_OFFSET);
        offset("struct xdp_desc", "len", XdpLayout.DESC_LEN_OFFSET);
        offset("struct xdp_desc", "options", XdpLayout.DESC_OPTIONS_OFFSET);
        size("struct xdp_statistics", XdpLayout.STATISTICS_SIZE);
        offset("struct xdp_statistics", "rx_dropped", XdpLayout.STATISTICS_RX_DROPPED_OFFSET);
        offset("struct xdp_statistics", "rx_invalid_descs", XdpLayout.STATISTICS_RX_INVALID_OFFSET);
        offset("struct xdp_statistics", "tx_invalid_descs", XdpLayout.STATISTICS_TX_INVALID_OFFSET);
        offset("struct xdp_statistics", "rx_ring_full", XdpLayout.STATISTICS_RX_RING_FULL_OFFSET);
        offset("struct xdp_statistics", "rx_fill_ring_empty_descs", XdpLayout.STATISTICS_RX_FILL_EMPTY_OFFSET);
        HeaderProbe.check(directory, List.of("linux/if_xdp.h"), expected);
    }

    private void numbers()
    {
        expected.put("XDP_MMAP_OFFSETS", (long)XdpLayout.XDP_MMAP_OFFSETS);
        expected.put("XDP_RX_RING", (long)XdpLayout.XDP_RX_RING);
        expected.put("XDP_TX_RING", (long)XdpLayout.XDP_TX_RING);
        expected.put("XDP_UMEM_REG", (long)XdpLayout.XDP_UMEM_REG);
        expected.put("XDP_UMEM_FILL_RING", (long)XdpLayout.XDP_UMEM_FILL_RING);
        expected.put("XDP_UMEM_COMPLETION_RING", (long)XdpLayout.XDP_UMEM_COMPLETION_RING);
        expected.put("XDP_STATISTICS", (long)XdpLayout.XDP_STATISTICS);
        expected.put("XDP_OPTIONS", (long)XdpLayout.XDP_OPTIONS);
        expected.put("XDP_COPY", (long)XdpLayout.XDP_COPY);
        expected.put("XDP_ZEROCOPY", (long)XdpLayout.XDP_ZEROCOPY);
        expected.put("XDP_USE_NEED_WAKEUP", (long)XdpLayout.XDP_USE_NEED_WAKEUP);
        expected.put("XDP_RING_NEED_WAKEUP", (long)XdpLayout.XDP_RING_NEED_WAKEUP);
        expected.put("XDP_OPTIONS_ZEROCOPY", (long)XdpLayout.XDP_OPTIONS_ZEROCOPY);
        expected.put("XDP_PGOFF_RX_RING", XdpLayout.XDP_PGOFF_RX_RING);
        expected.put("XDP_PGOFF_TX_RING", XdpLayout.XDP_PGOFF_TX_RING);
        expected.put("XDP_UMEM_PGOFF_FILL_RING", XdpLayout.XDP_UMEM_PGOFF_FILL_RING);
        expected.put("XDP_UMEM_PGOFF_COMPLETION_RING", XdpLayout.XDP_UMEM_PGOFF_COMPLETION_RING);
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
