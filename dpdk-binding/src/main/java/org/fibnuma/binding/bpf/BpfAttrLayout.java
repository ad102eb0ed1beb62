package org.fibnuma.binding.bpf;

/**
 * {@code union bpf_attr} and its constants (linux/bpf.h, Linux 6.1). Each command passes the bytes up to its last used
 * field; for the kernel the rest is 0.
 */
final class BpfAttrLayout
{
    static final int BPF_MAP_CREATE = 0;
    static final int BPF_MAP_LOOKUP_ELEM = 1;
    static final int BPF_MAP_UPDATE_ELEM = 2;
    static final int BPF_MAP_DELETE_ELEM = 3;
    static final int BPF_PROG_LOAD = 5;
    static final int BPF_PROG_TEST_RUN = 10;
    static final int BPF_PROG_GET_FD_BY_ID = 13;
    static final int BPF_OBJ_GET_INFO_BY_FD = 15;
    static final int BPF_PROG_QUERY = 16;
    static final int BPF_LINK_CREATE = 28;

    static final int MAP_TYPE_OFFSET = 0;
    static final int KEY_SIZE_OFFSET = MAP_TYPE_OFFSET + Integer.BYTES;
    static final int VALUE_SIZE_OFFSET = KEY_SIZE_OFFSET + Integer.BYTES;
    static final int MAX_ENTRIES_OFFSET = VALUE_SIZE_OFFSET + Integer.BYTES;
    static final int MAP_FLAGS_OFFSET = MAX_ENTRIES_OFFSET + Integer.BYTES;
    /** After inner_map_fd and numa_node. */
    static final int MAP_NAME_OFFSET = MAP_FLAGS_OFFSET + 3 * Integer.BYTES;
    /** BPF_OBJ_NAME_LEN. */
    static final int NAME_SIZE = 16;
    static final int MAP_CREATE_SIZE = 48;

    static final int ELEM_MAP_FD_OFFSET = 0;
    static final int ELEM_KEY_OFFSET = ELEM_MAP_FD_OFFSET + Long.BYTES;
    static final int ELEM_VALUE_OFFSET = ELEM_KEY_OFFSET + Long.BYTES;
    static final int ELEM_FLAGS_OFFSET = ELEM_VALUE_OFFSET + Long.BYTES;
    static final int ELEM_SIZE = ELEM_FLAGS_OFFSET + Long.BYTES;

    static final int PROG_TYPE_OFFSET = 0;
    static final int INSN_CNT_OFFSET = PROG_TYPE_OFFSET + Integer.BYTES;
    static final int INSNS_OFFSET = INSN_CNT_OFFSET + Integer.BYTES;
    static final int LICENSE_OFFSET = INSNS_OFFSET + Long.BYTES;
    static final int LOG_LEVEL_OFFSET = LICENSE_OFFSET + Long.BYTES;
    static final int LOG_SIZE_OFFSET = LOG_LEVEL_OFFSET + Integer.BYTES;
    static final int LOG_BUF_OFFSET = LOG_SIZE_OFFSET + Integer.BYTES;
    /** After kern_version and prog_flags. */
    static final int PROG_NAME_OFFSET = LOG_BUF_OFFSET + Long.BYTES + 2 * Integer.BYTES;
    /** After prog_ifindex. */
    static final int EXPECTED_ATTACH_TYPE_OFFSET = PROG_NAME_OFFSET + NAME_SIZE + Integer.BYTES;
    static final int PROG_LOAD_SIZE = EXPECTED_ATTACH_TYPE_OFFSET + Integer.BYTES;
    static final int BPF_PROG_TYPE_XDP = 6;

    static final int LINK_PROG_FD_OFFSET = 0;
    static final int LINK_TARGET_IFINDEX_OFFSET = LINK_PROG_FD_OFFSET + Integer.BYTES;
    static final int LINK_ATTACH_TYPE_OFFSET = LINK_TARGET_IFINDEX_OFFSET + Integer.BYTES;
    static final int LINK_FLAGS_OFFSET = LINK_ATTACH_TYPE_OFFSET + Integer.BYTES;
    static final int LINK_CREATE_SIZE = LINK_FLAGS_OFFSET + Integer.BYTES;
    /** enum bpf_attach_type. */
    static final int BPF_XDP = 37;

    static final int TEST_PROG_FD_OFFSET = 0;
    static final int TEST_RETVAL_OFFSET = TEST_PROG_FD_OFFSET + Integer.BYTES;
    static final int TEST_DATA_SIZE_IN_OFFSET = TEST_RETVAL_OFFSET + Integer.BYTES;
    static final int TEST_DATA_SIZE_OUT_OFFSET = TEST_DATA_SIZE_IN_OFFSET + Integer.BYTES;
    static final int TEST_DATA_IN_OFFSET = TEST_DATA_SIZE_OUT_OFFSET + Integer.BYTES;
    static final int TEST_DATA_OUT_OFFSET = TEST_DATA_IN_OFFSET + Long.BYTES;
    static final int TEST_REPEAT_OFFSET = TEST_DATA_OUT_OFFSET + Long.BYTES;
    static final int TEST_DURATION_OFFSET = TEST_REPEAT_OFFSET + Integer.BYTES;
    static final int TEST_CTX_SIZE_IN_OFFSET = TEST_DURATION_OFFSET + Integer.BYTES;
    /** After ctx_size_out. */
    static final int TEST_CTX_IN_OFFSET = TEST_CTX_SIZE_IN_OFFSET + 2 * Integer.BYTES;
    /** After ctx_out. */
    static final int TEST_FLAGS_OFFSET = TEST_CTX_IN_OFFSET + 2 * Long.BYTES;
    /** After cpu. */
    static final int TEST_BATCH_SIZE_OFFSET = TEST_FLAGS_OFFSET + 2 * Integer.BYTES;
    static final int TEST_SIZE = TEST_BATCH_SIZE_OFFSET + 2 * Integer.BYTES;
    /** BPF_F_TEST_XDP_LIVE_FRAMES, since Linux 5.18. */
    static final int TEST_LIVE_FRAMES = 2;

    static final int ID_OFFSET = 0;
    static final int ID_SIZE = 12;

    static final int INFO_BPF_FD_OFFSET = 0;
    static final int INFO_LEN_OFFSET = INFO_BPF_FD_OFFSET + Integer.BYTES;
    static final int INFO_OFFSET = INFO_LEN_OFFSET + Integer.BYTES;
    static final int INFO_ATTR_SIZE = INFO_OFFSET + Long.BYTES;
    /** struct bpf_prog_info: after type, id, tag, two lengths, two addresses, load_time, uid and maps. */
    static final int PROG_INFO_NAME_OFFSET = 64;
    static final int PROG_INFO_SIZE = PROG_INFO_NAME_OFFSET + NAME_SIZE;

    static final int QUERY_TARGET_OFFSET = 0;
    static final int QUERY_ATTACH_TYPE_OFFSET = QUERY_TARGET_OFFSET + Integer.BYTES;
    /** After query_flags and attach_flags. */
    static final int QUERY_PROG_IDS_OFFSET = QUERY_ATTACH_TYPE_OFFSET + 3 * Integer.BYTES;
    static final int QUERY_PROG_CNT_OFFSET = QUERY_PROG_IDS_OFFSET + Long.BYTES;
    /** Up to and including revision (Linux 6.6). */
    static final int QUERY_SIZE = 64;
    /** enum bpf_attach_type, since Linux 6.6. */
    static final int BPF_TCX_INGRESS = 46;
    static final int BPF_TCX_EGRESS = 47;

    private BpfAttrLayout()
    {
    }
}
