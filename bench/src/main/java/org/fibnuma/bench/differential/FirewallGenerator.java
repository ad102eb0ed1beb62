package org.fibnuma.bench.differential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Draws rulesets of a machine that forwards between {@link #HOSTS} hosts of each link, and changes of them. A command
 * may fail, in both labs.
 */
final class FirewallGenerator
{
    /** Number of hosts of each link, from {@link Neighbors#FIRST} on. */
    static final int HOSTS = 4;
    static final int[] PORTS = {53, 80, 443, 5000, 5001, 5002};
    /** Port of the machine that may be translated to those of hosts. */
    static final int TRANSLATED_PORT = 8080;
    /** Openers have ports from here on, and no program of the machine has. */
    static final int FIRST_PORT = 20_000;

    /** Most openers of a round. */
    private static final int MOST_OPENERS = 1000;
    private static final int TRANSLATED_HOST = 77;
    private static final String DELETE_NTH = "nft delete rule inet fw %1$s handle " +
        "$(nft -a list chain inet fw %1$s | sed -n 's/.* # handle //p' | sed -n %2$dp)";
    /**
     * What the machine answers to ports of openers would become connections of its own. Without a rule that can drop
     * packets of a family the router forwards them all, and conntrack has no connections when such a rule comes.
     */
    private static final String ALWAYS = "nft 'table inet lab { " +
        "chain in { type filter hook input priority 0; th dport >= " + FIRST_PORT + " drop; }; " +
        "chain through { type filter hook forward priority -5; ct state established counter; " +
        "ip saddr 192.0.2.1 drop; ip6 saddr 2001:db8::1 drop; }; }'";
    private static final String FORGET = "conntrack -F";
    private static final String[] CHAINS = {"pre", "fwd", "post", "extra", "more"};
    private static final String[] ESTABLISHED = {"ct state established,related accept",
        "ct state established,related accept", "ct state { established, related } counter accept",
        "ct state vmap { established : accept, related : accept, invalid : drop }",
        "ct state vmap { established : jump extra, related : accept }", "ct direction reply accept",
        "ct status assured accept", "meta l4proto { tcp, udp, icmp, ipv6-icmp } ct state != new accept",
        "meta nfproto ipv4 ct state established accept"};
    private static final String[] MATCHES = {"ct state new", "ct state established", "ct state invalid",
        "ct direction original", "ct direction reply", "ct status dnat", "ct status snat", "meta l4proto tcp",
        "meta l4proto udp", "meta nfproto ipv6", "th dport @ports", "th sport @ports", "th dport 5000-5001",
        "tcp dport { 80, 443 }", "udp dport != 53", "ip saddr @hosts", "ip daddr @hosts", "ip6 saddr @hosts6",
        "ip6 daddr @hosts6", "iifname @links", "oifname @links", "ip daddr . th dport @pairs", "ct mark 0",
        "ct original proto-dst 80", "ct mark != 0", "meta mark 0", "tcp flags syn / fin,syn,rst,ack",
        "fib daddr type unicast", "meta pkttype host"};
    private static final String[] ON_SINGLE_PACKETS = {"limit rate over 1000000/second burst 100000 packets drop",
        "quota over 500 mbytes drop", "ip ttl < 3 drop", "ip6 hoplimit < 3 drop", "meta length > 900 drop",
        "ip length > 700 drop", "ip6 length > 700 drop", "udp length > 600 drop", "ip dscp cs1 drop",
        "ip6 dscp cs1 drop", "tcp flags & (fin|syn|rst|ack) == 0 drop", "tcp flags & (psh|ack) == psh|ack accept",
        "tcp flags & urg == urg drop", "ip frag-off & 0x1fff != 0 drop", "udp checksum 0 drop", "ip id < 999 drop",
        "meta mark set 0x1", "ct mark set 0x1", "ct state new ct mark set 0x2", "ct state new limit rate 900/second",
        "tcp window < 100 drop", "@th,160,8 0x41 drop", "ip ttl set 33", "ip dscp set cs3", "ip6 hoplimit set 44",
        "tcp option maxseg size set 1000", "fib saddr . iif oif missing drop", "tcp doff > 5 drop",
        "update @seen { ip saddr timeout 1h }", "ct packets > 20 drop", "ct expiration < 1s drop",
        "th dport 5002 notrack", "ip version 4 ip hdrlength > 5 drop", "tcp flags fin / fin accept",
        "ct label set 3", "numgen inc mod 1 0 accept", "tcp urgptr != 0 drop", "tcp flags ! syn drop"};
    private static final String[] LEGACY = {"-s 10.0.%d.0/24 -j DROP", "-i r%d -p udp -j DROP",
        "-o r%d -p tcp --dport 80 -j REJECT --reject-with tcp-reset", "-o r%d -m ttl --ttl-lt 3 -j DROP",
        "-i r%d -m length --length 900:65535 -j DROP", "-i r%d -m conntrack --ctstate ESTABLISHED -j ACCEPT",
        "-d 10.0.%d.0/24 -m state --state NEW -j DROP", "-i r%d -m multiport -p tcp --dports 80,443 -j ACCEPT",
        "-i r%d -m dscp --dscp 0x08 -j DROP", "-i r%d -m mark --mark 0 -j ACCEPT"};

    private final Random random;

    FirewallGenerator(final Random random)
    {
        this.random = random;
    }

    /** Returns whether hosts or rules have a port; the kernel draws others if two connections would have the same. */
    static boolean isPort(final int port)
    {
        return port >= FIRST_PORT && port < FIRST_PORT + MOST_OPENERS || port == TRANSLATED_PORT ||
            Arrays.stream(PORTS).anyMatch(each -> each == port);
    }

    /** Returns commands that make the machine a router without rules. */
    static List<String> machine()
    {
        final List<String> commands = new ArrayList<>();
        commands.add("cd /proc/sys/net/netfilter && for name in *timeout*; do echo 3600 >$name; done");
        commands.add("for name in /proc/sys/net/ipv4/conf/*; do echo 0 >$name/rp_filter; " +
            "echo 0 >$name/send_redirects; done");
        // Flow labels of what the kernel writes would be drawn.
        commands.add("echo 0 >/proc/sys/net/ipv6/auto_flowlabels");
        for (int link = 0; link < Lab.LINKS; link++)
        {
            final String device = Lab.device(link);
            commands.add("ethtool -K " + Lab.cable(link) + " tx off");
            commands.add("ip address add " + Neighbors.ipv4(link, Neighbors.MACHINE) + "/24 dev " + device);
            commands.add("ip address add " + Neighbors.ipv6(link, Neighbors.MACHINE) + "/64 dev " + device);
            for (int host = Neighbors.FIRST; host < Neighbors.FIRST + HOSTS; host++)
            {
                final String how = " lladdr " + Neighbors.macText(link, host) + " dev " + device + " nud permanent";
                commands.add("ip neighbor replace " + Neighbors.ipv4(link, host) + how);
                commands.add("ip neighbor replace " + Neighbors.ipv6(link, host) + how);
            }
        }
        return commands;
    }

    /** Returns all source addresses of packets, also translated ones, in hexadecimal digits. */
    static Set<String> sources()
    {
        final Set<String> sources = new HashSet<>();
        for (int link = 0; link < Lab.LINKS; link++)
        {
            for (int host = Neighbors.MACHINE; host <= TRANSLATED_HOST; host++)
            {
                for (final String text : List.of(Neighbors.ipv4(link, host), Neighbors.ipv6(link, host)))
                {
                    final byte[] address = Prefix.parse(text).address();
                    sources.add(Outcome.address(address, 0, address.length));
                }
            }
        }
        return sources;
    }

    /** Draws a whole ruleset: one command for each rule, set and chain. */
    List<String> ruleset()
    {
        final List<String> commands = new ArrayList<>();
        commands.add(ALWAYS);
        commands.add("nft 'table inet fw { chain more { }; chain extra { }; " +
            "set hosts { type ipv4_addr; flags interval; }; set hosts6 { type ipv6_addr; flags interval; }; " +
            "set ports { type inet_service; }; set links { type ifname; }; " +
            "set pairs { type ipv4_addr . inet_service; }; map verdicts { type inet_service : verdict; }; " +
            "set seen { type ipv4_addr; flags dynamic, timeout; }; }'");
        for (final String set : List.of("hosts", "hosts6", "ports", "links", "pairs", "verdicts"))
        {
            commands.add(nft("add element inet fw " + set + " { " + element(set) + ", " + element(set) + " }"));
        }
        for (int i = random.nextInt(4); i > 0; i--)
        {
            commands.add(nft("add rule inet fw more " + rule(3)));
            commands.add(nft("add rule inet fw extra " + rule(4)));
        }
        chain(commands, "pre", "prerouting", "priority " + (chance(50) ? "filter" : chance(50) ? "raw" : "mangle"), 95);
        chain(commands, "fwd", "forward", "priority filter", 40);
        chain(commands, "post", "postrouting", "priority " + (chance(70) ? "filter" : "110"), 95);
        if (chance(75))
        {
            translation(commands);
        }
        if (chance(35))
        {
            final String chain = CHAINS[random.nextInt(CHAINS.length)];
            commands.add(nft((chance(50) ? "insert" : "add") + " rule inet fw " + chain + " " +
                ON_SINGLE_PACKETS[random.nextInt(ON_SINGLE_PACKETS.length)]));
        }
        if (chance(10))
        {
            commands.add(legacy("iptables-nft"));
        }
        return commands;
    }

    private void chain(
        final List<String> commands, final String name, final String hook, final String priority, final int accepting)
    {
        final boolean accepts = chance(accepting);
        commands.add(nft("add chain inet fw " + name + " { type filter hook " + hook + " " + priority + "; policy " +
            (accepts ? "accept" : "drop") + "; }"));
        final String add = "add rule inet fw " + name + " ";
        if (!"fwd".equals(name))
        {
            for (int i = random.nextInt(3); i > 0; i--)
            {
                commands.add(nft(add + rule(5)));
            }
            commands.add(nft(add + (chance(50) ? "accept" : "ct state established,related,new accept")));
            return;
        }
        if (chance(40))
        {
            commands.add(nft(add + "ct state invalid " + (chance(70) ? "drop" : "counter")));
        }
        for (int i = random.nextInt(3); i > 0; i--)
        {
            commands.add(nft(add + rule(5)));
        }
        if (chance(85))
        {
            commands.add(nft(add + ESTABLISHED[random.nextInt(ESTABLISHED.length)]));
        }
        for (int i = random.nextInt(4); i > 0; i--)
        {
            commands.add(nft(add + rule(5)));
        }
        commands.add(nft(add + (chance(60) ? "accept" : chance(50) ? "ct state new accept" :
            "iifname { r0, r1, r3 } accept")));
    }

    private void translation(final List<String> commands)
    {
        commands.add(nft("table inet nat { chain pre { type nat hook prerouting priority dstnat; }; " +
            "chain post { type nat hook postrouting priority srcnat; }; }"));
        for (int i = 1 + random.nextInt(3); i > 0; i--)
        {
            final int link = random.nextInt(Lab.LINKS);
            final int port = PORTS[random.nextInt(PORTS.length)];
            final String to = Neighbors.ipv4(link, host());
            final String to6 = "[" + Neighbors.ipv6(link, host()) + "]";
            final String where = chance(60) ? "iifname \"" + device() + "\" " : "";
            commands.add(nft("add rule inet nat pre " + where + switch (random.nextInt(5))
            {
                case 0 -> "tcp dport " + TRANSLATED_PORT + " dnat ip to " + to + ":" + port;
                case 1 -> "ip protocol udp udp dport " + TRANSLATED_PORT + " dnat ip to " + to + ":" + port;
                case 2 -> "meta l4proto { tcp, udp } th dport " + TRANSLATED_PORT + " dnat ip6 to " + to6 + ":" + port;
                case 3 -> "tcp dport 443 dnat ip to tcp dport map { 443 : " + to + " }";
                default -> "meta l4proto { tcp, udp } th dport " + TRANSLATED_PORT + " dnat ip to " + to + ":" + port;
            }));
        }
        for (int i = random.nextInt(4); i > 0; i--)
        {
            final int link = random.nextInt(Lab.LINKS);
            final String out = "oifname \"" + Lab.device(link) + "\" ";
            commands.add(nft("add rule inet nat post " + switch (random.nextInt(5))
            {
                case 0 -> out + "ip saddr " + Neighbors.ipv4(random.nextInt(Lab.LINKS), 0) + "/24 snat ip to " +
                    Neighbors.ipv4(link, TRANSLATED_HOST);
                case 1 -> out + "snat ip6 to " + Neighbors.ipv6(link, TRANSLATED_HOST);
                case 2 -> "ct status dnat masquerade";
                default -> out + "masquerade";
            }));
        }
    }

    /** Draws a rule; {@code targets} is 3 without another chain, 4 with a further one, 5 with both. */
    private String rule(final int targets)
    {
        final StringBuilder rule = new StringBuilder();
        for (int i = 1 + random.nextInt(2); i > 0; i--)
        {
            rule.append(MATCHES[random.nextInt(MATCHES.length)]).append(' ');
        }
        return rule + switch (random.nextInt(12))
        {
            case 0, 1, 2, 3 -> "accept";
            case 4 -> "drop";
            case 5 -> chance(50) ? "reject" : "meta l4proto tcp reject with tcp reset";
            case 6 -> "counter";
            case 7 -> "return";
            case 8 -> targets < 4 ? "accept" : "jump more";
            case 9 -> targets < 4 ? "counter accept" : "goto more";
            case 10 -> targets < 5 ? "counter" : "jump extra";
            default -> targets < 5 ? "accept" : "th dport vmap @verdicts";
        };
    }

    private String element(final String set)
    {
        final int link = random.nextInt(Lab.LINKS);
        final int port = PORTS[random.nextInt(PORTS.length)];
        return switch (set)
        {
            case "hosts" -> chance(50) ? Neighbors.ipv4(link, host()) : Neighbors.ipv4(link, 0) + "/24";
            case "hosts6" -> chance(50) ? Neighbors.ipv6(link, host()) : Neighbors.ipv6(link, 0) + "/64";
            case "ports" -> Integer.toString(port);
            case "links" -> "\"" + Lab.device(link) + "\"";
            case "pairs" -> Neighbors.ipv4(link, host()) + " . " + port;
            default -> port + " : " + (chance(50) ? "accept" : chance(50) ? "jump more" : "drop");
        };
    }

    /** Draws what changes a ruleset or the connections while they are used. */
    List<String> change()
    {
        final String chain = CHAINS[random.nextInt(CHAINS.length)];
        final String[] sets = {"hosts", "hosts6", "ports", "links", "pairs", "verdicts"};
        final String set = sets[random.nextInt(sets.length)];
        switch (random.nextInt(16))
        {
            case 0:
                return List.of(nft("insert rule inet fw " + chain + " " + rule(3)));
            case 1:
                return List.of(nft("insert rule inet fw " + (chance(50) ? "fwd " : "pre ") +
                    MATCHES[random.nextInt(MATCHES.length)] + " drop"));
            case 2:
                return List.of(nft("insert rule inet fw " + chain + " " +
                    ON_SINGLE_PACKETS[random.nextInt(ON_SINGLE_PACKETS.length)]));
            case 3, 4:
                // Line 1 is the chain itself.
                return List.of(String.format(DELETE_NTH, chain, 2 + random.nextInt(3)));
            case 5:
                return List.of(nft("flush chain inet fw " + chain));
            case 6, 7:
                return List.of(nft("add element inet fw " + set + " { " + element(set) + " }"));
            case 8:
                return List.of("nft flush set inet fw " + set + " || nft flush map inet fw " + set);
            case 9:
                return List.of(nft("add chain inet fw fwd { policy " + (chance(50) ? "drop" : "accept") + "; }"));
            case 10:
                return List.of("conntrack -D -p " + (chance(50) ? "tcp" : "udp") + " || true");
            case 11:
                return List.of(FORGET);
            case 12:
                return List.of(nft("delete table inet nat"), FORGET);
            case 13:
                return List.of(nft("table inet other { chain p { type filter hook prerouting priority -10; " +
                    MATCHES[random.nextInt(MATCHES.length)] + " drop; }; }"));
            case 14:
                return List.of(legacy(chance(50) ? "iptables-legacy" : "iptables-nft"));
            default:
                final List<String> commands = new ArrayList<>(List.of("nft flush ruleset"));
                commands.addAll(ruleset());
                return commands;
        }
    }

    /** Returns whether the router reads such a change once a second. */
    static boolean isPolled(final List<String> change)
    {
        return change.stream().anyMatch(command -> command.startsWith("iptables-legacy"));
    }

    private String legacy(final String program)
    {
        return program + " -I FORWARD " + String.format(
            LEGACY[random.nextInt(LEGACY.length)], random.nextInt(Lab.LINKS - 1));
    }

    private String device()
    {
        return Lab.device(random.nextInt(Lab.LINKS));
    }

    private int host()
    {
        return Neighbors.FIRST + random.nextInt(HOSTS);
    }

    private boolean chance(final int percent)
    {
        return random.nextInt(100) < percent;
    }

    private static String nft(final String rule)
    {
        return "nft '" + rule + "'";
    }
}
