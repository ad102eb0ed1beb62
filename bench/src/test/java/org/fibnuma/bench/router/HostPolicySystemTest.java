package org.fibnuma.bench.router;

import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Await;
import org.fibnuma.core.UserException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What the host has decided about packets that it forwards is followed by the router, or named. */
@NamespaceTest({
    "ethtool", "ping", "nft", "iptables-nft", "iptables-legacy", "ip6tables-nft", "ip6tables-legacy"})
class HostPolicySystemTest
{
    /** What restricts forwarding, the end of it, and how the router names it. */
    private static final String[][] APPEARING = {
        {"nft add table ip fw; nft add chain ip fw f '{ type filter hook forward priority 0; }'; " +
            "nft add chain ip fw g; nft add rule ip fw f jump g; nft add rule ip fw g ip saddr 10.0.0.77 drop",
            "nft delete table ip fw",
            "nftables table ip fw, chain f (hook forward)"},
        {"nft add table ip n; nft add chain ip n p '{ type nat hook postrouting priority 100; }'; " +
            "nft add rule ip n p masquerade",
            "nft delete table ip n",
            "nftables table ip n, chain p (hook postrouting)"},
        {"nft add table netdev n; " +
            "nft add chain netdev n i '{ type filter hook ingress device r0 priority 0; policy drop; }'",
            "nft delete table netdev n",
            "nftables table netdev n, chain i (hook ingress, policy drop)"},
        {"iptables-nft -A FORWARD -s 10.0.0.77 -j REJECT",
            "iptables-nft -F FORWARD",
            "nftables table ip filter, chain FORWARD (hook forward)"},
        {"iptables-nft -P FORWARD DROP",
            "iptables-nft -P FORWARD ACCEPT",
            "nftables table ip filter, chain FORWARD (hook forward, policy drop)"},
        {"iptables-nft -t nat -A PREROUTING -p tcp --dport 80 -j DNAT --to 10.0.1.2",
            "iptables-nft -t nat -F PREROUTING",
            "nftables table ip nat, chain PREROUTING (hook prerouting)"},
        {"iptables-legacy -P FORWARD DROP",
            "iptables-legacy -P FORWARD ACCEPT",
            "legacy iptables table ip filter, chain FORWARD"},
        {"iptables-legacy -t nat -A POSTROUTING -j MASQUERADE",
            "iptables-legacy -t nat -F POSTROUTING",
            "legacy iptables table ip nat, chain POSTROUTING"},
        {"nft add table ip6 fw; nft add chain ip6 fw f '{ type filter hook forward priority 0; policy drop; }'",
            "nft delete table ip6 fw",
            "nftables table ip6 fw, chain f (hook forward, policy drop)"},
        {"nft add table ip6 n; nft add chain ip6 n p '{ type nat hook postrouting priority 100; }'; " +
            "nft add rule ip6 n p masquerade",
            "nft delete table ip6 n",
            "nftables table ip6 n, chain p (hook postrouting)"},
        {"ip6tables-nft -P FORWARD DROP",
            "ip6tables-nft -P FORWARD ACCEPT",
            "nftables table ip6 filter, chain FORWARD (hook forward, policy drop)"},
        {"ip6tables-legacy -P FORWARD DROP",
            "ip6tables-legacy -P FORWARD ACCEPT",
            "legacy ip6tables table ip6 filter, chain FORWARD"},
        {"ip6tables-legacy -t nat -A POSTROUTING -j MASQUERADE",
            "ip6tables-legacy -t nat -F POSTROUTING",
            "legacy ip6tables table ip6 nat, chain POSTROUTING"},
        {"ip rule add from 10.9.0.0/16 ipproto udp lookup 100",
            "ip rule del from 10.9.0.0/16 ipproto udp lookup 100",
            "this: rule 32765: from 10.9.0.0/16 ipproto 17 lookup 100 [ip rule show]"},
        {"ip -6 rule add from 2001:db8:9::/48 ipproto udp lookup 100",
            "ip -6 rule del from 2001:db8:9::/48 ipproto udp lookup 100",
            "this: IPv6 rule 32765: from 2001:db8:9::/48 ipproto 17 lookup 100 [ip -6 rule show]"}};

    /** Longest wait for an answer, in seconds. */
    private static final String PATIENCE = "3";
    /** Wait for an answer that must not come, in seconds. The answer to a forwarded request takes milliseconds. */
    private static final String WAIT_FOR_NONE = "0.5";

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();

    /** One of each family and kind; {@link #shouldWarnOfWhatAppearsAndLeaveItToTheKernel} has the others. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "nft add table inet fw; nft add chain inet fw f '{ type filter hook forward priority 0; policy drop; }'" +
            "| nftables table inet fw, chain f (hook forward, policy drop)",
        "iptables-legacy -t nat -A POSTROUTING -j MASQUERADE" +
            "| legacy iptables table ip nat, chain POSTROUTING",
        "ip6tables-nft -A FORWARD -s 2001:db8:1::77 -j REJECT" +
            "| nftables table ip6 filter, chain FORWARD (hook forward)",
        "ip6tables-legacy -A FORWARD -s 2001:db8:1::77 -j DROP" +
            "| legacy ip6tables table ip6 filter, chain FORWARD"})
    void shouldRefuseToBypassAFilterAndNameChainAndKey(final String commands, final String named)
    {
        lab.shell(commands);

        final String message =
            assertThrows(UserException.class, () -> lab.start("firewall = \"refuse\"")).getMessage();

        assertTrue(message.contains(named), message);
        assertTrue(message.contains("set firewall = \"bypass\" " +
            (named.contains("table ip6 ") ? "or ipv6 = false " : "") + "in [router] of "), message);
        assertFalse(lab.hasProgram("r0"));
    }

    @Test
    void shouldStartBesideChainsThatNeitherDropNorChangeAnything()
    {
        lab.shell("nft add table ip fw; nft add chain ip fw f '{ type filter hook forward priority 0; }'; " +
            "nft add rule ip fw f ip saddr 10.0.0.0/8 counter accept; nft add chain ip fw in " +
            "'{ type filter hook input priority 0; policy accept; }'; nft add rule ip fw in ip saddr 10.0.0.77 drop; " +
            "nft add table ip off '{ flags dormant; }'; " +
            "nft add chain ip off f '{ type filter hook forward priority 0; policy drop; }'; " +
            "iptables-legacy -A FORWARD -m conntrack --ctstate ESTABLISHED -j ACCEPT; iptables-legacy -A INPUT -j LOG");
        lab.shell("nft add table ip6 fw; nft add chain ip6 fw f '{ type filter hook forward priority 0; }'; " +
            "nft add rule ip6 fw f ip6 saddr 2001:db8::/32 counter accept; " +
            "ip6tables-legacy -A FORWARD -m conntrack --ctstate ESTABLISHED -j ACCEPT; ip6tables-legacy -P INPUT DROP");

        lab.start();

        lab.assertPings(3);
        assertEquals(0, bypassed());
    }

    @Test
    void shouldNotCountWhatRestrictsIpv6IfTheKernelForwardsIt()
    {
        lab.shell("nft add table ip6 fw; " +
            "nft add chain ip6 fw f '{ type filter hook forward priority 0; policy drop; }'; " +
            "ip6tables-legacy -P FORWARD DROP; ip -6 rule add from 2001:db8:9::/48 ipproto udp lookup 100");

        lab.start("ipv6 = false");

        lab.assertPings(3);
        assertEquals(0, bypassed());
        assertTrue(lab.port(0).path("ipv6Forwarding").isMissingNode());
    }

    @Test
    void shouldStartWithAWarningWhereTheConfigurationAllowsTheBypass()
    {
        lab.shell("iptables-nft -P FORWARD DROP");

        lab.start("firewall = \"bypass\"");

        lab.assertPings(3);
        assertEquals(
            1, lab.count("WARN  frames that the router forwards bypass nftables table ip filter, chain FORWARD"));
        assertEquals(1, bypassed());
    }

    @Test
    void shouldWarnOfWhatAppearsAndLeaveItToTheKernel()
    {
        lab.start("firewall = \"refuse\"");
        assertEquals(0, leftToKernel());
        for (final String[] change : APPEARING)
        {
            final String named = change[2];
            final long before = lab.count(named);
            lab.shell(change[0]);
            Await.until("the warning of " + named, () -> lab.count(named) > before);
            assertEquals(before + 1, lab.count(named), named);
            assertEquals(1, leftToKernel(), named);
            assertEquals(0, bypassed(), named);
            assertEquals(1, lab.ask("ports").path("hostRestrictionsLeft").asInt(), named);
            assertTrue(lab.process().errors().stream()
                .anyMatch(line -> line.contains("WARN") && line.contains(named)), named);

            lab.shell(change[1]);
            Await.until("the end of " + named, () -> leftToKernel() == 0);
        }
    }

    /** Rules of {@code ip rule} are left to the kernel as without packet filters. */
    @Test
    void shouldFollowFiltersThatAppear()
    {
        lab.start();
        assertEquals(List.of(), restrictions());
        for (final String[] change : APPEARING)
        {
            final boolean isOfFlows = !change[0].contains(" rule add from ") && !change[0].contains("table netdev");
            final String frames = isOfFlows ? "flows" : "left-to-kernel";
            lab.shell(change[0]);
            Await.until(frames + " of " + change[0], () -> restrictions().equals(List.of(frames)));
            assertEquals(0, bypassed(), change[0]);
            lab.shell(change[1]);
            Await.until("the end of " + change[0], () -> restrictions().isEmpty());
            lab.assertPings(1);
        }
        lab.assertBalanced();
    }

    /** What each restriction means for frames. */
    private List<String> restrictions()
    {
        return lab.ask("host").path("restrictions").findValuesAsText("frames");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "nft add table inet fw; nft add chain inet fw f '{ type filter hook forward priority 0; policy drop; }'; " +
            "nft add rule inet fw f ip daddr 10.0.1.0/24 accept; nft add rule inet fw f ct state established accept",
        "iptables-legacy -P FORWARD DROP; iptables-legacy -A FORWARD -d 10.0.1.0/24 -j ACCEPT; " +
            "iptables-legacy -A FORWARD -m conntrack --ctstate ESTABLISHED -j ACCEPT"})
    void shouldStartBesideAFilterAndForwardWhatItAccepts(final String commands)
    {
        lab.shell(commands);
        lab.start();
        assertEquals(List.of("flows"), restrictions());

        try (UdpEcho echo = new UdpEcho(lab.left(), lab.right()))
        {
            Await.until("packets of a flow", () ->
            {
                lab.assertPings(1);
                return lab.ask("drops").path("flows").asLong() > 10;
            });
            assertTrue(echo.isAlive());
        }
        lab.assertBalanced();
    }

    @Test
    void shouldIgnoreRulesIfOnlyTheMainTableIsToCount()
    {
        lab.shell("ip rule add from 10.0.0.0/24 prohibit; ip -6 rule add from 2001:db8:1::/48 iif r0 prohibit");
        lab.start("ignore-rules = true");
        lab.assertPings(3);
        assertEquals(2, bypassed());
        assertEquals(1, lab.count("not followed, since the router uses the main routing table only: " +
            "rule 32765: from 10.0.0.0/24 prohibit"));
    }

    @Test
    void shouldLeaveToTheKernelWhatComesInWhereForwardingIsOff()
    {
        lab.router().sysctl("ipv4.conf.r0.forwarding", "0");
        lab.start();
        assertTrue(lab.pingsInVain(), "the kernel does not forward, so the router must not");
        assertEquals("kernel", lab.port(0).path("forwarding").asText());
        assertEquals(0, receivedByLeft(), "the kernel has them");
        lab.left().run("ping", "-n", "-q", "-c", "1", "-W", "5", "10.0.0.1");

        lab.router().sysctl("ipv4.conf.r0.forwarding", "1");
        Await.until("forwarding on",
            () -> "router".equals(lab.port(0).path("forwarding").asText()));
        lab.assertPings(3);
        final long received = Await.atLeast("frames at the router", 3, this::receivedByLeft);

        lab.router().sysctl("ipv4.ip_forward", "0");
        Await.until("forwarding off",
            () -> "kernel".equals(lab.port(1).path("forwarding").asText()));
        assertTrue(lab.pingsInVain());
        assertEquals(received, receivedByLeft());
    }

    /** The kernel without a router is the reference, with settings that decide and with those that do not. */
    @Test
    void shouldForwardOfEachFamilyWhatTheKernelForwards()
    {
        lab.addIpv6();
        final List<String> settings = new ArrayList<>(List.of(
            "net.ipv6.conf.all.forwarding=0",
            "net.ipv6.conf.r0.forwarding=1 net.ipv6.conf.r1.forwarding=1",
            "net.ipv6.conf.all.forwarding=1",
            "net.ipv6.conf.r0.forwarding=0 net.ipv6.conf.r1.forwarding=0",
            "net.ipv4.ip_forward=0",
            "net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=0"));
        if (Files.exists(Path.of("/proc/sys/net/ipv6/conf/all/force_forwarding")))
        {
            settings.addAll(List.of(
                "net.ipv6.conf.r1.force_forwarding=1",
                "net.ipv6.conf.r0.force_forwarding=1",
                "net.ipv6.conf.all.force_forwarding=0"));
        }
        settings.addAll(List.of("net.ipv6.conf.all.forwarding=1", "net.ipv6.conf.r0.disable_ipv6=1"));
        final List<List<Boolean>> byKernel = new ArrayList<>();
        for (final String setting : settings)
        {
            lab.shell("sysctl -qw " + setting);
            byKernel.add(answers(List.of(true, true)));
        }
        assertTrue(byKernel.containsAll(List.of(List.of(true, true), List.of(false, true), List.of(true, false))));

        lab.addIpv6();
        lab.start();
        for (int i = 0; i < settings.size(); i++)
        {
            lab.shell("sysctl -qw " + settings.get(i));
            final List<Boolean> expected = byKernel.get(i);
            Await.until(settings.get(i),
                () -> List.of(forwards("forwarding"), forwards("ipv6Forwarding")).equals(expected));
            final long ipv6Frames = lab.ask("drops").path("ipv6").asLong();
            assertEquals(expected, answers(expected), settings.get(i));
            assertEquals(expected.get(1), lab.ask("drops").path("ipv6").asLong() > ipv6Frames, "by the router");
        }
        lab.assertBalanced();
    }

    /** Whether the router forwards what comes in by the left port, as it says itself. */
    private boolean forwards(final String family)
    {
        return "router".equals(lab.port(0).path(family).asText());
    }

    /**
     * Sends some echo requests of each family from the left; yields whether one was answered, IPv4 first. Waits longer
     * for the answers that are expected.
     */
    private List<Boolean> answers(final List<Boolean> expected)
    {
        final String answered = lab.left().run("sh", "-c",
            ping("10.0.1.2", expected.get(0)) + ping(RouterLifeLab.RIGHT_IPV6, expected.get(1)) + "wait");
        return List.of(answered.contains("10.0.1.2"), answered.contains(RouterLifeLab.RIGHT_IPV6));
    }

    private static String ping(final String address, final boolean isExpected)
    {
        return "ping -n -q -c 3 -i 0.1 -W " + (isExpected ? PATIENCE : WAIT_FOR_NONE) + " " + address +
            " >&2 && echo " + address + " & ";
    }

    @Test
    void shouldCheckTheReversePathWhereTheHostDoes()
    {
        lab.start();
        lab.left().address("lo", "172.16.0.2/32");
        assertEquals(0, reversePathDrops());
        assertTrue(arrivesFromElsewhere(), "no check");

        lab.router().sysctl("ipv4.conf.all.rp_filter", "2");
        awaitReversePath("loose");
        assertFalse(arrivesFromElsewhere(), "no route to the source");
        lab.router().run("ip", "route", "add", "172.16.0.0/16", "via", "10.0.1.2");
        Await.until("a route to the source by another port", this::arrivesFromElsewhere);

        lab.router().sysctl("ipv4.conf.r0.rp_filter", "1");
        assertTrue(arrivesFromElsewhere(), "the larger value counts");
        lab.router().sysctl("ipv4.conf.all.rp_filter", "0");
        awaitReversePath("strict");
        assertFalse(arrivesFromElsewhere(), "the route to the source leaves by another port");
        lab.router().run("ip", "route", "replace", "172.16.0.0/16", "via", "10.0.0.2");
        Await.until("the route to the source leaves by this port", this::arrivesFromElsewhere);
        lab.assertPings(3);
        assertTrue(reversePathDrops() >= 2, "each with its reason");
        lab.assertBalanced();
    }

    @Test
    void shouldNameFiltersOfTrafficControl()
    {
        lab.shell("tc qdisc add dev r0 clsact; tc filter add dev r0 ingress u32 match u32 0 0 flowid 1:1");
        final String message = assertThrows(UserException.class, () -> lab.start()).getMessage();
        assertTrue(message.contains("tc ingress of r0: filter u32: frames that the router forwards would bypass it; " +
            "\"tc filter show dev r0 ingress\" shows it"), message);
        lab.start("firewall = \"bypass\"");
        assertEquals(1, lab.count("bypass tc ingress of r0: filter u32 [tc filter show dev r0 ingress]"));
        lab.assertPings(3);
    }

    private int leftToKernel()
    {
        return lab.ask("host").path("leftToKernel").asInt();
    }

    private int bypassed()
    {
        return lab.ask("host").path("bypassed").asInt();
    }

    private void awaitReversePath(final String mode)
    {
        Await.until(mode, () -> mode.equals(lab.port(0).path("reversePath").asText()));
    }

    private long reversePathDrops()
    {
        return StreamSupport.stream(lab.ask("drops").path("drops").spliterator(), false)
            .filter(drop -> "ipv4-reverse-path".equals(drop.path("reason").asText()))
            .mapToLong(drop -> drop.path("frames").asLong()).sum();
    }

    /** Sends one echo request from an address that is not on the left network; whether it leaves on the right. */
    private boolean arrivesFromElsewhere()
    {
        final long drops = reversePathDrops();
        final long sent = lab.port(1).path("txFrames").asLong();
        lab.left().run("sh", "-c", "ping -n -q -c 1 -W 1 -I 172.16.0.2 10.0.1.2 || true");
        Await.until("the fate of the request", () -> reversePathDrops() > drops ||
            lab.port(1).path("txFrames").asLong() > sent);
        return reversePathDrops() == drops;
    }

    private long receivedByLeft()
    {
        return lab.port(0).path("rxFrames").asLong();
    }
}
