package org.fibnuma.binding.netfilter;

import org.fibnuma.core.Require;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.core.wire.IpProtocol;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rulesets as nft and iptables load them into the kernel, and how they are classified. */
@Timeout(60)
class PacketFiltersSystemTest
{
    private static final String ESTABLISHED = "ct state established,related accept\n";
    private static final String FORWARD = "nftables table inet fw, chain f (hook forward, policy drop)";

    private static final String DOCKER = "*nat\n:PREROUTING ACCEPT [0:0]\n:POSTROUTING ACCEPT [0:0]\n" +
        ":DOCKER - [0:0]\n-A PREROUTING -m addrtype --dst-type LOCAL -j DOCKER\n" +
        "-A POSTROUTING -s 172.17.0.0/16 ! -o docker0 -j MASQUERADE\n-A DOCKER -i docker0 -j RETURN\n" +
        "-A DOCKER ! -i docker0 -p tcp -m tcp --dport 80 -j DNAT --to-destination 172.17.0.2:80\nCOMMIT\n" +
        "*filter\n:FORWARD DROP [0:0]\n:DOCKER - [0:0]\n:DOCKER-ISOLATION-STAGE-1 - [0:0]\n" +
        ":DOCKER-ISOLATION-STAGE-2 - [0:0]\n:DOCKER-USER - [0:0]\n-A FORWARD -j DOCKER-USER\n" +
        "-A FORWARD -j DOCKER-ISOLATION-STAGE-1\n" +
        "-A FORWARD -o docker0 -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT\n" +
        "-A FORWARD -o docker0 -j DOCKER\n-A FORWARD -i docker0 ! -o docker0 -j ACCEPT\n" +
        "-A FORWARD -i docker0 -o docker0 -j ACCEPT\n" +
        "-A DOCKER -d 172.17.0.2/32 ! -i docker0 -o docker0 -p tcp -m tcp --dport 80 -j ACCEPT\n" +
        "-A DOCKER-ISOLATION-STAGE-1 -i docker0 ! -o docker0 -j DOCKER-ISOLATION-STAGE-2\n" +
        "-A DOCKER-ISOLATION-STAGE-1 -j RETURN\n-A DOCKER-ISOLATION-STAGE-2 -o docker0 -j DROP\n" +
        "-A DOCKER-ISOLATION-STAGE-2 -j RETURN\n-A DOCKER-USER -j RETURN\nCOMMIT\n";

    @AutoClose
    private final FilterNamespace namespace = new FilterNamespace();

    /** Rules that established connections do not meet, or whose decision is the same for all their packets. */
    @ParameterizedTest
    @ValueSource(strings = {
        "ct state established,related accept; ct state new limit rate 3/second log prefix \"new \" accept",
        "ct state { established, related } accept; limit rate 3/second accept",
        "ct state vmap { established : accept, related : accept, invalid : drop }; meta length 100 drop",
        "ct state established accept; ip ttl 1 drop",
        "ct state != established counter drop; ip saddr 10.0.0.0/8 accept",
        "ct state invalid log prefix \"invalid \" drop; iifname eth0 oifname eth1 accept",
        "ct state new limit rate 3/second accept; tcp dport { 22, 80 } accept",
        "tcp flags & (fin|syn|rst|ack) == syn limit rate 3/second accept; accept",
        "tcp flags & (fin|syn|rst|ack) != syn ct state new drop; accept",
        "tcp flags syn tcp option maxseg size set rt mtu; accept",
        "tcp flags & (fin|syn) == (fin|syn) drop; tcp flags & (fin|syn|rst|psh|ack|urg) == 0x0 drop; accept",
        "ip frag-off & 0x1fff != 0 drop; exthdr frag exists drop; accept",
        "meta l4proto { esp, igmp } limit rate 3/second accept; accept",
        "icmp type { echo-request, redirect } accept; icmpv6 type echo-reply accept; accept",
        "sctp dport 80 accept; meta l4proto dccp limit rate 3/second accept; accept",
        "fib saddr . mark . iif oif missing drop; fib daddr type local drop; accept",
        "ip saddr . tcp dport { 10.0.0.1 . 22, 10.0.0.2 . 80 } counter accept; reject",
        "ct mark set 5; ct status dnat accept; meta mark 5 accept; ct direction original accept",
        "jump every; log"})
    void shouldLetConnectionsBeThatAreDecidedOnce(final String rules)
    {
        load(rules);
        assertEquals(List.of("NETFILTER " + FORWARD), texts());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "limit rate 3/second accept | limit",
        "limit rate 3/second ct state new accept | limit",
        "ct state new accept; limit rate 3/second accept | limit",
        "iifname eth0 ct state established accept; log | log",
        "quota over 10 mbytes drop | quota",
        "ct count over 20 drop | connlimit",
        "numgen random mod 10 0 drop | numgen",
        "meta length 100 drop | meta length",
        "meta mark set 1 | meta mark set",
        "meta mark set ct mark | meta mark set",
        "meta cpu 1 drop | meta cpu",
        "meta hour >= \"08:00\" drop | meta hour",
        "ether saddr 00:00:00:00:00:01 drop | bytes 6 to 11 of the link-layer header",
        "ct bytes > 100 drop | ct bytes",
        "ct packets > 20 accept | ct packets",
        "ct label 5 accept | ct label (labels in use)",
        "ct label set 5 | ct label (labels in use) set",
        "counter name seen | a named counter",
        "quota name spent drop | a named quota"})
    void shouldFindWhatActsOnSinglePackets(final String rules, final String expression)
    {
        load(rules);
        final List<HostRestriction> found = read();
        assertEquals(1, found.size());
        assertEquals(HostRestriction.Kind.NETFILTER_PACKET, found.get(0).kind());
        assertEquals(FORWARD + ": " + expression + " in rule N",
            found.get(0).text().replaceAll("rule \\d+", "rule N"));
        assertEquals("nft -a list chain inet fw f", found.get(0).command());
    }

    /** A rule that acts on single packets of some protocols or of one family keeps only these. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "ip ttl 1 drop | 'byte 8 of the network header in rule N, for IPv4'",
        "ip dscp set cs1 | 'a write to bytes 0 to 1 of the network header in rule N, for IPv4'",
        "ip6 hoplimit 1 drop | 'byte 7 of the network header in rule N, for IPv6'",
        "tcp flags psh drop | 'tcp flags in rule N, for tcp'",
        "tcp sequence 5 drop | 'bytes 4 to 7 of the transport header in rule N, for tcp'",
        "tcp option maxseg size set 1200 | 'tcp option set in rule N, for tcp'",
        "udp dport 53 @th,104,8 & 2 == 2 drop | 'byte 13 of the transport header in rule N, for udp'",
        "udplite dport 53 limit rate 3/second accept | 'limit in rule N, for udplite'",
        "sctp chunk init exists drop | 'sctp chunk in rule N, for sctp'",
        "icmp type echo-request limit rate 3/second accept | 'limit in rule N, for icmp over IPv4'",
        "meta l4proto { icmp, ipv6-icmp } limit rate 3/second accept | 'limit in rule N, for icmp, icmpv6'",
        "ip protocol icmp limit rate 3/second accept; accept | 'limit in rule N, for icmp over IPv4'",
        "icmp sequence 7 drop | 'bytes 6 to 7 of the transport header in rule N, for icmp over IPv4'",
        "meta l4proto { tcp, udp } accept; log | 'log in rule N, for icmp, icmpv6, sctp, udplite'",
        "ct mark set ip dscp map { 1 : 5 } | 'byte 1 of the network header in rule N, for IPv4'",
        "jhash ip saddr mod 2 0 drop | 'hash in rule N, for IPv4'",
        "ip saddr @timed drop | 'set timed, with timeouts in rule N, for IPv4'",
        "add @grown { ip saddr limit rate 3/second } accept | 'dynset in rule N, for IPv4'",
        "ip saddr @watched drop | 'set watched with statements in rule N, for IPv4'"})
    void shouldFindWhatActsOnSinglePacketsOfSomeProtocols(final String rules, final String finding)
    {
        load(rules);
        assertEquals(
            List.of("NETFILTER " + FORWARD, "NETFILTER_PACKET " + FORWARD + ": " + finding), texts());
    }

    @Test
    void shouldNameTheRuleOfEachProtocol()
    {
        load("udp dport 9 limit rate 3/second accept; meta l4proto tcp log; meta nfproto ipv6 log");
        assertEquals(List.of("NETFILTER " + FORWARD,
            "NETFILTER_PACKET " + FORWARD + ": log in rule N, for tcp",
            "NETFILTER_PACKET " + FORWARD + ": limit in rule N, for udp",
            "NETFILTER_PACKET " + FORWARD + ": log in rule N, for icmpv6, sctp, udplite over IPv6"), texts());
        final HostRestriction.Scope tcp = read().get(1).scope();
        assertTrue(tcp.includes(false, IpProtocol.TCP) && tcp.includes(true, IpProtocol.TCP));
        assertFalse(tcp.includes(false, IpProtocol.UDP));
    }

    @Test
    void shouldNameTheRuleOfAChainThatIsJumpedTo()
    {
        load("iifname eth0 jump some; " + ESTABLISHED);
        assertEquals(List.of("NETFILTER_PACKET " + FORWARD + ": meta length in rule N of chain some"), texts());
        assertEquals("nft -a list chain inet fw some", read().get(0).command());
        load("iifname vmap { eth0 : accept, eth1 : goto some }");
        assertEquals(List.of("NETFILTER_PACKET " + FORWARD + ": meta length in rule N of chain some"), texts());
        load("ct state vmap { new : jump some, established : jump every }");
        assertEquals(List.of("NETFILTER " + FORWARD), texts());
        load("goto every; log");
        assertEquals(List.of("NETFILTER " + FORWARD), texts());
        load("jump none; log");
        assertEquals(HostRestriction.Kind.NETFILTER_PACKET, read().get(0).kind());
        load("goto none; log");
        assertEquals(List.of("NETFILTER " + FORWARD), texts());
    }

    @Test
    void shouldLetHelpersOfNewConnectionsBe()
    {
        namespace.nft("table inet fw {\nct timeout short { protocol tcp; policy = { established : 100 }; }\n" +
            "chain f { type filter hook forward priority 0; policy drop\n" +
            "ct timeout set \"short\"\n" + ESTABLISHED + "}\n}");
        assertEquals(List.of("NETFILTER " + FORWARD), texts());
    }

    /** A chain that cannot drop or change a packet is no restriction, as before. */
    @Test
    void shouldNotReportAChainThatOnlyLooks()
    {
        namespace.nft("table ip see { chain f { type filter hook forward priority 0\nlog\nct label 5 counter\n}\n}");
        assertEquals(List.of(), texts());
    }

    @Test
    void shouldTakeNatForFirstPacketsAndDevicesForEachPacket()
    {
        namespace.nft("table ip n { chain p { type nat hook postrouting priority srcnat\n" +
            "limit rate 3/second masquerade\n}\n}\n" +
            "table ip m { chain p { type filter hook prerouting priority raw\ndup to 10.0.0.1\n}\n}\n" +
            "table netdev d { chain i { type filter hook ingress device lo priority 0; policy drop; }\n}");
        assertEquals(List.of("NETFILTER nftables table ip n, chain p (hook postrouting)",
            "NETFILTER_PACKET nftables table ip m, chain p (hook prerouting): dup in rule N",
            "NETFILTER_PACKET nftables table netdev d, chain i (hook ingress, policy drop)"),
            read(Map.of("lo", 1)).stream().map(PacketFiltersSystemTest::text)
            .map(text -> text.replaceAll("rule \\d+", "rule N")).toList());
    }

    /** As dockerd of version 24 sets them on a host with a bridge and one published port. */
    @Test
    void shouldLetConnectionsOfDockerBe()
    {
        Require.program("iptables-nft", "iptables");
        namespace.run(DOCKER, "iptables-nft-restore");
        assertEquals(List.of("NETFILTER nftables table ip filter, chain FORWARD (hook forward, policy drop)",
            "NETFILTER nftables table ip nat, chain POSTROUTING (hook postrouting)",
            "NETFILTER nftables table ip nat, chain PREROUTING (hook prerouting)"),
            texts().stream().sorted().toList());
    }

    @Test
    void shouldReadLegacyTables()
    {
        Require.program("iptables-legacy", "iptables");
        namespace.run(DOCKER, "iptables-legacy-restore");
        assertEquals(List.of("NETFILTER legacy iptables table ip filter, chain FORWARD",
            "NETFILTER legacy iptables table ip nat, chain POSTROUTING",
            "NETFILTER legacy iptables table ip nat, chain PREROUTING"),
            legacy().stream().map(PacketFiltersSystemTest::text).sorted().toList());
        namespace.run("", "iptables-legacy", "-I", "DOCKER-USER", "-p", "udp", "-m", "limit", "-j", "ACCEPT");
        final HostRestriction found = legacy().stream()
            .filter(restriction -> restriction.kind() == HostRestriction.Kind.NETFILTER_PACKET).findAny().orElseThrow();
        assertEquals("legacy iptables table ip filter, chain FORWARD: -m limit in rule 1 of chain DOCKER-USER, for udp",
            found.text());
        assertEquals("iptables-legacy -t filter -S DOCKER-USER", found.command());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "-m conntrack --ctstate ESTABLISHED -j ACCEPT; -m limit -j DROP | -",
        "-m state --state NEW -m limit -j ACCEPT; -j REJECT | -",
        "-p tcp --tcp-flags SYN,RST SYN -j TCPMSS --clamp-mss-to-pmtu; -j DROP | -",
        "-p icmp --icmp-type echo-request -j DROP; -p esp -m limit -j DROP; -f -m ttl --ttl-eq 1 -j DROP | -",
        "-m multiport -p tcp --dports 1,2 -j DROP; -p sctp --dport 3 -j DROP | -",
        "-m conntrack ! --ctstate ESTABLISHED -m limit -j DROP; -m conntrack --ctstate DNAT -j DROP | -",
        "-m mark --mark 4 -j DROP; -j CONNMARK --set-mark 1; -p udp --dport 5; -m comment --comment x -j DROP | -",
        "-j DROP; -m ttl --ttl-eq 1 -j DROP | -",
        "-m ttl --ttl-eq 1 -j DROP | -m ttl in rule 1",
        "-p udp; -m limit -j DROP | -m limit in rule 2",
        "-p tcp -j TCPMSS --set-mss 5 --tcp-flags SYN SYN; -j DROP | -",
        "-j LOG; -j DROP | -j LOG in rule 1",
        "-j NFQUEUE; -j DROP | -j NFQUEUE in rule 1",
        "-j CONNMARK --restore-mark; -j DROP | -j CONNMARK in rule 1",
        "-m statistic --mode random --probability 0.5 -j DROP | -m statistic in rule 1"})
    void shouldWalkLegacyChains(final String rules, final String found)
    {
        appendLegacy(rules);
        if (found == null)
        {
            namespace.run("", "ip6tables-legacy", "-P", "FORWARD", "DROP");
        }
        assertEquals(found == null ? List.of("NETFILTER legacy iptables table ip filter, chain FORWARD",
            "NETFILTER legacy ip6tables table ip6 filter, chain FORWARD") :
            List.of("NETFILTER_PACKET legacy iptables table ip filter, chain FORWARD: " + found),
            legacy().stream().map(PacketFiltersSystemTest::text).toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "-p tcp --tcp-flags PSH PSH -j DROP | '-m tcp in rule 1, for tcp'",
        "-p tcp --tcp-option 5 -j DROP | '-m tcp in rule 1, for tcp'",
        "-p sctp --chunk-types any INIT -j DROP | '-m sctp in rule 1, for sctp'",
        "-p sctp --dport 5 -j DROP; -p icmp -m limit -j DROP | '-m limit in rule 2, for icmp'",
        "! -p udplite -j ACCEPT; -j LOG | '-j LOG in rule 2, for udplite'"})
    void shouldWalkLegacyChainsByProtocol(final String rules, final String found)
    {
        appendLegacy(rules);
        namespace.run("", "iptables-legacy", "-P", "FORWARD", "DROP");
        assertEquals(List.of("NETFILTER legacy iptables table ip filter, chain FORWARD",
            "NETFILTER_PACKET legacy iptables table ip filter, chain FORWARD: " + found),
            legacy().stream().map(PacketFiltersSystemTest::text).toList());
    }

    @Test
    void shouldWalkLegacyChainsOfIpv6()
    {
        Require.program("ip6tables-legacy", "iptables");
        namespace.run("*filter\n:FORWARD DROP [0:0]\n:u - [0:0]\n-A FORWARD -p icmpv6 -m limit -j ACCEPT\n" +
            "-A FORWARD -i eth0 -g u\n-A u -m conntrack --ctstate NEW -j LOG\n-A u -s ::1 -m hl --hl-eq 5 -j DROP\n" +
            "COMMIT\n", "ip6tables-legacy-restore");
        final String chain = "legacy ip6tables table ip6 filter, chain FORWARD";
        assertEquals(List.of("NETFILTER " + chain,
            "NETFILTER_PACKET " + chain + ": -m hl in rule 2 of chain u, for tcp, udp, sctp, udplite",
            "NETFILTER_PACKET " + chain + ": -m limit in rule 1, for icmpv6"),
            legacy().stream().map(PacketFiltersSystemTest::text).toList());
    }

    /** Shape of firewalld 1.3 with its default zone: priorities, chains for each zone, invalid packets, rpfilter. */
    @Test
    void shouldLetConnectionsOfFirewalldBe()
    {
        namespace.nft("table inet firewalld {\n" +
            "chain mangle_PREROUTING { type filter hook prerouting priority mangle + 10; policy accept\n" +
            "jump mangle_PREROUTING_ZONES\n}\n" +
            "chain mangle_PREROUTING_ZONES {\ngoto mangle_PRE_public\n}\nchain mangle_PRE_public {\n}\n" +
            "chain filter_PREROUTING { type filter hook prerouting priority filter + 10; policy accept\n" +
            "icmpv6 type { nd-router-advert, nd-neighbor-solicit } accept\n" +
            "meta nfproto ipv6 fib saddr . mark . iif oif missing drop\n}\n" +
            "chain filter_FORWARD { type filter hook forward priority filter + 10; policy accept\n" +
            "ct state { established, related } accept\nct status dnat accept\niifname \"lo\" accept\n" +
            "ct state invalid drop\n" +
            "ip6 daddr { ::/96, 2002::/24 } log prefix \"RFC3964_IPv4_REJECT: \" reject\n" +
            "jump filter_FORWARD_ZONES\nreject with icmpx admin-prohibited\n}\n" +
            "chain filter_FORWARD_ZONES {\nlog prefix \"x\"\n}\n}");
        assertEquals(List.of(
            "NETFILTER nftables table inet firewalld, chain filter_FORWARD (hook forward)",
            "NETFILTER nftables table inet firewalld, chain filter_PREROUTING (hook prerouting)"),
            texts().stream().sorted().toList());
    }

    /** Shape of ufw's forward chains, of iptables-nft: before-rules accept established connections before any log. */
    @Test
    void shouldLetConnectionsOfUfwBe()
    {
        Require.program("iptables-nft", "iptables");
        namespace.run("*filter\n:FORWARD DROP [0:0]\n:ufw-before-logging-forward - [0:0]\n" +
            ":ufw-before-forward - [0:0]\n:ufw-after-logging-forward - [0:0]\n" +
            "-A FORWARD -j ufw-before-logging-forward\n-A FORWARD -j ufw-before-forward\n" +
            "-A FORWARD -j ufw-after-logging-forward\n" +
            "-A ufw-before-forward -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT\n" +
            "-A ufw-before-forward -p icmp --icmp-type 3 -j ACCEPT\n" +
            "-A ufw-after-logging-forward -m limit --limit 3/min -j LOG " +
            "--log-prefix \"[UFW BLOCK] \"\nCOMMIT\n", "iptables-nft-restore");
        assertEquals(List.of("NETFILTER nftables table ip filter, chain FORWARD (hook forward, policy drop)"), texts());
        namespace.run("", "iptables-nft", "-A", "ufw-before-logging-forward", "-m", "conntrack", "--ctstate",
            "NEW", "-m", "limit", "-j", "LOG");
        assertEquals(List.of("NETFILTER nftables table ip filter, chain FORWARD (hook forward, policy drop)"), texts());
        namespace.run("", "iptables-nft", "-A", "ufw-before-logging-forward", "-j", "LOG");
        assertEquals(HostRestriction.Kind.NETFILTER_PACKET, read().get(0).kind());
    }

    /** Shape of kube-proxy's filter rules in iptables mode: only its NAT rules set the mark. */
    @Test
    void shouldLetConnectionsOfKubernetesBe()
    {
        Require.program("iptables-nft", "iptables");
        namespace.run("*filter\n:FORWARD ACCEPT [0:0]\n:KUBE-FORWARD - [0:0]\n:KUBE-SERVICES - [0:0]\n" +
            "-A FORWARD -m comment --comment \"kubernetes forwarding rules\" -j KUBE-FORWARD\n" +
            "-A FORWARD -m conntrack --ctstate NEW -j KUBE-SERVICES\n" +
            "-A KUBE-FORWARD -m conntrack --ctstate INVALID -j DROP\n" +
            "-A KUBE-FORWARD -m mark --mark 0x4000/0x4000 -j ACCEPT\n" +
            "-A KUBE-FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT\nCOMMIT\n",
            "iptables-nft-restore");
        assertEquals(List.of("NETFILTER nftables table ip filter, chain FORWARD (hook forward)"), texts());
    }

    /** Loads rules, separated by semicolons, into the chain, beside sets and chains for them. */
    private void load(final String rules)
    {
        namespace.nft("flush ruleset\ntable inet fw {\n" +
            "set timed { type ipv4_addr; flags timeout; }\nset grown { type ipv4_addr; flags dynamic; }\n" +
            "set watched { type ipv4_addr; counter; }\ncounter seen { }\nquota spent { over 10 mbytes }\n" +
            "chain none {\nip saddr 10.0.0.9 drop\n}\n" +
            "chain every {\nct state established accept\n}\nchain some {\nmeta length 9 drop\n}\n" +
            "chain f { type filter hook forward priority 0; policy drop\n" + rules.replace("; ", "\n") + "\n}\n}");
    }

    private List<HostRestriction> read()
    {
        return read(Map.of());
    }

    private List<HostRestriction> read(final Map<String, Integer> devicesByName)
    {
        try (PacketFilters filters = namespace.call(() -> PacketFilters.open(true)))
        {
            return filters.nftables(devicesByName, devicesByName.keySet());
        }
    }

    /** Kinds and texts with N for the handles of rules, which the kernel counts. */
    private List<String> texts()
    {
        return read().stream().map(PacketFiltersSystemTest::text)
            .map(text -> text.replaceAll("rule \\d+", "rule N")).toList();
    }

    /** Appends rules, separated by semicolons, to the chain of forwarded packets. */
    private void appendLegacy(final String rules)
    {
        Require.program("iptables-legacy", "iptables");
        for (final String rule : rules.split("; "))
        {
            namespace.run("", ("iptables-legacy -A FORWARD " + rule).split(" "));
        }
    }

    private List<HostRestriction> legacy()
    {
        try (PacketFilters filters = namespace.call(() -> PacketFilters.open(true)))
        {
            return namespace.call(filters::legacyIptables);
        }
    }

    private static String text(final HostRestriction restriction)
    {
        return restriction.kind() + " " + restriction.text();
    }
}
