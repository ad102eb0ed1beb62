package org.fibnuma.binding.netfilter;

/**
 * Messages about nftables (linux/netfilter/nfnetlink.h, nf_tables.h, linux/netfilter.h, Linux 6.1). Numbers in
 * attributes are in network order.
 */
final class NftablesLayout
{
    static final int NFNLGRP_NFTABLES = 7;
    private static final int NFNL_SUBSYS_NFTABLES = 10;
    private static final int SUBSYSTEM_SHIFT = 8;

    static final int NFT_MSG_NEWTABLE = message(0);
    static final int NFT_MSG_GETTABLE = message(1);
    static final int NFT_MSG_NEWCHAIN = message(3);
    static final int NFT_MSG_GETCHAIN = message(4);
    static final int NFT_MSG_NEWRULE = message(6);
    static final int NFT_MSG_GETRULE = message(7);

    /** struct nfgenmsg: {@code NFPROTO_...}; 8 bits. */
    static final int FAMILY_OFFSET = 0;
    static final int LENGTH = 4;

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

    static final int NF_ACCEPT = 1;
    static final int NFT_CONTINUE = -1;
    static final int NFT_BREAK = -2;
    static final int NFT_JUMP = -3;
    static final int NFT_GOTO = -4;
    static final int NFT_RETURN = -5;
    static final int NFT_REG_VERDICT = 0;

    static final int NFTA_TABLE_NAME = 1;
    static final int NFTA_TABLE_FLAGS = 2;
    static final int NFT_TABLE_F_DORMANT = 1;

    static final int NFTA_CHAIN_TABLE = 1;
    static final int NFTA_CHAIN_NAME = 3;
    static final int NFTA_CHAIN_HOOK = 4;
    static final int NFTA_CHAIN_POLICY = 5;
    static final int NFTA_HOOK_HOOKNUM = 1;
    static final int NFTA_HOOK_DEV = 3;
    static final int NFTA_HOOK_DEVS = 4;

    static final int NFTA_RULE_TABLE = 1;
    static final int NFTA_RULE_CHAIN = 2;
    static final int NFTA_RULE_EXPRESSIONS = 4;
    static final int NFTA_EXPR_NAME = 1;
    static final int NFTA_EXPR_DATA = 2;

    static final int NFTA_IMMEDIATE_DREG = 1;
    static final int NFTA_IMMEDIATE_DATA = 2;
    static final int NFTA_DATA_VERDICT = 2;
    static final int NFTA_VERDICT_CODE = 1;
    static final int NFTA_VERDICT_CHAIN = 2;
    static final int NFTA_LOOKUP_DREG = 3;
    static final int NFTA_TARGET_NAME = 1;
    /** Destination register of payload, meta, ct and exthdr. */
    static final int NFTA_PAYLOAD_DREG = 1;
    static final int NFTA_META_DREG = 1;
    static final int NFTA_CT_DREG = 1;
    static final int NFTA_EXTHDR_DREG = 1;

    private NftablesLayout()
    {
    }

    private static int message(final int number)
    {
        return NFNL_SUBSYS_NFTABLES << SUBSYSTEM_SHIFT | number;
    }
}
