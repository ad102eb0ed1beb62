package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Await;
import org.fibnuma.core.UserException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Packets meet the restrictions of the host beside a router as they do without one: the same commands are executed on
 * an equal host with the kernel alone.
 */
@NamespaceTest({"tc", "ping", "nft", "iptables-legacy"})
class HostRestrictionSystemTest
{
    private static final String IPV4_LEFT = "ipv4";
    private static final String IPV6_LEFT = "ipv6";
    private static final String BOTH_LEFT = "both";
    /** Right port only: what it receives, and what leaves by it. */
    private static final String RIGHT_LEFT = "right";
    private static final String LEFT_LEFT = "left";
    /** Nothing but the frames to one prefix of one family, or from one. */
    private static final String IPV4_DESTINATION = "10.0.1.2";
    private static final String IPV4_ELSEWHERE = "10.9.9.9";
    private static final String IPV4_SOURCE = "10.0.0.2";
    private static final String IPV6_DESTINATION = RouterLifeLab.RIGHT_IPV6;

    /** Command that restricts, the command that ends it, the kind, and what is left to the kernel. */
    private static final String[][] RESTRICTIONS = {
        {"ip xfrm policy add src 10.0.0.0/24 dst 10.0.1.0/24 dir fwd action block",
            "ip xfrm policy flush", "ipsec", IPV4_DESTINATION},
        {"ip xfrm policy add src 10.0.0.0/24 dst 10.0.1.0/24 dir out " +
            "tmpl src 10.0.1.1 dst 10.0.1.2 proto esp mode tunnel reqid 1",
            "ip xfrm policy deleteall", "ipsec", IPV4_DESTINATION},
        {"ip xfrm policy add src 10.0.0.0/24 dst 10.0.1.0/24 dir fwd " +
            "tmpl src 10.0.0.9 dst 10.0.0.1 proto esp mode tunnel reqid 1",
            "ip xfrm policy flush", "ipsec", IPV4_SOURCE},
        {"ip xfrm policy add src 10.0.0.0/24 dst 10.9.9.0/24 dir fwd action block",
            "ip xfrm policy delete src 10.0.0.0/24 dst 10.9.9.0/24 dir fwd", "ipsec", IPV4_ELSEWHERE},
        {"ip xfrm policy add src 10.0.0.2/32 dst 0.0.0.0/0 dir fwd action block",
            "ip xfrm policy flush", "ipsec", IPV4_SOURCE},
        {"ip xfrm policy add dir fwd action block", "ip xfrm policy flush", "ipsec", IPV4_LEFT},
        {"ip xfrm policy add src ::/0 dst " + RouterLifeLab.RIGHT_IPV6 + " dir fwd action block",
            "ip xfrm policy flush", "ipsec", IPV6_DESTINATION},
        {"ip xfrm policy add src " + RouterLifeLab.LEFT_IPV6 + " dst ::/0 dir fwd action block",
            "ip xfrm policy flush", "ipsec", IPV6_LEFT},
        {"ip xfrm policy setdefault fwd block", "ip xfrm policy setdefault fwd accept", "ipsec", BOTH_LEFT},
        {"nft add table inet g; nft add chain inet g c '{ type filter hook forward priority 0; policy drop; }'",
            "nft delete table inet g", "netfilter", BOTH_LEFT},
        {"nft add table ip6 g; nft add chain ip6 g c '{ type filter hook forward priority 0; policy drop; }'",
            "nft delete table ip6 g", "netfilter", IPV6_LEFT},
        {"nft add table netdev g; " +
            "nft add chain netdev g c '{ type filter hook ingress device r0 priority 0; policy drop; }'",
            "nft delete table netdev g", "netfilter-packet", LEFT_LEFT},
        {"iptables-legacy -P FORWARD DROP", "iptables-legacy -P FORWARD ACCEPT", "netfilter", IPV4_LEFT},
        {"tc qdisc add dev r1 root tbf rate 800bit burst 1600 latency 1ms", "tc qdisc del dev r1 root",
            "queueing-discipline", RIGHT_LEFT},
        {"tc qdisc add dev r0 clsact; tc filter add dev r0 ingress bpf da bytecode '1,6 0 0 2'",
            "tc qdisc del dev r0 clsact", "traffic-control", LEFT_LEFT},
        {"tc qdisc add dev r1 clsact; tc filter add dev r1 egress bpf da bytecode '1,6 0 0 2'",
            "tc qdisc del dev r1 clsact", "traffic-control", RIGHT_LEFT},
        {"ip link add br0 type bridge; ip link set r0 master br0", "ip link del br0", "master", LEFT_LEFT}};

    private static final List<Boolean> BOTH_ANSWERED = List.of(true, true);
    /** Longest wait for an answer, in seconds. */
    private static final String PATIENCE = "2";
    /** Wait for an answer that must not come, in seconds. The answer to a forwarded request takes milliseconds. */
    private static final String WAIT_FOR_NONE = "0.5";
    /** Which families are answered with the kernel alone, by the command that restricts. */
    private static final Map<String, List<Boolean>> BY_KERNEL = new HashMap<>();

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();

    @BeforeAll
    static void restrictTheKernelAlone()
    {
        try (RouterLifeLab kernel = RouterLifeLab.open())
        {
            kernel.forwardIpv6();
            for (final String[] restriction : RESTRICTIONS)
            {
                kernel.shell(restriction[0]);
                BY_KERNEL.put(restriction[0], answers(kernel, BOTH_ANSWERED));
                kernel.shell(restriction[1]);
            }
            assertEquals(BOTH_ANSWERED, answers(kernel, BOTH_ANSWERED));
        }
    }

    @Test
    void shouldLeaveToTheKernelWhatARestrictionConcernsAsLongAsItIsThere()
    {
        lab.forwardIpv6();
        lab.start("firewall = \"refuse\"");
        assertForwardsBoth();
        for (final String[] restriction : RESTRICTIONS)
        {
            lab.shell(restriction[0]);
            Await.until(restriction[2] + " of " + restriction[0], () -> kinds().contains(restriction[2]));
            assertAnswersOfTheKernel(restriction[0]);
            assertForwarding(restriction[3]);
            assertEquals(0, lab.ask("host").path("bypassed").asInt());

            lab.shell(restriction[1]);
            Await.until("the end of " + restriction[0], () -> kinds().isEmpty());
            assertForwardsBoth();
        }
        lab.assertBalanced();
        assertEquals(RESTRICTIONS.length, lab.process().errors().stream()
            .filter(line -> line.contains("WARN") && line.contains("frames left to the kernel, because")).count());
        assertEquals(RESTRICTIONS.length, lab.count("frames no longer left to the kernel"));
    }

    /** With flows, the frames of restrictions that are no packet filters are left to the kernel as without. */
    @Test
    void shouldGiveTheKernelsAnswersBesideFlows()
    {
        lab.forwardIpv6();
        lab.start();
        for (final String[] restriction : RESTRICTIONS)
        {
            lab.shell(restriction[0]);
            final String frames = "netfilter".equals(restriction[2]) ? "flows" : "left-to-kernel";
            Await.until(frames + " of " + restriction[0], () ->
                lab.ask("host").path("restrictions").findValuesAsText("frames").equals(List.of(frames)));
            assertAnswersOfTheKernel(restriction[0]);
            lab.shell(restriction[1]);
            Await.until("the end of " + restriction[0], () -> kinds().isEmpty());
        }
        lab.assertBalanced();
    }

    /** Each change of nftables is a transaction of its own, so that most follow shortly after one that was read. */
    @ParameterizedTest
    @ValueSource(strings = {"refuse", "follow"})
    void shouldNeverForwardPastAFilterThatIsOlderThanForwarding(final String firewall)
    {
        lab.start("firewall = \"" + firewall + "\"");
        lab.assertPings(3);
        for (final String filter : List.of(
            "nft add table ip g; nft add chain ip g c '{ type filter hook forward priority 0; }'; " +
                "nft add rule ip g c counter; nft add rule ip g c drop",
            "iptables-legacy -P FORWARD DROP",
            "ip xfrm policy add dir fwd action block",
            "ip rule add from 10.0.0.0/24 prohibit"))
        {
            lab.router().sysctl("ipv4.ip_forward", "0");
            Await.until("forwarding off", () -> !isForwarding(0, "forwarding"));
            lab.shell(filter);
            // Switched on during the ping, which has 500 packets on the way in a second.
            lab.shell("(sleep 0.1; echo 1 >/proc/sys/net/ipv4/ip_forward) &");
            final String result = lab.left().run("sh", "-c", "ping -n -q -c 300 -i 0.002 -W 1 10.0.1.2 || true");
            assertTrue(result.contains(" 0 received"), filter + ": " + result);
            assertEquals("1", lab.router().run("cat", "/proc/sys/net/ipv4/ip_forward").trim());
            lab.shell("nft flush ruleset; iptables-legacy -P FORWARD ACCEPT; ip xfrm policy flush; " +
                "ip rule del from 10.0.0.0/24 || true");
            Await.until("the end of " + filter, () -> kinds().isEmpty() && isForwarding(0, "forwarding"));
            lab.assertPings(3);
        }
    }

    @Test
    void shouldBypassAFilterAfterAReload() throws IOException
    {
        lab.start();
        lab.shell("nft add table ip g; nft add chain ip g c '{ type filter hook forward priority 0; policy drop; }'");
        Await.until("the chain", () -> kinds().contains("netfilter"));
        assertTrue(lab.pingsInVain());

        Files.writeString(
            Path.of(lab.ask("reload").path("file").asText()), lab.config("firewall = \"bypass\""));
        assertEquals("control", lab.ask("reload").path("changes").get(0).path("subject").asText());
        assertEquals(1, lab.ask("host").path("bypassed").asInt());
        lab.assertPings(3);
    }

    @Test
    void shouldStartBesideIpsecAndABridgingMacvlanAndNameThem()
    {
        // Otherwise r0 answers ARP for the address of vr1 too.
        lab.router().sysctl("ipv4.conf.all.arp_ignore", "1");
        lab.shell("ip xfrm policy add src 10.0.0.0/24 dst 10.0.1.0/24 dir fwd action block; " +
            "ip link add vr1 link r0 address 00:00:5e:00:01:01 type macvlan mode bridge; ip link set vr1 up; " +
            "ip address add 10.0.0.254/32 dev vr1");
        lab.start();
        assertTrue(lab.pingsInVain(), "as without the router");
        assertEquals(List.of("ipsec", "upper-interface"), kinds());
        final JsonNode rows = lab.ask("host").path("restrictions");
        assertEquals("IPsec policies of direction fwd for IPv4 packets of some prefixes",
            rows.get(0).path("restriction").asText());
        assertEquals("ip xfrm policy list dir fwd", rows.get(0).path("command").asText());
        assertEquals("macvlan vr1 on r0, a bridge by which the kernel sends",
            rows.get(1).path("restriction").asText());
        lab.shell("ip xfrm policy flush");
        Await.until("no policy", () -> kinds().equals(List.of("upper-interface")));
        lab.assertPings(3);

        lab.left().run("ip", "route", "replace", "default", "via", "10.0.0.254");
        lab.left().run("ping", "-n", "-q", "-c", "1", "-W", "20", "10.0.1.2");
        final long received = rxFrames();
        lab.assertPings(3);
        assertEquals(received + 3, rxFrames(), "forwarded by the router");
        lab.shell("ip link del vr1");
        Await.until("no macvlan", () -> kinds().isEmpty());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "tc qdisc add dev r1 root tbf rate 10mbit burst 32k latency 50ms | queueing discipline of r1: tbf: " +
            "| set firewall = \"bypass\" in [router] of ",
        "ip link add br0 type bridge; ip link set r0 master br0 | r0 is in the bridge br0: | take another port for "})
    void shouldRefuseToStartBeside(final String commands, final String named, final String remedy)
    {
        lab.shell(commands);
        final String message = assertThrows(UserException.class, () -> lab.start()).getMessage();
        assertTrue(message.contains(named) && message.contains(remedy), message);
        assertFalse(lab.hasProgram("r0"));
    }

    private void assertForwardsBoth()
    {
        Await.until("forwarding of both families", () ->
            isForwarding(0, "forwarding") && isForwarding(1, "forwarding") &&
            isForwarding(0, "ipv6Forwarding") && isForwarding(1, "ipv6Forwarding"));
        Await.until("answers of both families by the router", () ->
        {
            final long before = rxFrames();
            return answers(lab, BOTH_ANSWERED).equals(BOTH_ANSWERED) && rxFrames() >= before + 10;
        });
    }

    private void assertForwarding(final String left)
    {
        if (left.contains(".") || left.contains(":"))
        {
            assertLeftByAddress(left);
            return;
        }
        final boolean isDevice = LEFT_LEFT.equals(left) || RIGHT_LEFT.equals(left);
        final int port = RIGHT_LEFT.equals(left) ? 1 : 0;
        assertEquals(IPV6_LEFT.equals(left), isForwarding(port, "forwarding"), left);
        assertEquals(IPV4_LEFT.equals(left), isForwarding(port, "ipv6Forwarding"), left);
        assertEquals(IPV6_LEFT.equals(left) || isDevice, isForwarding(1 - port, "forwarding"), left);
        assertEquals(IPV4_LEFT.equals(left) || isDevice, isForwarding(1 - port, "ipv6Forwarding"), left);
    }

    /** Both ports forward both families, except frames to an address or, with a policy for sources, from it. */
    private void assertLeftByAddress(final String address)
    {
        for (int port = 0; port < 2; port++)
        {
            assertTrue(isForwarding(port, "forwarding") && isForwarding(port, "ipv6Forwarding"), address);
            assertEquals(IPV4_SOURCE.equals(address) ? "policy" : "off",
                lab.port(port).path("reversePath").asText());
        }
        assertEquals("punt", lab.lookup(address).path("kind").asText());
        lab.assertVerified();
    }

    private boolean isForwarding(final int port, final String family)
    {
        return "router".equals(lab.port(port).path(family).asText());
    }

    private long rxFrames()
    {
        return lab.port(0).path("rxFrames").asLong();
    }

    private void assertAnswersOfTheKernel(final String restriction)
    {
        final List<Boolean> byKernel = BY_KERNEL.get(restriction);
        assertEquals(byKernel, answers(lab, byKernel), restriction);
    }

    /**
     * Sends five echo requests of each family from the left; yields whether all were answered, IPv4 first. Waits longer
     * for the answers that are expected.
     */
    private static List<Boolean> answers(final RouterLifeLab lab, final List<Boolean> expected)
    {
        final String answered = lab.left().run("sh", "-c",
            ping("10.0.1.2", expected.get(0)) + ping(RouterLifeLab.RIGHT_IPV6, expected.get(1)) + "wait");
        return List.of(answered.contains("10.0.1.2"), answered.contains(RouterLifeLab.RIGHT_IPV6));
    }

    private static String ping(final String address, final boolean isExpected)
    {
        return "ping -n -q -c 5 -s 1000 -i 0.05 -W " + (isExpected ? PATIENCE : WAIT_FOR_NONE) + " " + address +
            " | grep -q ' 5 received' && echo " + address + " & ";
    }

    private List<String> kinds()
    {
        return lab.ask("host").path("restrictions").findValuesAsText("kind");
    }
}
