package org.fibnuma.binding.netfilter;

import org.fibnuma.binding.netlink.NfnetlinkLayout;

/**
 * Messages about the functions that netfilter calls (linux/netfilter/nfnetlink_hook.h, linux/netfilter/nfnetlink.h,
 * Linux 6.18). Numbers in attributes are in network order.
 */
final class HookLayout
{
    private static final int NFNL_SUBSYS_HOOK = 12;

    /** Request and answer have the same type. */
    static final int NFNL_MSG_HOOK_GET = NfnetlinkLayout.message(NFNL_SUBSYS_HOOK, 0);

    static final int NFNLA_HOOK_HOOKNUM = 1;
    static final int NFNLA_HOOK_FUNCTION_NAME = 4;
    static final int NFNLA_HOOK_MODULE_NAME = 5;
    static final int NFNLA_HOOK_CHAIN_INFO = 6;
    static final int NFNLA_HOOK_INFO_DESC = 1;
    static final int NFNLA_HOOK_INFO_TYPE = 2;
    /** Linux 6.4 and later. */
    static final int NFNLA_HOOK_BPF_ID = 1;

    /** A base chain of nf_tables. */
    static final int NFNL_HOOK_TYPE_NFTABLES = 1;
    /** Linux 6.4 and later: a BPF program. */
    static final int NFNL_HOOK_TYPE_BPF = 2;
    /** Linux 6.16 and later: a flow table of nf_tables. */
    static final int NFNL_HOOK_TYPE_NFT_FLOWTABLE = 3;

    private HookLayout()
    {
    }
}
