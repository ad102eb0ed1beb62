package org.fibnuma.binding.conntrack;

import org.fibnuma.binding.netlink.NfnetlinkLayout;

/**
 * Messages of ctnetlink (linux/netfilter/nfnetlink_conntrack.h, nfnetlink.h, nf_conntrack_tcp.h,
 * Linux 6.1). Numbers in
 * attributes are in network order, except those of labels.
 */
final class ConntrackLayout
{
    static final int NFNLGRP_CONNTRACK_NEW = 1;
    static final int NFNLGRP_CONNTRACK_UPDATE = 2;
    static final int NFNLGRP_CONNTRACK_DESTROY = 3;

    private static final int NFNL_SUBSYS_CTNETLINK = 1;

    /** An entry; in a request, a change of an entry. */
    static final int IPCTNL_MSG_CT_NEW = NfnetlinkLayout.message(NFNL_SUBSYS_CTNETLINK, 0);
    static final int IPCTNL_MSG_CT_GET = NfnetlinkLayout.message(NFNL_SUBSYS_CTNETLINK, 1);
    static final int IPCTNL_MSG_CT_DELETE = NfnetlinkLayout.message(NFNL_SUBSYS_CTNETLINK, 2);

    static final int CTA_TUPLE_ORIG = 1;
    static final int CTA_TUPLE_REPLY = 2;
    static final int CTA_STATUS = 3;
    static final int CTA_PROTOINFO = 4;
    static final int CTA_HELP = 5;
    /** Seconds; 32 bits. */
    static final int CTA_TIMEOUT = 7;
    static final int CTA_MARK = 8;
    static final int CTA_ID = 12;
    static final int CTA_TUPLE_MASTER = 14;
    static final int CTA_SEQ_ADJ_ORIG = 15;
    static final int CTA_SEQ_ADJ_REPLY = 16;
    /** Zone of both directions; 16 bits. */
    static final int CTA_ZONE = 18;
    /** 16 bytes, an array of unsigned long in the machine's order. */
    static final int CTA_LABELS = 22;
    static final int CTA_LABELS_MASK = 23;
    static final int CTA_SYNPROXY = 24;
    /** Linux 5.15 and later. */
    static final int CTA_STATUS_MASK = 26;

    /** In a tuple. */
    static final int CTA_TUPLE_IP = 1;
    static final int CTA_TUPLE_PROTO = 2;
    /** Zone of one direction only; 16 bits. */
    static final int CTA_TUPLE_ZONE = 3;

    /** In CTA_TUPLE_IP. */
    static final int CTA_IP_V4_SRC = 1;
    static final int CTA_IP_V4_DST = 2;
    static final int CTA_IP_V6_SRC = 3;
    static final int CTA_IP_V6_DST = 4;

    /** In CTA_TUPLE_PROTO: 8 bits. */
    static final int CTA_PROTO_NUM = 1;
    static final int CTA_PROTO_SRC_PORT = 2;
    static final int CTA_PROTO_DST_PORT = 3;
    /** 16 bits; type and code have 8 bits. */
    static final int CTA_PROTO_ICMP_ID = 4;
    static final int CTA_PROTO_ICMP_TYPE = 5;
    static final int CTA_PROTO_ICMP_CODE = 6;
    static final int CTA_PROTO_ICMPV6_ID = 7;
    static final int CTA_PROTO_ICMPV6_TYPE = 8;
    static final int CTA_PROTO_ICMPV6_CODE = 9;

    /** In CTA_PROTOINFO. */
    static final int CTA_PROTOINFO_TCP = 1;
    static final int CTA_PROTOINFO_SCTP = 3;

    /** In CTA_PROTOINFO_TCP: 8 bits. */
    static final int CTA_PROTOINFO_TCP_STATE = 1;
    /** struct nf_ct_tcp_flags: flags, then a mask of the flags to change; 8 bits each. */
    static final int CTA_PROTOINFO_TCP_FLAGS_ORIGINAL = 4;
    static final int CTA_PROTOINFO_TCP_FLAGS_REPLY = 5;
    /** In CTA_PROTOINFO_SCTP: 8 bits. */
    static final int CTA_PROTOINFO_SCTP_STATE = 1;
    /** Shift of the flags when struct nf_ct_tcp_flags is read as a number in network order. */
    static final int TCP_FLAGS_SHIFT = 8;

    private ConntrackLayout()
    {
    }
}
