package org.fibnuma.bench.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Draws the configuration of the machine's kernel: addresses, neighbours, routes of every kind in the main table and in
 * further ones, the rules that choose a table, and settings and policies of forwarded packets. Each command is one line
 * of a shell that does not depend on the others, so that any of them can be left out. Some commands fail, in both labs
 * alike.
 */
final class HostGenerator
{
    private static final int[] LENGTHS = {8, 14, 15, 16, 20, 22, 23, 24, 24, 24, 25, 26, 30, 31, 32, 32};
    private static final int[] IPV6_LENGTHS = {32, 33, 47, 48, 48, 56, 63, 64, 64, 65, 96, 126, 127, 128, 128};
    static final int LEAST_LINK_MTU = 1300;
    static final int LEAST_ROUTE_MTU = 68;
    private static final int[] MTUS = {1500, 1499, 1492, 1400, LEAST_LINK_MTU};
    /** None above that of a link: the kernel would send packets that are too long for the link. */
    private static final int[] ROUTE_MTUS = {1280, 1279, 1000, 576, 552, LEAST_ROUTE_MTU};
    private static final int[] IPV6_ROUTE_MTUS = {1280};
    private static final String[] MACVLAN_MODES = {"bridge", "private", "vepa", "passthru"};
    private static final String[] KINDS = {"blackhole", "unreachable", "prohibit", "throw"};
    /** Settings of an interface and of {@code all}, below {@code net/ipv4/conf}. */
    private static final String[] IPV4_SETTINGS = {
        "forwarding 0", "forwarding 1", "rp_filter 0", "rp_filter 1", "rp_filter 2", "shared_media 0",
        "send_redirects 0", "ignore_routes_with_linkdown 1", "disable_xfrm 1", "disable_policy 1", "proxy_arp 1"};
    private static final String[] IPV4_GLOBALS = {
        "icmp_errors_use_inbound_ifaddr 1", "icmp_errors_use_inbound_ifaddr 0", "ip_default_ttl 33",
        "fib_multipath_hash_policy 1", "fib_multipath_use_neigh 1", "ip_forward 0", "ip_forward 1",
        "icmp_echo_ignore_broadcasts 0", "icmp_ratemask 0"};
    private static final String[] IPV6_SETTINGS = {
        "mtu 1300", "mtu 1400", "mtu 1500", "accept_source_route 1", "disable_ipv6 1", "disable_ipv6 0",
        "force_forwarding 1", "drop_unicast_in_l2_multicast 1", "disable_policy 1", "forwarding 0"};
    private static final String[] IPV6_GLOBALS = {
        "conf/all/forwarding 0", "conf/all/forwarding 1", "fib_multipath_hash_policy 1", "icmp/echo_ignore_all 1",
        "conf/all/accept_source_route 0"};

    private final Random random;
    /** Routes that were added: the words between {@code ip route add} and the end of the line. */
    private final List<String> routes = new ArrayList<>();
    private final List<Prefix> destinations = new ArrayList<>();
    private final List<Integer> mtus = new ArrayList<>(List.of(Lab.MTU));
    private final RuleGenerator rules;

    HostGenerator(final Random random)
    {
        this.random = random;
        rules = new RuleGenerator(random, destinations);
    }

    /** Returns the networks that commands have named so far. */
    List<Prefix> destinations()
    {
        return destinations;
    }

    /** Returns the MTUs of links and routes that commands have named so far; the list grows with further commands. */
    List<Integer> mtus()
    {
        return mtus;
    }

    /** Draws the commands before the router starts. */
    List<String> host()
    {
        final List<String> commands = new ArrayList<>();
        if (chance(30))
        {
            commands.add("ip address add 10.255.0.1/32 dev lo");
            commands.add("ip address add fd00:255::1/128 dev lo");
        }
        for (int link = 0; link < Lab.LINKS; link++)
        {
            addLink(link, commands);
        }
        addNextHops(commands);
        for (int i = 8 + random.nextInt(16); i > 0; i--)
        {
            commands.add("ip " + addRoute("add"));
        }
        addRules(commands);
        for (int i = random.nextInt(4); i > 0; i--)
        {
            commands.add(setting());
        }
        return commands;
    }

    private void addLink(final int link, final List<String> commands)
    {
        final String device = Lab.device(link);
        if (chance(20))
        {
            commands.add("ip link set " + device + " mtu " + mtu(MTUS));
        }
        final boolean numbered = !chance(12);
        if (numbered)
        {
            commands.add("ip address add 10.0." + link + ".1/" + (chance(85) ? 24 : 25) + " dev " + device);
            destinations.add(Prefix.parse("10.0." + link + ".0/24"));
        }
        else
        {
            commands.add("ip route add 10.0." + link + ".0/29 dev " + device);
        }
        if (chance(15))
        {
            commands.add("ip address add 192.0.2." + 2 * link + "/31 dev " + device);
            destinations.add(Prefix.parse("192.0.2." + 2 * link + "/31"));
        }
        if (!chance(12))
        {
            commands.add("ip address add " + Neighbors.ipv6(link, Neighbors.MACHINE) + "/64 dev " + device + " nodad");
            destinations.add(Prefix.parse("fd00:" + link + "::/64"));
        }
        final StringBuilder neighbors = new StringBuilder();
        for (int host = Neighbors.FIRST; host <= Neighbors.LAST_PERMANENT; host++)
        {
            for (final String address : new String[] {
                Neighbors.ipv4(link, host), Neighbors.ipv6(link, host), Neighbors.linkLocal(host)})
            {
                neighbors.append(neighbors.length() == 0 ? "" : "; ").append(permanent(link, host, address, host));
            }
        }
        commands.add(neighbors.toString());
        commands.add("ip route add 172." + (16 + link) + ".0.0/16 via " + Neighbors.ipv4(link, 2) + " dev " + device +
            " onlink");
        commands.add("ip route add fd10:" + link + "::/32 via " + Neighbors.ipv6(link, 2) + " dev " + device +
            " onlink");
        destinations.add(Prefix.parse("172." + (16 + link) + ".0.0/16"));
        destinations.add(Prefix.parse("fd10:" + link + "::/32"));
    }

    private static String permanent(final int link, final int host, final String address, final int macHost)
    {
        return "ip neighbor replace " + address + " lladdr " + Neighbors.macText(link, macHost) + " dev " +
            Lab.device(link) + " nud permanent";
    }

    /** Next-hop objects 10 to 29 by link and family, groups 50 to 53. */
    private void addNextHops(final List<String> commands)
    {
        if (!chance(40))
        {
            return;
        }
        for (int link = 0; link < Lab.LINKS; link++)
        {
            commands.add("ip nexthop add id 1" + link + " via " + Neighbors.ipv4(link, 3) + " dev " + Lab.device(link));
            commands.add("ip nexthop add id 2" + link + " via " + Neighbors.ipv6(link, 3) + " dev " + Lab.device(link));
        }
        commands.add("ip nexthop add id 30 blackhole");
        commands.add("ip nexthop add id 50 group 11," + (1 + random.nextInt(4)) + "/12,3");
        commands.add("ip nexthop add id 51 group 10/11/12");
        commands.add("ip -6 nexthop add id 52 group 20/21,2");
    }

    /** Rules and routes of their tables, seldom a table without routes. */
    private void addRules(final List<String> commands)
    {
        final List<String> drawn = rules.host();
        for (final RuleGenerator.Table table : rules.tables())
        {
            final int number = chance(10) ? 0 : 2 + random.nextInt(5);
            if (number > 0 && chance(60))
            {
                commands.add("ip " + addRoute("add", anywhere(table), words(table)));
            }
            for (int i = 1; i < number; i++)
            {
                commands.add("ip " + addRoute("add", table));
            }
        }
        drawn.forEach(rule -> commands.add("ip " + rule));
        if (!drawn.isEmpty() && chance(40))
        {
            // The check of a source asks the rules, too.
            final String name = chance(30) ? "all" : Lab.device(random.nextInt(Lab.LINKS));
            commands.add("echo " + (1 + random.nextInt(2)) + " >/proc/sys/net/ipv4/conf/" + name + "/rp_filter");
        }
        if (!drawn.isEmpty() && chance(10))
        {
            commands.add("echo 1 >/proc/sys/net/ipv4/conf/all/src_valid_mark");
        }
    }

    /** Draws a change while the router runs, one or two commands. */
    List<String> change()
    {
        if (!rules.tables().isEmpty() && chance(25))
        {
            return List.of("ip " + routing());
        }
        final int choice = random.nextInt(100);
        if (choice < 30)
        {
            return List.of("ip " + addRoute(chance(50) ? "add" : "replace"));
        }
        if (choice < 45 && !routes.isEmpty())
        {
            final String route = routes.remove(random.nextInt(routes.size()));
            return List.of("ip " + route.replaceFirst("route \\w+ ", "route del "));
        }
        if (choice < 60)
        {
            return List.of(setting());
        }
        final int link = random.nextInt(Lab.LINKS);
        if (choice < 68)
        {
            final int host = Neighbors.FIRST + random.nextInt(3);
            final String address = chance(50) ? Neighbors.ipv4(link, host) : Neighbors.ipv6(link, host);
            return List.of(permanent(link, host, address, 0x20 + random.nextInt(16)));
        }
        if (choice < 74)
        {
            return List.of("ip link set " + Lab.device(link) + " mtu " + mtu(MTUS));
        }
        if (choice < 82)
        {
            return List.of(address(link));
        }
        if (choice < 86)
        {
            return List.of("ip link set " + Lab.device(link) + " down", "ip link set " + Lab.device(link) + " up");
        }
        return policy(link);
    }

    /** Draws a change of the rules or of one of their tables, in the words behind {@code ip}. */
    private String routing()
    {
        return switch (random.nextInt(12))
        {
            case 0, 1, 2 -> rules.add();
            case 3, 4, 5 -> rules.remove();
            case 6 -> flush(rules.table());
            case 7 -> rules.flush();
            default -> addRoute(chance(50) ? "add" : "replace", rules.table());
        };
    }

    private static String flush(final RuleGenerator.Table table)
    {
        return (table.isIpv4() ? "" : "-6 ") + "route flush" + words(table);
    }

    private String address(final int link)
    {
        final String verb = chance(50) ? "del" : "add";
        final String address = switch (random.nextInt(4))
        {
            case 0 -> "10.0." + link + ".1/24";
            case 1 -> "10.0." + link + ".77/24";
            case 2 -> Neighbors.ipv6(link, Neighbors.MACHINE) + "/64";
            default -> "198.18.1.1/24";
        };
        return "ip address " + verb + " " + address + " dev " + Lab.device(link) +
            (address.indexOf(':') < 0 || "del".equals(verb) ? "" : " nodad");
    }

    /** Draws what keeps forwarded packets for the kernel, and what ends it. */
    private List<String> policy(final int link)
    {
        final int source = random.nextInt(Lab.LINKS);
        final String device = Lab.device(link);
        return switch (random.nextInt(17))
        {
            case 0 -> List.of("ip xfrm policy add src 172." + (16 + source) + ".0.0/16 dst " +
                (chance(50) ? "0.0.0.0/0" : "172." + (16 + link) + ".0.0/17") + " dir fwd " +
                (chance(30) ? "tmpl proto esp mode tunnel reqid 1 level use" : "action block"));
            case 1 -> List.of("ip xfrm policy add src ::/0 dst fd10:" + link + "::/32 dir out action block");
            case 2 -> List.of("ip xfrm policy flush");
            case 3 -> List.of("nft add table inet d; nft add chain inet d c '{ type filter hook forward priority 0; }'",
                "nft add rule inet d c ip saddr 172." + (16 + source) + ".0.0/16 drop");
            case 4 -> List.of("nft add table ip6 d; nft add chain ip6 d c '{ type filter hook forward priority 0; " +
                "policy drop; }'");
            case 5, 6 -> List.of("nft flush ruleset");
            case 7 -> List.of("ip " + rules.add(), "ip " + addRoute("replace", rules.table()));
            case 8 -> List.of("ip " + rules.flush());
            case 9 -> List.of("ip link add m" + link + " link " + Lab.device(link) +
                " address 00:00:5e:00:01:01 type macvlan mode " + pick(MACVLAN_MODES) +
                " && ip address add 10.0." + link + ".254/32 dev m" +
                link + " && ip link set m" + link + " up");
            case 10 -> List.of("ip link del m" + link);
            case 11 -> List.of("tc qdisc replace dev " + device + " root tbf rate 10gbit burst 10mb latency 1s");
            case 12 -> List.of("tc qdisc replace dev " + device + " root blackhole");
            case 13 -> List.of("tc qdisc replace dev " + device + " root " + (chance(50) ? "htb" : "pfifo limit 500"));
            case 14 -> List.of("tc qdisc del dev " + device + " root");
            case 15 -> List.of("nft add table inet d; " +
                "nft add chain inet d m '{ type filter hook prerouting priority -150; }'",
                "nft add rule inet d m iifname '\"" + device + "\"' meta mark set 0x10");
            default -> List.of("ip link add br0 address 02:00:00:00:03:b0 type bridge; ip link set r3 " +
                (chance(50) ? "master br0" : "nomaster") + "; ip link set br0 up");
        };
    }

    private String setting()
    {
        final boolean ipv4 = chance(60);
        final String name = chance(20) ? "all" : Lab.device(random.nextInt(Lab.LINKS));
        final String[] words;
        final String path;
        if (chance(30))
        {
            words = pick(ipv4 ? IPV4_GLOBALS : IPV6_GLOBALS).split(" ");
            path = (ipv4 ? "ipv4/" : "ipv6/") + words[0];
        }
        else
        {
            words = pick(ipv4 ? IPV4_SETTINGS : IPV6_SETTINGS).split(" ");
            path = (ipv4 ? "ipv4/conf/" : "ipv6/conf/") + name + "/" + words[0];
        }
        return "echo " + words[1] + " >/proc/sys/net/" + path;
    }

    /** Draws a route, in the words behind {@code ip}. */
    private String addRoute(final String verb)
    {
        return addRoute(verb, chance(60) ? ipv4Prefix() : ipv6Prefix(), "");
    }

    private static Prefix anywhere(final RuleGenerator.Table table)
    {
        return Prefix.parse(table.isIpv4() ? "0.0.0.0/0" : "::/0");
    }

    private static String words(final RuleGenerator.Table table)
    {
        return " table " + table.number();
    }

    /** Draws a route of a table that rules name, often another one to a network of the main table. */
    private String addRoute(final String verb, final RuleGenerator.Table table)
    {
        final Prefix prefix;
        if (chance(10))
        {
            prefix = anywhere(table);
        }
        else if (chance(40))
        {
            prefix = known(destinations, table.isIpv4(), random);
        }
        else
        {
            prefix = table.isIpv4() ? ipv4Prefix() : ipv6Prefix();
        }
        return addRoute(verb, prefix, words(table));
    }

    /** Draws one of the networks that are of a family; there is at least one. */
    static Prefix known(final List<Prefix> networks, final boolean isIpv4, final Random random)
    {
        Prefix prefix = networks.get(random.nextInt(networks.size()));
        while (prefix.isIpv4() != isIpv4)
        {
            prefix = networks.get(random.nextInt(networks.size()));
        }
        return prefix;
    }

    private String addRoute(final String verb, final Prefix prefix, final String table)
    {
        final boolean ipv4 = prefix.isIpv4();
        destinations.add(prefix);
        final String route = (ipv4 ? "route " : "-6 route ") + verb + " " + kind() + prefix + table +
            (ipv4 ? ipv4NextHop() : ipv6NextHop()) + (chance(15) ? " metric " + (1 + random.nextInt(3)) * 10 : "");
        final String words = withoutNextHop(route);
        if (words.contains(" mtu "))
        {
            // For more packets that are too long for it.
            destinations.add(prefix);
            destinations.add(prefix);
        }
        routes.add(words);
        return words;
    }

    private String kind()
    {
        return chance(20) ? pick(KINDS) + " " : "";
    }

    /** A route that drops has no next hop. */
    private static String withoutNextHop(final String route)
    {
        for (final String kind : KINDS)
        {
            if (route.contains(kind))
            {
                return route.replaceFirst(" (via|dev|nhid|nexthop) .*?( metric .*)?$", "$2");
            }
        }
        return route;
    }

    private Prefix ipv4Prefix()
    {
        if (chance(5))
        {
            return Prefix.parse(chance(50) ? "0.0.0.0/0" : "240.0.0.0/4");
        }
        if (chance(8))
        {
            return Prefix.parse("10.0." + random.nextInt(Lab.LINKS) + "." + (chance(50) ? "128/25" : "7/32"));
        }
        final byte[] address = {(byte)198, 18, (byte)random.nextInt(3), (byte)random.nextInt(256)};
        return Prefix.of(address, LENGTHS[random.nextInt(LENGTHS.length)]);
    }

    private Prefix ipv6Prefix()
    {
        if (chance(5))
        {
            return Prefix.parse("::/0");
        }
        final byte[] address = new byte[16];
        address[0] = 0x20;
        address[1] = 1;
        address[2] = 0x0d;
        address[3] = (byte)0xb8;
        address[5] = (byte)random.nextInt(3);
        address[7] = (byte)random.nextInt(3);
        address[15] = (byte)random.nextInt(256);
        return Prefix.of(address, IPV6_LENGTHS[random.nextInt(IPV6_LENGTHS.length)]);
    }

    private String ipv4NextHop()
    {
        final int link = random.nextInt(Lab.LINKS);
        final String device = " dev " + Lab.device(link);
        return switch (random.nextInt(20))
        {
            case 0 -> " nexthop via " + ipv4Neighbor(link) + device + " weight " + (1 + random.nextInt(9)) +
                " nexthop via " + Neighbors.ipv4(1, 4) + " dev r1";
            case 1 -> " nhid " + (chance(50) ? "1" + link : "5" + random.nextInt(2));
            case 2 -> " nhid 30";
            case 3 -> device;
            case 4 -> " via inet6 " + Neighbors.ipv6(link, 3) + device;
            case 5 -> " via " + ipv4Neighbor(link) + device + " src 10.255.0.1";
            case 6, 7 -> " via " + ipv4Neighbor(link) + device + " mtu " + (chance(30) ? "lock " : "") +
                mtu(ROUTE_MTUS);
            case 8 -> " via " + ipv4Neighbor(link) + device + " onlink";
            case 9 -> " via " + Neighbors.silentIpv4(link, random.nextInt(Neighbors.SILENT)) + device;
            default -> " via " + ipv4Neighbor(link) + (chance(50) ? "" : device);
        };
    }

    private String ipv6NextHop()
    {
        final int link = random.nextInt(Lab.LINKS);
        final String device = " dev " + Lab.device(link);
        final String neighbor = Neighbors.ipv6(link, neighbor());
        return switch (random.nextInt(16))
        {
            case 0 -> " nexthop via " + neighbor + device + " weight " + (1 + random.nextInt(9)) +
                " nexthop via " + Neighbors.ipv6(1, 4) + " dev r1";
            case 1 -> " nhid " + (chance(50) ? "2" + link : "52");
            case 2 -> device;
            case 3, 4 -> " via " + Neighbors.linkLocal(2 + random.nextInt(3)) + device;
            case 5, 6 -> " via " + neighbor + device + " mtu " + (chance(30) ? "lock " : "") + mtu(IPV6_ROUTE_MTUS);
            case 7 -> " via " + neighbor + device + " onlink";
            case 8 -> " via " + Neighbors.silentIpv6(link, random.nextInt(Neighbors.SILENT)) + device;
            default -> " via " + neighbor + (chance(50) ? "" : device);
        };
    }

    private String ipv4Neighbor(final int link)
    {
        return Neighbors.ipv4(link, neighbor());
    }

    private int neighbor()
    {
        return Neighbors.FIRST + random.nextInt(8);
    }

    private int mtu(final int[] choices)
    {
        final int mtu = choices[random.nextInt(choices.length)];
        mtus.add(mtu);
        return mtu;
    }

    private String pick(final String[] words)
    {
        return words[random.nextInt(words.length)];
    }

    private boolean chance(final int percent)
    {
        return random.nextInt(100) < percent;
    }
}
