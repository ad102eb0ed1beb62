package org.fibnuma.binding.netfilter;

import org.fibnuma.binding.netlink.NfnetlinkLayout;

import java.nio.ByteOrder;

/**
 * Messages about nftables (linux/netfilter/nfnetlink.h, nf_tables.h, linux/netfilter.h, Linux 6.1). Numbers in
 * attributes are in network order.
 */
final class NftablesLayout
{
    static final int NFNLGRP_NFTABLES = 7;
    private static final int NFNL_SUBSYS_NFTABLES = 10;

    /** Start of a transaction, NFNL_MSG_BATCH_BEGIN. The resource in its header is the subsystem. */
    static final int NFNL_MSG_BATCH_BEGIN = 16;
    static final int NFNL_MSG_BATCH_END = 17;
    static final int NFT_MSG_NEWTABLE = message(0);
    static final int NFT_MSG_GETTABLE = message(1);
    static final int NFT_MSG_NEWCHAIN = message(3);
    static final int NFT_MSG_GETCHAIN = message(4);
    static final int NFT_MSG_NEWRULE = message(6);
    static final int NFT_MSG_GETRULE = message(7);
    static final int NFT_MSG_DELRULE = message(8);
    static final int NFT_MSG_NEWSET = message(9);
    static final int NFT_MSG_GETSET = message(10);
    static final int NFT_MSG_NEWSETELEM = message(12);
    static final int NFT_MSG_GETSETELEM = message(13);
    static final int NFT_MSG_NEWGEN = message(15);
    static final int NFT_MSG_GETGEN = message(16);
    static final int NFT_MSG_NEWFLOWTABLE = message(22);
    static final int NFT_MSG_GETFLOWTABLE = message(23);

    /** struct nfgenmsg: {@code NFPROTO_...}; 8 bits. */
    static final int FAMILY_OFFSET = NfnetlinkLayout.FAMILY_OFFSET;
    /** After the version; 16 bits in network order. */
    static final int RESOURCE_OFFSET = 2;
    /** The resource of a transaction of nftables, in the machine's order. */
    static final short RESOURCE_NFTABLES = resource(NFNL_SUBSYS_NFTABLES);
    static final int LENGTH = NfnetlinkLayout.LENGTH;

    static final int NFPROTO_INET = 1;
    static final int NFPROTO_IPV4 = 2;
    static final int NFPROTO_NETDEV = 5;
    static final int NFPROTO_IPV6 = 10;

    static final int NF_INET_PRE_ROUTING = 0;
    static final int NF_INET_FORWARD = 2;
    static final int NF_INET_POST_ROUTING = 4;
    static final int NF_INET_INGRESS = 5;
    static final int NF_NETDEV_INGRESS = 0;
    static final int NF_NETDEV_EGRESS = 1;

    static final int NF_DROP = 0;
    static final int NF_ACCEPT = 1;
    static final int NFT_CONTINUE = -1;
    static final int NFT_BREAK = -2;
    static final int NFT_JUMP = -3;
    static final int NFT_GOTO = -4;
    static final int NFT_RETURN = -5;
    static final int NFT_REG_VERDICT = 0;
    /** A register of 16 bytes. The next ones name its first and its second 4 bytes. */
    static final int NFT_REG_1 = 1;
    static final int NFT_REG32_00 = 8;
    static final int NFT_REG32_01 = 9;
    static final int NFT_REG32_02 = 10;

    static final int NFTA_GEN_ID = 1;
    static final int NFTA_TABLE_NAME = 1;
    static final int NFTA_TABLE_FLAGS = 2;
    static final int NFT_TABLE_F_DORMANT = 1;
    /** Linux 5.12 and later: the table goes with the socket that made it, and only this socket changes it. */
    static final int NFT_TABLE_F_OWNER = 2;

    static final int NFTA_CHAIN_TABLE = 1;
    static final int NFTA_CHAIN_NAME = 3;
    static final int NFTA_CHAIN_HOOK = 4;
    static final int NFTA_CHAIN_POLICY = 5;
    static final int NFTA_CHAIN_TYPE = 7;
    static final int NFTA_HOOK_HOOKNUM = 1;
    static final int NFTA_HOOK_PRIORITY = 2;
    static final int NFTA_HOOK_DEV = 3;
    static final int NFTA_HOOK_DEVS = 4;

    static final int NFTA_FLOWTABLE_TABLE = 1;
    static final int NFTA_FLOWTABLE_HOOK = 3;
    /** Number of rules that use the flowtable; 32 bits. */
    static final int NFTA_FLOWTABLE_USE = 4;
    static final int NFTA_FLOWTABLE_HOOK_DEVS = 3;

    static final int NFTA_RULE_TABLE = 1;
    static final int NFTA_RULE_CHAIN = 2;
    /** 64 bits. */
    static final int NFTA_RULE_HANDLE = 3;
    static final int NFTA_RULE_EXPRESSIONS = 4;
    static final int NFTA_LIST_ELEM = 1;
    static final int NFTA_EXPR_NAME = 1;
    static final int NFTA_EXPR_DATA = 2;

    static final int NFTA_SET_TABLE = 1;
    static final int NFTA_SET_NAME = 2;
    static final int NFTA_SET_FLAGS = 3;
    static final int NFTA_SET_KEY_TYPE = 4;
    static final int NFTA_SET_KEY_LEN = 5;
    static final int NFTA_SET_DATA_TYPE = 6;
    static final int NFTA_SET_DATA_LEN = 7;
    static final int NFTA_SET_ID = 10;
    static final int NFTA_SET_USERDATA = 13;
    static final int NFTA_SET_OBJ_TYPE = 15;
    static final int NFTA_SET_EXPR = 17;
    static final int NFTA_SET_EXPRESSIONS = 18;
    static final int NFT_SET_ANONYMOUS = 0x1;
    static final int NFT_SET_CONSTANT = 0x2;
    static final int NFT_SET_INTERVAL = 0x4;
    static final int NFT_SET_MAP = 0x8;
    static final int NFT_SET_TIMEOUT = 0x10;
    static final int NFT_SET_EVAL = 0x20;
    /** NFTA_SET_DATA_TYPE of a map of verdicts. */
    static final int NFT_DATA_VERDICT = 0xFFFF_FF00;
    static final int NFTA_SET_ELEM_LIST_TABLE = 1;
    static final int NFTA_SET_ELEM_LIST_SET = 2;
    static final int NFTA_SET_ELEM_LIST_ELEMENTS = 3;
    static final int NFTA_SET_ELEM_LIST_SET_ID = 4;
    static final int NFTA_SET_ELEM_KEY = 1;
    static final int NFTA_SET_ELEM_DATA = 2;
    static final int NFTA_SET_ELEM_FLAGS = 3;
    /** The element ends the range of the one before. */
    static final int NFT_SET_ELEM_INTERVAL_END = 0x1;
    static final int NFT_SET_ELEM_CATCHALL = 0x2;

    static final int NFTA_IMMEDIATE_DREG = 1;
    static final int NFTA_IMMEDIATE_DATA = 2;
    static final int NFTA_DATA_VALUE = 1;
    static final int NFTA_DATA_VERDICT = 2;
    static final int NFTA_VERDICT_CODE = 1;
    static final int NFTA_VERDICT_CHAIN = 2;
    static final int NFTA_LOOKUP_SET = 1;
    static final int NFTA_LOOKUP_SREG = 2;
    static final int NFTA_LOOKUP_DREG = 3;
    static final int NFTA_LOOKUP_SET_ID = 4;
    static final int NFTA_LOOKUP_FLAGS = 5;
    /** The attributes of a match have the same numbers. */
    static final int NFTA_TARGET_NAME = 1;
    static final int NFTA_TARGET_REV = 2;
    static final int NFTA_TARGET_INFO = 3;
    /** Destination register of payload, meta, ct and exthdr. */
    static final int NFTA_PAYLOAD_DREG = 1;
    static final int NFTA_META_DREG = 1;
    static final int NFTA_CT_DREG = 1;
    static final int NFTA_EXTHDR_DREG = 1;

    static final int NFTA_PAYLOAD_BASE = 2;
    static final int NFTA_PAYLOAD_OFFSET = 3;
    static final int NFTA_PAYLOAD_LEN = 4;
    static final int NFT_PAYLOAD_NETWORK_HEADER = 1;
    static final int NFT_PAYLOAD_TRANSPORT_HEADER = 2;
    static final int NFTA_EXTHDR_FLAGS = 5;
    static final int NFTA_EXTHDR_OP = 6;
    static final int NFT_EXTHDR_F_PRESENT = 1;
    static final int NFT_EXTHDR_OP_TCPOPT = 1;
    static final int NFT_EXTHDR_OP_SCTP = 3;
    static final int NFTA_META_KEY = 2;
    static final int NFT_META_LEN = 0;
    static final int NFT_META_PROTOCOL = 1;
    static final int NFT_META_PRIORITY = 2;
    static final int NFT_META_MARK = 3;
    static final int NFT_META_IIF = 4;
    static final int NFT_META_OIF = 5;
    static final int NFT_META_IIFNAME = 6;
    static final int NFT_META_OIFNAME = 7;
    static final int NFT_META_IIFTYPE = 8;
    static final int NFT_META_OIFTYPE = 9;
    static final int NFT_META_SKUID = 10;
    static final int NFT_META_SKGID = 11;
    static final int NFT_META_RTCLASSID = 13;
    static final int NFT_META_SECMARK = 14;
    static final int NFT_META_NFPROTO = 15;
    static final int NFT_META_L4PROTO = 16;
    static final int NFT_META_PKTTYPE = 19;
    static final int NFT_META_CPU = 20;
    static final int NFT_META_IIFGROUP = 21;
    static final int NFT_META_OIFGROUP = 22;
    static final int NFT_META_PRANDOM = 24;
    static final int NFT_META_IIFKIND = 26;
    static final int NFT_META_OIFKIND = 27;
    static final int NFT_META_TIME_NS = 30;
    static final int NFT_META_TIME_DAY = 31;
    static final int NFT_META_TIME_HOUR = 32;
    static final int NFT_META_SDIF = 33;
    static final int NFT_META_SDIFNAME = 34;
    static final int NFTA_CT_KEY = 2;
    static final int NFTA_CT_SREG = 4;
    static final int NFT_CT_STATE = 0;
    static final int NFT_CT_DIRECTION = 1;
    static final int NFT_CT_SECMARK = 4;
    static final int NFT_CT_EXPIRATION = 5;
    static final int NFT_CT_LABELS = 13;
    static final int NFT_CT_PKTS = 14;
    static final int NFT_CT_BYTES = 15;
    static final int NFT_CT_AVGPKT = 16;
    static final int NFT_CT_ZONE = 17;
    static final int NFT_CT_EVENTMASK = 18;
    static final int NFTA_FIB_DREG = 1;
    static final int NFTA_RT_DREG = 1;
    static final int NFTA_RANGE_SREG = 1;
    static final int NFTA_RANGE_FROM_DATA = 3;
    static final int NFTA_BYTEORDER_SREG = 1;
    static final int NFTA_BYTEORDER_DREG = 2;
    static final int NFTA_BYTEORDER_LEN = 4;
    static final int NFTA_OBJREF_IMM_TYPE = 1;
    static final int NFTA_OBJREF_SET_NAME = 4;
    static final int NFT_OBJECT_COUNTER = 1;
    static final int NFT_OBJECT_QUOTA = 2;
    static final int NFT_OBJECT_CT_HELPER = 3;
    static final int NFT_OBJECT_LIMIT = 4;
    static final int NFT_OBJECT_CT_TIMEOUT = 7;
    static final int NFT_OBJECT_CT_EXPECT = 9;
    static final int NFTA_BITWISE_SREG = 1;
    static final int NFTA_BITWISE_DREG = 2;
    static final int NFTA_BITWISE_LEN = 3;
    static final int NFTA_BITWISE_MASK = 4;
    static final int NFTA_BITWISE_XOR = 5;
    static final int NFTA_BITWISE_OP = 6;
    static final int NFT_BITWISE_MASK_XOR = 0;
    static final int NFTA_CMP_SREG = 1;
    static final int NFTA_CMP_OP = 2;
    static final int NFTA_CMP_DATA = 3;
    static final int NFT_CMP_EQ = 0;
    static final int NFT_CMP_NEQ = 1;

    private NftablesLayout()
    {
    }

    private static int message(final int number)
    {
        return NfnetlinkLayout.message(NFNL_SUBSYS_NFTABLES, number);
    }

    private static short resource(final int subsystem)
    {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ?
            (short)subsystem : Short.reverseBytes((short)subsystem);
    }
}
