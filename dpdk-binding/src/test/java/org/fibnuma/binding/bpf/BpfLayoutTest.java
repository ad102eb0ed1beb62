package org.fibnuma.binding.bpf;

import org.fibnuma.binding.libc.HeaderProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class BpfLayoutTest
{
    private final Map<String, Long> expected = new HashMap<>();

    @Test
    void shouldLayOutAttributesAsTheHeadersDo(@TempDir final Path directory) throws IOException
    {
        attr("map_type", BpfAttrLayout.MAP_TYPE_OFFSET);
        attr("key_size", BpfAttrLayout.KEY_SIZE_OFFSET);
        attr("value_size", BpfAttrLayout.VALUE_SIZE_OFFSET);
        attr("max_entries", BpfAttrLayout.MAX_ENTRIES_OFFSET);
        attr("map_flags", BpfAttrLayout.MAP_FLAGS_OFFSET);
        attr("map_name", BpfAttrLayout.MAP_NAME_OFFSET);
        attr("map_fd", BpfAttrLayout.ELEM_MAP_FD_OFFSET);
        attr("key", BpfAttrLayout.ELEM_KEY_OFFSET);
        attr("value", BpfAttrLayout.ELEM_VALUE_OFFSET);
        attr("flags", BpfAttrLayout.ELEM_FLAGS_OFFSET);
        attr("prog_type", BpfAttrLayout.PROG_TYPE_OFFSET);
        attr("insn_cnt", BpfAttrLayout.INSN_CNT_OFFSET);
        attr("insns", BpfAttrLayout.INSNS_OFFSET);
        attr("license", BpfAttrLayout.LICENSE_OFFSET);
        attr("log_level", BpfAttrLayout.LOG_LEVEL_OFFSET);
        attr("log_size", BpfAttrLayout.LOG_SIZE_OFFSET);
        attr("log_buf", BpfAttrLayout.LOG_BUF_OFFSET);
        attr("prog_name", BpfAttrLayout.PROG_NAME_OFFSET);
        attr("expected_attach_type", BpfAttrLayout.EXPECTED_ATTACH_TYPE_OFFSET);
        attr("link_create.prog_fd", BpfAttrLayout.LINK_PROG_FD_OFFSET);
        attr("link_create.target_ifindex", BpfAttrLayout.LINK_TARGET_IFINDEX_OFFSET);
        attr("link_create.attach_type", BpfAttrLayout.LINK_ATTACH_TYPE_OFFSET);
        attr("link_create.flags", BpfAttrLayout.LINK_FLAGS_OFFSET);
        attr("prog_id", BpfAttrLayout.ID_OFFSET);
        attr("info.bpf_fd", BpfAttrLayout.INFO_BPF_FD_OFFSET);
        attr("info.info_len", BpfAttrLayout.INFO_LEN_OFFSET);
        attr("info.info", BpfAttrLayout.INFO_OFFSET);
        attr("query.target_fd", BpfAttrLayout.QUERY_TARGET_OFFSET);
        attr("query.attach_type", BpfAttrLayout.QUERY_ATTACH_TYPE_OFFSET);
        attr("query.prog_ids", BpfAttrLayout.QUERY_PROG_IDS_OFFSET);
        attr("query.prog_cnt", BpfAttrLayout.QUERY_PROG_CNT_OFFSET);
        number(HeaderProbe.offset("struct bpf_prog_info", "name"), BpfAttrLayout.PROG_INFO_NAME_OFFSET);
        attr("test.prog_fd", BpfAttrLayout.TEST_PROG_FD_OFFSET);
        attr("test.retval", BpfAttrLayout.TEST_RETVAL_OFFSET);
        attr("test.data_size_in", BpfAttrLayout.TEST_DATA_SIZE_IN_OFFSET);
        attr("test.data_size_out", BpfAttrLayout.TEST_DATA_SIZE_OUT_OFFSET);
        attr("test.data_in", BpfAttrLayout.TEST_DATA_IN_OFFSET);
        attr("test.data_out", BpfAttrLayout.TEST_DATA_OUT_OFFSET);
        attr("test.repeat", BpfAttrLayout.TEST_REPEAT_OFFSET);
        attr("test.duration", BpfAttrLayout.TEST_DURATION_OFFSET);
        attr("test.ctx_size_in", BpfAttrLayout.TEST_CTX_SIZE_IN_OFFSET);
        attr("test.ctx_in", BpfAttrLayout.TEST_CTX_IN_OFFSET);
        attr("test.flags", BpfAttrLayout.TEST_FLAGS_OFFSET);
        attr("test.batch_size", BpfAttrLayout.TEST_BATCH_SIZE_OFFSET);
        HeaderProbe.check(directory, List.of("linux/bpf.h"), expected);
    }

    @Test
    void shouldNumberThingsAsTheHeadersDo(@TempDir final Path directory) throws IOException
    {
        number("BPF_MAP_CREATE", BpfAttrLayout.BPF_MAP_CREATE);
        number("BPF_MAP_LOOKUP_ELEM", BpfAttrLayout.BPF_MAP_LOOKUP_ELEM);
        number("BPF_MAP_UPDATE_ELEM", BpfAttrLayout.BPF_MAP_UPDATE_ELEM);
        number("BPF_MAP_DELETE_ELEM", BpfAttrLayout.BPF_MAP_DELETE_ELEM);
        number("BPF_PROG_LOAD", BpfAttrLayout.BPF_PROG_LOAD);
        number("BPF_PROG_TEST_RUN", BpfAttrLayout.BPF_PROG_TEST_RUN);
        number("BPF_PROG_GET_FD_BY_ID", BpfAttrLayout.BPF_PROG_GET_FD_BY_ID);
        number("BPF_OBJ_GET_INFO_BY_FD", BpfAttrLayout.BPF_OBJ_GET_INFO_BY_FD);
        number("BPF_PROG_QUERY", BpfAttrLayout.BPF_PROG_QUERY);
        number("BPF_LINK_CREATE", BpfAttrLayout.BPF_LINK_CREATE);
        number("BPF_PROG_TYPE_XDP", BpfAttrLayout.BPF_PROG_TYPE_XDP);
        number("BPF_XDP", BpfAttrLayout.BPF_XDP);
        number("BPF_F_TEST_XDP_LIVE_FRAMES", BpfAttrLayout.TEST_LIVE_FRAMES);
        number("BPF_OBJ_NAME_LEN", BpfAttrLayout.NAME_SIZE);
        number("BPF_F_NO_PREALLOC", BpfMap.NO_PREALLOC);
        number("BPF_F_MMAPABLE", BpfMap.MMAPABLE);
        for (final BpfHelper helper : BpfHelper.values())
        {
            number("BPF_FUNC_" + helper.name().toLowerCase(), helper.number());
        }
        for (final BpfMapType type : BpfMapType.values())
        {
            number("BPF_MAP_TYPE_" + type, type.number());
        }
        number("XDP_ABORTED", XdpAction.ABORTED);
        number("XDP_DROP", XdpAction.DROP);
        number("XDP_PASS", XdpAction.PASS);
        number("XDP_TX", XdpAction.TX);
        number("XDP_REDIRECT", XdpAction.REDIRECT);
        number("XDP_FLAGS_DRV_MODE", XdpMode.NATIVE.flag());
        number("XDP_FLAGS_SKB_MODE", XdpMode.GENERIC.flag());
        number("sizeof(struct xdp_md)", XdpContextLayout.SIZE);
        number("sizeof(struct bpf_insn)", BpfAssembler.INSTRUCTION_SIZE);
        number(HeaderProbe.offset("struct xdp_md", "data_end"), XdpContextLayout.DATA_END_OFFSET);
        number(HeaderProbe.offset("struct xdp_md", "ingress_ifindex"), XdpContextLayout.INGRESS_IFINDEX_OFFSET);
        number(HeaderProbe.offset("struct xdp_md", "rx_queue_index"), XdpContextLayout.RX_QUEUE_INDEX_OFFSET);
        HeaderProbe.check(directory, List.of("linux/bpf.h", "linux/if_link.h"), expected);
    }

    private void attr(final String field, final int offset)
    {
        number(HeaderProbe.offset("union bpf_attr", field), offset);
    }

    private void number(final String expression, final int value)
    {
        expected.put(expression, (long)value);
    }
}
