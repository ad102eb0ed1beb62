package org.fibnuma.binding.netfilter;

import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.core.kernel.HostRestriction;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds other functions that netfilter calls for forwarded packets than connection tracking and the tables that are
 * read, such as those of IPVS, of NAT64 modules and of BPF programs. A kernel without CONFIG_NETFILTER_NETLINK_HOOK
 * does not list them, and none is reported. Hooks of devices are not read, because in Linux only nf_tables has any. One
 * thread.
 */
final class NetfilterHooks
{
    private static final int REQUEST_CAPACITY = 64;
    private static final int[] HOOKS = {
        NftablesLayout.NF_INET_PRE_ROUTING, NftablesLayout.NF_INET_FORWARD, NftablesLayout.NF_INET_POST_ROUTING};
    private static final List<String> HOOK_NAMES = List.of("prerouting", "input", "forward", "output", "postrouting");
    /**
     * Beginnings of the names of functions that do not restrict by themselves: connection tracking, defragmentation,
     * NAT (its chains are read), chains and flow tables of nf_tables, legacy tables, br_netfilter, and security modules
     * (they check only packets with labels).
     */
    private static final List<String> KNOWN = List.of(
        "ipv4_conntrack_", "ipv6_conntrack_", "nf_confirm", "ipv4_confirm", "ipv6_confirm", "ipv4_helper",
        "ipv6_helper", "ipv6_defrag", "nf_nat_ipv", "nft_do_chain", "nf_flow_offload_", "ipt_do_table",
        "ip6t_do_table", "iptable_", "ip6table_", "ip_sabotage_in", "selinux_ip", "apparmor_ip", "smack_ip");

    /** Owner of the hooks that {@link NftablesRuleset} reads. */
    private static final String TABLE = "nf_tables";

    private final NetlinkExchange exchange;
    private final boolean ipv6;
    private final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY);
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight info = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight description = new NetlinkAttributeFlyweight();
    private boolean isListed = true;

    /**
     * Creates a reader.
     *
     * @param exchange of protocol {@link NetlinkLayout#NETLINK_NETFILTER}, closed by the caller.
     * @param ipv6     whether hooks that only IPv6 packets pass are included.
     */
    NetfilterHooks(final NetlinkExchange exchange, final boolean ipv6)
    {
        this.exchange = exchange;
        this.ipv6 = ipv6;
    }

    /** Reads the hooks. Returns one restriction for each unknown function, in the order of the hooks. */
    Collection<HostRestriction> restrictions()
    {
        final Set<HostRestriction> restrictions = new LinkedHashSet<>();
        for (final int hook : HOOKS)
        {
            read(NftablesLayout.NFPROTO_IPV4, hook, restrictions);
            if (ipv6)
            {
                read(NftablesLayout.NFPROTO_IPV6, hook, restrictions);
            }
        }
        return restrictions;
    }

    private void read(final int family, final int hook, final Collection<HostRestriction> restrictions)
    {
        int attempts = 0;
        while (isListed && attempts < NetlinkExchange.DUMP_ATTEMPTS)
        {
            isListed = exchange.dump(request.clear()
                .begin(HookLayout.NFNL_MSG_HOOK_GET, NetlinkLayout.NLM_F_DUMP, exchange.nextSequence(),
                NftablesLayout.LENGTH)
                .putByte(NftablesLayout.FAMILY_OFFSET, family)
                .addInt(HookLayout.NFNLA_HOOK_HOOKNUM, Integer.reverseBytes(hook)),
                message -> add(message, family, hook, restrictions)) == 0;
            attempts = exchange.wasInterrupted() ? attempts + 1 : NetlinkExchange.DUMP_ATTEMPTS;
        }
    }

    /** Handles a message of type NFNL_MSG_HOOK_GET. */
    void add(
        final NetlinkMessageFlyweight message,
        final int family,
        final int hook,
        final Collection<HostRestriction> restrictions)
    {
        if (message.type() != HookLayout.NFNL_MSG_HOOK_GET ||
            !message.wrapAttributes(attributes, NftablesLayout.LENGTH))
        {
            return;
        }
        String owner = "";
        String function = "";
        String module = "";
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case HookLayout.NFNLA_HOOK_FUNCTION_NAME -> function = attributes.textValue();
                case HookLayout.NFNLA_HOOK_MODULE_NAME -> module = attributes.textValue();
                case HookLayout.NFNLA_HOOK_CHAIN_INFO -> owner = owner();
                default ->
                {
                }
            }
        }
        if (owner.isEmpty() && !function.isEmpty() && KNOWN.stream().noneMatch(function::startsWith))
        {
            owner = function + (module.isEmpty() ? "" : " of module " + module);
        }
        if (!owner.isEmpty() && !owner.equals(TABLE))
        {
            final boolean isIpv6 = family == NftablesLayout.NFPROTO_IPV6;
            restrictions.add(new HostRestriction(HostRestriction.Kind.NETFILTER_PACKET,
                "netfilter hook " + HOOK_NAMES.get(hook) + (isIpv6 ? " of ip6: " : " of ip: ") + owner,
                "nft list hooks " + (isIpv6 ? "ip6" : "ip"), HostRestriction.Scope.family(isIpv6)));
        }
    }

    private String owner()
    {
        int type = 0;
        int program = 0;
        info.wrapNested(attributes);
        while (info.next())
        {
            if (info.type() == HookLayout.NFNLA_HOOK_INFO_TYPE)
            {
                type = info.networkIntValue(0);
            }
            else if (info.type() == HookLayout.NFNLA_HOOK_INFO_DESC)
            {
                description.wrapNested(info);
                while (description.next())
                {
                    program = description.type() == HookLayout.NFNLA_HOOK_BPF_ID ?
                        description.networkIntValue(0) : program;
                }
            }
        }
        return switch (type)
        {
            case HookLayout.NFNL_HOOK_TYPE_NFTABLES, HookLayout.NFNL_HOOK_TYPE_NFT_FLOWTABLE -> TABLE;
            case HookLayout.NFNL_HOOK_TYPE_BPF -> "bpf program " + program;
            default -> "";
        };
    }
}
