package org.fibnuma.bench.differential;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class GeneratorsTest
{
    private static final int SEEDS = 50;

    @Test
    void shouldDrawTheSameForTheSameSeed()
    {
        for (int seed = 0; seed < SEEDS; seed++)
        {
            assertEquals(draw(seed), draw(seed));
        }
    }

    @Test
    void shouldDrawEveryKindOfRouteAndPacket()
    {
        final List<String> all = new ArrayList<>();
        for (int seed = 0; seed < SEEDS; seed++)
        {
            all.addAll(draw(seed));
        }
        for (final String wanted : List.of("blackhole", "unreachable", "prohibit", "throw", "nexthop via", "nhid",
            "via inet6", " mtu lock", "metric", "onlink", "xfrm", "nft", "macvlan", "br0", "ip rule", "rp_filter",
            "ip link set r1 mtu", "via 10.0.1.22", "via fd00:1::e", "disable_ipv6",
            "neighbor replace", "frame of 1514", "frame of 6", "lifetime 0",
            "lifetime 1", "lifetime 255"))
        {
            assertTrue(all.stream().anyMatch(each -> each.contains(wanted)), wanted);
        }
    }

    @Test
    void shouldDrawPolicyRoutingOfEveryKindOnAThirdOfTheHosts()
    {
        final List<String> all = new ArrayList<>();
        int ruled = 0;
        for (int seed = 0; seed < 8 * SEEDS; seed++)
        {
            final HostGenerator host = new HostGenerator(new Random(seed));
            final List<String> before = host.host();
            ruled += before.stream().anyMatch(each -> each.contains("rule add")) ? 1 : 0;
            all.addAll(before);
            for (int i = 0; i < 20; i++)
            {
                all.addAll(host.change());
            }
        }
        assertTrue(ruled > 2 * SEEDS && ruled < 4 * SEEDS, "hosts with rules: " + ruled);
        for (final String wanted : List.of("ip rule add( priority \\d+)? from \\S+ lookup 100",
            "ip -6 rule add( priority \\d+)? from \\S+ lookup 100", "ip rule add.* from \\S+ to \\S+ lookup 101",
            "ip rule add.* iif r1 lookup .*", "ip rule add.* iif lo .*", "ip -6 rule add.* not from .*",
            "ip rule add.* fwmark 0x10 .*", "ip rule add.* fwmark 0/0xff .*", "ip rule add.* oif r2 .*",
            "ip rule add priority 32764 lookup main suppress_prefixlength 0",
            "ip rule add priority 32765 not fwmark 0xca6c lookup 51820", "ip rule add.* suppress_prefixlength 8",
            "ip -6 rule add priority 220 lookup 220", "ip rule add.* blackhole", "ip -6 rule add.* prohibit",
            "ip rule add.* unreachable", "ip rule add.* tos .*", "ip rule add.* ipproto udp .*",
            "ip rule add.* dport .*", "ip rule add.* goto 1000", "ip rule del .*", "ip -6 rule del .*",
            "ip rule flush; .*", "ip -6 rule flush; .*", "ip route add 0.0.0.0/0 table 100 via .*",
            "ip -6 route add [0:]+/0 table 51820 .*", "ip route add \\S+ table 253 .*",
            "ip route add throw \\S+ table 10.", "ip route replace .* table .*",
            "ip route add \\S+ table 10. nexthop .* nexthop .*", "ip route del .* table .*", "ip route flush table .*",
            "nft add rule .* meta mark set 0x10"))
        {
            assertTrue(all.stream().anyMatch(each -> each.matches(wanted)), wanted);
        }
    }

    @Test
    void shouldDrawRulesetsAndChangesOfEveryKind()
    {
        final List<String> all = new ArrayList<>();
        for (int seed = 0; seed < 4 * SEEDS; seed++)
        {
            assertEquals(FirewallRound.steps(seed), FirewallRound.steps(seed));
            FirewallRound.steps(seed).forEach(all::addAll);
        }
        for (final String wanted : List.of("policy drop", "ct state vmap", "goto more", "jump extra", "vmap @verdicts",
            "@hosts6", "dnat ip to", "dnat ip6 to", "snat ip to", "masquerade", "ttl", "limit rate", "reject",
            "delete rule", "flush chain", "flush set", "conntrack -D", "conntrack -F", "flush ruleset",
            "iptables-nft -I", "iptables-legacy -I"))
        {
            assertTrue(all.stream().anyMatch(each -> each.contains(wanted)), wanted);
        }
    }

    private static List<String> draw(final int seed)
    {
        final Random random = new Random(seed);
        final HostGenerator host = new HostGenerator(random);
        final PacketGenerator packets = new PacketGenerator(random, host.mtus());
        final List<String> drawn = new ArrayList<>(host.host());
        for (int i = 0; i < 20; i++)
        {
            drawn.addAll(host.change());
            final byte[] frame = packets.draw(host.destinations()).frame();
            assertTrue(frame.length >= 14 && frame.length <= 1514, () -> "frame of " + frame.length);
            drawn.add("frame of " + frame.length);
            if (frame.length > 22)
            {
                drawn.add("lifetime " + (frame[22] & 0xFF));
            }
        }
        return drawn;
    }
}
