package org.fibnuma.binding.netfilter;

import org.fibnuma.binding.libc.HeaderProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class NetfilterLayoutTest
{
    private static final String INFO = "offsetof(struct ipt_getinfo, ";
    private static final String ENTRY = "offsetof(struct ipt_entry, ";
    private static final String IPV6_INFO = "offsetof(struct ip6t_getinfo, ";
    private static final String IPV6_ENTRY = "offsetof(struct ip6t_entry, ";

    private final Map<String, Long> expected = new HashMap<>();

    @Test
    void shouldNumberThingsOfNftablesAsTheHeadersDo(@TempDir final Path directory)
        throws IOException, IllegalAccessException
    {
        for (final Field field : NftablesLayout.class.getDeclaredFields())
        {
            final String name = field.getName();
            if (Modifier.isStatic(field.getModifiers()) && name.startsWith("NF") && !name.startsWith("NFT_MSG_") &&
                !name.startsWith("NFNL"))
            {
                field.setAccessible(true);
                expected.put(name, field.getLong(null));
            }
        }
        // Unsigned in C.
        expected.remove("NFT_DATA_VERDICT");
        expected.put("(int)NFT_DATA_VERDICT", (long)NftablesLayout.NFT_DATA_VERDICT);
        expected.put("NFNLGRP_NFTABLES", (long)NftablesLayout.NFNLGRP_NFTABLES);
        message("NFT_MSG_NEWTABLE", NftablesLayout.NFT_MSG_NEWTABLE);
        message("NFT_MSG_GETTABLE", NftablesLayout.NFT_MSG_GETTABLE);
        message("NFT_MSG_NEWCHAIN", NftablesLayout.NFT_MSG_NEWCHAIN);
        message("NFT_MSG_GETCHAIN", NftablesLayout.NFT_MSG_GETCHAIN);
        message("NFT_MSG_NEWRULE", NftablesLayout.NFT_MSG_NEWRULE);
        message("NFT_MSG_GETRULE", NftablesLayout.NFT_MSG_GETRULE);
        message("NFT_MSG_DELRULE", NftablesLayout.NFT_MSG_DELRULE);
        message("NFT_MSG_NEWSET", NftablesLayout.NFT_MSG_NEWSET);
        message("NFT_MSG_GETSET", NftablesLayout.NFT_MSG_GETSET);
        message("NFT_MSG_GETSETELEM", NftablesLayout.NFT_MSG_GETSETELEM);
        message("NFT_MSG_NEWSETELEM", NftablesLayout.NFT_MSG_NEWSETELEM);
        expected.put("NFNL_MSG_BATCH_BEGIN", (long)NftablesLayout.NFNL_MSG_BATCH_BEGIN);
        expected.put("NFNL_MSG_BATCH_END", (long)NftablesLayout.NFNL_MSG_BATCH_END);
        expected.put("offsetof(struct nfgenmsg, res_id)", (long)NftablesLayout.RESOURCE_OFFSET);
        expected.put("(short)__builtin_bswap16(NFNL_SUBSYS_NFTABLES)", (long)NftablesLayout.RESOURCE_NFTABLES);
        expected.put("sizeof(struct nfgenmsg)", (long)NftablesLayout.LENGTH);
        expected.put("offsetof(struct nfgenmsg, nfgen_family)", (long)NftablesLayout.FAMILY_OFFSET);
        HeaderProbe.check(directory, List.of(
            "linux/netlink.h", "linux/netfilter.h", "linux/netfilter/nfnetlink.h", "linux/netfilter/nf_tables.h",
            "linux/netfilter/nf_tables_compat.h"), expected);
    }

    @Test
    void shouldNumberHooksAsTheHeadersDo(@TempDir final Path directory) throws IOException
    {
        // The headers of Linux 6.1 lack what later versions added.
        expected.put("NFNL_SUBSYS_HOOK << 8 | NFNL_MSG_HOOK_GET", (long)HookLayout.NFNL_MSG_HOOK_GET);
        expected.put("NFNLA_HOOK_HOOKNUM", (long)HookLayout.NFNLA_HOOK_HOOKNUM);
        expected.put("NFNLA_HOOK_FUNCTION_NAME", (long)HookLayout.NFNLA_HOOK_FUNCTION_NAME);
        expected.put("NFNLA_HOOK_MODULE_NAME", (long)HookLayout.NFNLA_HOOK_MODULE_NAME);
        expected.put("NFNLA_HOOK_CHAIN_INFO", (long)HookLayout.NFNLA_HOOK_CHAIN_INFO);
        expected.put("NFNLA_HOOK_INFO_DESC", (long)HookLayout.NFNLA_HOOK_INFO_DESC);
        expected.put("NFNLA_HOOK_INFO_TYPE", (long)HookLayout.NFNLA_HOOK_INFO_TYPE);
        expected.put("NFNL_HOOK_TYPE_NFTABLES", (long)HookLayout.NFNL_HOOK_TYPE_NFTABLES);
        HeaderProbe.check(directory,
            List.of("linux/netfilter/nfnetlink.h", "linux/netfilter/nfnetlink_hook.h"), expected);
    }

    private void message(final String name, final int number)
    {
        expected.put("NFNL_SUBSYS_NFTABLES << 8 | " + name, (long)number);
    }

    @Test
    void shouldLayOutLegacyTablesAsTheHeadersDo(@TempDir final Path directory) throws IOException
    {
        expected.put("IPPROTO_IP", (long)LegacyTableLayout.SOL_IP);
        expected.put("IPT_SO_GET_INFO", (long)LegacyTableLayout.IPT_SO_GET_INFO);
        expected.put("IPT_SO_GET_ENTRIES", (long)LegacyTableLayout.IPT_SO_GET_ENTRIES);
        expected.put("XT_TABLE_MAXNAMELEN", (long)LegacyTableLayout.TABLE_NAME_SIZE);
        expected.put(INFO + "valid_hooks)", (long)LegacyTableLayout.INFO_VALID_HOOKS_OFFSET);
        expected.put(INFO + "hook_entry)", (long)LegacyTableLayout.INFO_HOOK_ENTRY_OFFSET);
        expected.put(INFO + "underflow)", (long)LegacyTableLayout.INFO_UNDERFLOW_OFFSET);
        expected.put(INFO + "size)", (long)LegacyTableLayout.INFO_SIZE_OFFSET);
        expected.put("sizeof(struct ipt_getinfo)", (long)LegacyTableLayout.INFO_SIZE);
        expected.put("NF_INET_NUMHOOKS", (long)LegacyTableLayout.HOOKS);
        expected.put("offsetof(struct ipt_get_entries, size)", (long)LegacyTableLayout.ENTRIES_SIZE_OFFSET);
        expected.put("offsetof(struct ipt_get_entries, entrytable)", (long)LegacyTableLayout.ENTRIES_OFFSET);
        expected.put(ENTRY + "target_offset)", (long)LegacyTableLayout.TARGET_OFFSET_OFFSET);
        expected.put(ENTRY + "next_offset)", (long)LegacyTableLayout.TARGET_OFFSET_OFFSET + Short.BYTES);
        expected.put("sizeof(struct ipt_entry)", (long)LegacyTableLayout.ENTRY_SIZE);
        expected.put("offsetof(struct xt_entry_target, u.user.name)", (long)LegacyTableLayout.TARGET_NAME_OFFSET);
        expected.put("XT_EXTENSION_MAXNAMELEN", (long)LegacyTableLayout.TARGET_NAME_SIZE);
        expected.put("offsetof(struct xt_standard_target, verdict)", (long)LegacyTableLayout.VERDICT_OFFSET);
        expected.put("-NF_ACCEPT - 1", (long)LegacyTableLayout.VERDICT_ACCEPT);
        expected.put("-NF_DROP - 1", (long)LegacyTableLayout.VERDICT_DROP);
        expected.put("XT_RETURN", (long)LegacyTableLayout.VERDICT_RETURN);
        expected.put("offsetof(struct ipt_ip, smsk)", (long)LegacyTableLayout.MASKS_OFFSET);
        expected.put("offsetof(struct ipt_ip, iniface_mask)", (long)LegacyTableLayout.DEVICE_MASKS_OFFSET);
        expected.put("offsetof(struct ipt_ip, proto)", (long)LegacyTableLayout.PROTOCOL_OFFSET);
        expected.put("offsetof(struct ipt_ip, flags)", (long)LegacyTableLayout.FLAGS_OFFSET);
        expected.put("IPT_F_FRAG", (long)LegacyTableLayout.IPT_F_FRAG);
        expected.put("IPT_INV_FRAG", (long)LegacyTableLayout.IPT_INV_FRAG);
        expected.put("IPT_F_GOTO", (long)LegacyTableLayout.IPT_F_GOTO);
        expected.put("IPT_INV_PROTO", (long)LegacyTableLayout.IPT_INV_PROTO);
        expected.put("offsetof(struct xt_entry_match, u.user.match_size)", (long)LegacyTableLayout.TARGET_SIZE_OFFSET);
        expected.put("offsetof(struct xt_entry_match, u.user.revision)",
            (long)LegacyTableLayout.TARGET_REVISION_OFFSET);
        expected.put("offsetof(struct xt_entry_match, data)", (long)LegacyTableLayout.TARGET_DATA_OFFSET);
        expected.put("offsetof(struct xt_error_target, errorname)", (long)LegacyTableLayout.TARGET_DATA_OFFSET);
        HeaderProbe.check(directory, List.of(
            "netinet/in.h", "linux/netfilter.h", "linux/netfilter_ipv4/ip_tables.h"), expected);
    }

    @Test
    void shouldLayOutLegacyIpv6TablesAsTheHeadersDo(@TempDir final Path directory) throws IOException
    {
        expected.put("IPPROTO_IPV6", (long)LegacyTableLayout.SOL_IPV6);
        expected.put("IP6T_SO_GET_INFO", (long)LegacyTableLayout.IPT_SO_GET_INFO);
        expected.put("IP6T_SO_GET_ENTRIES", (long)LegacyTableLayout.IPT_SO_GET_ENTRIES);
        expected.put(IPV6_INFO + "valid_hooks)", (long)LegacyTableLayout.INFO_VALID_HOOKS_OFFSET);
        expected.put(IPV6_INFO + "hook_entry)", (long)LegacyTableLayout.INFO_HOOK_ENTRY_OFFSET);
        expected.put(IPV6_INFO + "underflow)", (long)LegacyTableLayout.INFO_UNDERFLOW_OFFSET);
        expected.put(IPV6_INFO + "size)", (long)LegacyTableLayout.INFO_SIZE_OFFSET);
        expected.put("offsetof(struct ip6t_ip6, smsk)", (long)LegacyTableLayout.IPV6_MASKS_OFFSET);
        expected.put("offsetof(struct ip6t_ip6, iniface_mask)", (long)LegacyTableLayout.IPV6_DEVICE_MASKS_OFFSET);
        expected.put("offsetof(struct ip6t_ip6, proto)", (long)LegacyTableLayout.IPV6_PROTOCOL_OFFSET);
        expected.put("offsetof(struct ip6t_ip6, flags)", (long)LegacyTableLayout.IPV6_FLAGS_OFFSET);
        expected.put("IP6T_F_TOS", (long)LegacyTableLayout.IP6T_F_TOS);
        expected.put("IP6T_F_GOTO", (long)LegacyTableLayout.IP6T_F_GOTO);
        expected.put("IP6T_INV_PROTO", (long)LegacyTableLayout.IPT_INV_PROTO);
        expected.put("sizeof(struct ip6t_getinfo)", (long)LegacyTableLayout.INFO_SIZE);
        expected.put("offsetof(struct ip6t_get_entries, size)", (long)LegacyTableLayout.ENTRIES_SIZE_OFFSET);
        expected.put("offsetof(struct ip6t_get_entries, entrytable)", (long)LegacyTableLayout.ENTRIES_OFFSET);
        expected.put(IPV6_ENTRY + "target_offset)", (long)LegacyTableLayout.IPV6_TARGET_OFFSET_OFFSET);
        expected.put(IPV6_ENTRY + "next_offset)", (long)LegacyTableLayout.IPV6_TARGET_OFFSET_OFFSET + Short.BYTES);
        expected.put("sizeof(struct ip6t_entry)", (long)LegacyTableLayout.IPV6_ENTRY_SIZE);
        HeaderProbe.check(directory, List.of(
            "netinet/in.h", "linux/netfilter.h", "linux/netfilter_ipv6/ip6_tables.h"), expected);
    }
}
