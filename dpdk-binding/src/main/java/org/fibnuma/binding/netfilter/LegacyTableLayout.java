package org.fibnuma.binding.netfilter;

/**
 * Tables of legacy iptables and ip6tables (linux/netfilter_ipv4/ip_tables.h, linux/netfilter_ipv6/ip6_tables.h and
 * linux/netfilter/x_tables.h, Linux 6.1). Numbers are in the machine's order. The structures of both families differ
 * only in the head of an entry.
 */
final class LegacyTableLayout
{
    /** IPPROTO_IP: options of IPv4 sockets. */
    static final int SOL_IP = 0;
    /** IPPROTO_IPV6: options of IPv6 sockets. */
    static final int SOL_IPV6 = 41;
    /** Also IP6T_SO_GET_INFO. */
    static final int IPT_SO_GET_INFO = 64;
    /** Also IP6T_SO_GET_ENTRIES. */
    static final int IPT_SO_GET_ENTRIES = 65;

    static final int TABLE_NAME_SIZE = 32;

    /** struct ipt_getinfo. */
    static final int INFO_VALID_HOOKS_OFFSET = TABLE_NAME_SIZE;
    static final int INFO_HOOK_ENTRY_OFFSET = INFO_VALID_HOOKS_OFFSET + Integer.BYTES;
    static final int HOOKS = 5;
    static final int INFO_UNDERFLOW_OFFSET = INFO_HOOK_ENTRY_OFFSET + HOOKS * Integer.BYTES;
    static final int INFO_NUM_ENTRIES_OFFSET = INFO_UNDERFLOW_OFFSET + HOOKS * Integer.BYTES;
    static final int INFO_SIZE_OFFSET = INFO_NUM_ENTRIES_OFFSET + Integer.BYTES;
    static final int INFO_SIZE = INFO_SIZE_OFFSET + Integer.BYTES;

    /** struct ipt_get_entries; entries are aligned to 8 bytes. */
    static final int ENTRIES_SIZE_OFFSET = TABLE_NAME_SIZE;
    static final int ENTRIES_OFFSET = ENTRIES_SIZE_OFFSET + 2 * Integer.BYTES;

    /** struct ipt_ip: masks of the addresses. */
    static final int MASKS_OFFSET = 8;
    static final int MASKS_LENGTH = 8;
    /** Masks of the names of the interfaces. */
    static final int DEVICE_MASKS_OFFSET = 48;
    static final int DEVICE_MASKS_LENGTH = 32;
    /** 16 bits; 0 for all protocols. */
    static final int PROTOCOL_OFFSET = 80;
    /** {@code IPT_F_...}, 8 bits; {@code IPT_INV_...} follow. */
    static final int FLAGS_OFFSET = 82;
    /** struct ip6t_ip6, with the same fields; the type of service is before the flags. */
    static final int IPV6_MASKS_OFFSET = 32;
    static final int IPV6_MASKS_LENGTH = 32;
    static final int IPV6_DEVICE_MASKS_OFFSET = 96;
    static final int IPV6_PROTOCOL_OFFSET = 128;
    static final int IPV6_FLAGS_OFFSET = 131;
    /** Second and later fragments; of IPv4 only. */
    static final int IPT_F_FRAG = 0x01;
    static final int IPT_INV_FRAG = 0x20;
    /** Type of service; of IPv6 only. */
    static final int IP6T_F_TOS = 0x02;
    /** A verdict of a chain is a goto instead of a jump. */
    static final int IPT_F_GOTO = 0x02;
    static final int IP6T_F_GOTO = 0x04;
    /** IPT_INV_PROTO, also of IPv6. */
    static final int IPT_INV_PROTO = 0x40;

    /** struct ipt_entry: the offset of the target, after struct ipt_ip and nfcache. */
    static final int TARGET_OFFSET_OFFSET = 88;
    /** End of struct ipt_entry and ip6t_entry: what the kernel counts, and {@code comefrom} or padding before it. */
    static final int COUNTERS_SIZE = Integer.BYTES + 2 * Long.BYTES;
    /** After the offset of the next entry, comefrom and counters. */
    static final int ENTRY_SIZE = TARGET_OFFSET_OFFSET + 2 * Short.BYTES + COUNTERS_SIZE;
    /** struct ip6t_entry: the offset of the target, after struct ip6t_ip6 and nfcache. */
    static final int IPV6_TARGET_OFFSET_OFFSET = 140;
    /** Counters are aligned to 8 bytes. */
    static final int IPV6_ENTRY_SIZE =
        IPV6_TARGET_OFFSET_OFFSET + 2 * Short.BYTES + 2 * Integer.BYTES + 2 * Long.BYTES;

    /** struct xt_entry_target: its size; 16 bits. struct xt_entry_match is alike. */
    static final int TARGET_SIZE_OFFSET = 0;
    static final int TARGET_NAME_OFFSET = Short.BYTES;
    static final int TARGET_NAME_SIZE = 29;
    /** 8 bits. */
    static final int TARGET_REVISION_OFFSET = TARGET_NAME_OFFSET + TARGET_NAME_SIZE;
    /** Data of a match or target; name of a chain in struct xt_error_target. */
    static final int TARGET_DATA_OFFSET = TARGET_REVISION_OFFSET + Byte.BYTES;
    /** struct xt_standard_target. */
    static final int VERDICT_OFFSET = TARGET_DATA_OFFSET;

    /** XT_STANDARD_TARGET: a verdict or a jump. */
    static final String STANDARD_TARGET = "";
    /** XT_ERROR_TARGET: head of a user-defined chain, or the end of the table. */
    static final String ERROR_TARGET = "ERROR";
    /** -NF_ACCEPT - 1. */
    static final int VERDICT_ACCEPT = -2;
    /** -NF_DROP - 1. */
    static final int VERDICT_DROP = -1;
    /** XT_RETURN. */
    static final int VERDICT_RETURN = -5;

    private LegacyTableLayout()
    {
    }
}
