package org.fibnuma.binding.netfilter;

import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.core.kernel.HostRestriction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

import static org.fibnuma.binding.netlink.HexAttribute.attribute;
import static org.fibnuma.binding.netlink.HexAttribute.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

class NetfilterHooksTest
{
    private static final int HOOK_GET = 0x0C00;
    private static final int NESTED = 0x8000;
    private static final int IPV4 = 2;
    private static final int IPV6 = 10;
    private static final int PREROUTING = 0;
    private static final int FORWARD = 2;

    private final NetfilterHooks hooks = new NetfilterHooks(null, true);

    /** As the kernel names them in {@code nft list hooks} with connection tracking, NAT, legacy tables and LSMs. */
    @ParameterizedTest
    @ValueSource(strings = {
        "ipv4_conntrack_in", "ipv4_conntrack_defrag", "ipv6_conntrack_in", "ipv6_defrag", "nf_confirm",
        "nf_nat_ipv4_pre_routing", "nf_nat_ipv4_out", "nf_nat_ipv6_in", "ipt_do_table", "ip6t_do_table",
        "iptable_mangle_hook", "nft_do_chain_inet", "nf_flow_offload_inet_hook", "ip_sabotage_in",
        "selinux_ip_forward", "apparmor_ip_postroute"})
    void shouldPassOverWhatIsJudgedOtherwise(final String function)
    {
        assertEquals(List.of(), restrictions(IPV4, FORWARD, attribute(4, text(function))));
    }

    @Test
    void shouldNameOthersWithTheirModule()
    {
        assertEquals(
            List.of(new HostRestriction(HostRestriction.Kind.NETFILTER_PACKET,
                "netfilter hook forward of ip: ip_vs_forward_icmp of module ip_vs", "nft list hooks ip",
                HostRestriction.Scope.family(false))),
            restrictions(IPV4, FORWARD, attribute(4, text("ip_vs_forward_icmp")) + attribute(5, text("ip_vs"))));
        assertEquals(
            List.of(new HostRestriction(HostRestriction.Kind.NETFILTER_PACKET,
                "netfilter hook prerouting of ip6: hook_ipv6 of module jool_common", "nft list hooks ip6",
                HostRestriction.Scope.family(true))),
            restrictions(IPV6, PREROUTING, attribute(4, text("hook_ipv6")) + attribute(5, text("jool_common"))));
    }

    /** NFNLA_HOOK_CHAIN_INFO 6: NFNLA_HOOK_INFO_DESC 1 with NFNLA_HOOK_BPF_ID 1, NFNLA_HOOK_INFO_TYPE 2. */
    @Test
    void shouldNameBpfProgramsAndPassOverNftables()
    {
        assertEquals("netfilter hook forward of ip: bpf program 42",
            restrictions(IPV4, FORWARD, attribute(4, text("bpf_prog_1")) + attribute(NESTED | 6,
            attribute(NESTED | 1, attribute(1, "0000002a")) + attribute(2, "00000002"))).get(0).text());
        for (final String type : List.of("00000001", "00000003"))
        {
            assertEquals(List.of(), restrictions(IPV4, FORWARD, attribute(4, text("unheard_of")) +
                attribute(NESTED | 6, attribute(2, type))));
        }
    }

    @Test
    void shouldPassOverHooksThatTheKernelDoesNotNameAndDamagedMessages()
    {
        assertEquals(List.of(), restrictions(IPV4, FORWARD, attribute(2, "80000000")));
        final List<HostRestriction> restrictions = new ArrayList<>();
        hooks.add(HexMessage.message(HOOK_GET, 0, "0200"), IPV4, FORWARD, restrictions);
        assertEquals(List.of(), restrictions);
    }

    /** struct nfgenmsg: family, version, resource. */
    private List<HostRestriction> restrictions(final int family, final int hook, final String attributes)
    {
        final List<HostRestriction> restrictions = new ArrayList<>();
        hooks.add(HexMessage.message(HOOK_GET, 0, String.format("%02x000000", family) +
            attribute(1, "000000" + String.format("%02x", hook)) + attributes), family, hook, restrictions);
        return restrictions;
    }
}
