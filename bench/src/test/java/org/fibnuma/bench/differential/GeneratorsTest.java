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
