package org.fibnuma.bench.differential;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Draws policy routing: the rules of {@code ip rule} that choose a routing table, among them those of wg-quick and of
 * strongSwan. {@link HostGenerator} draws the routes of their tables. Each command is the words behind {@code ip}.
 */
final class RuleGenerator
{
    /**
     * A routing table other than those of every host.
     *
     * @param isIpv4 whether it is one of IPv4; the same number stands for another table of IPv6.
     * @param number as in {@code ip route show table}.
     */
    record Table(boolean isIpv4, int number)
    {
    }

    /** Every kernel has a rule for this table of IPv4, behind that for the main table. */
    private static final int DEFAULT = 253;
    private static final int STRONGSWAN = 220;
    /** The number is also the mark 0xca6c of wg-quick's own packets. */
    private static final int WG_QUICK = 51_820;
    private static final int[] NUMBERS = {100, 100, 100, 101, 101, 300, DEFAULT};
    /** Some are behind the rule for the main table, which has 32766, so that they are for what has no route there. */
    private static final int[] PRIORITIES = {100, 100, 220, 1000, 1000, 5000, 32_000, 32_764, 32_765, 32_766, 40_000};
    private static final int[] FIRST_PRIORITIES = {10, 99, 500};
    private static final String[] TARGETS = {"1000", "5000", "32766", "40000"};
    private static final String[] KINDS = {"blackhole", "unreachable", "prohibit"};
    /** By fields that are not those of a route; the router leaves such packets to the kernel. */
    private static final String[] PACKET_FIELDS = {"tos 0x10", "ipproto udp", "ipproto tcp", "ipproto udp dport 33434",
        "dport 80", "sport 1024-30000"};
    /** Networks that packets come from by several links, see {@link PacketGenerator}. */
    private static final String[] IPV4_SOURCES = {"172.16.0.0/15", "172.16.0.0/12", "10.0.0.0/16"};
    private static final String[] IPV6_SOURCES = {"fd10::/31", "fd10::/16", "fd00::/16"};
    private static final String[] IPV4_DESTINATIONS = {"198.18.0.0/15", "198.18.0.0/24", "198.18.1.0/24",
        "198.18.2.0/25", "198.18.1.128/25"};
    private static final String[] IPV6_DESTINATIONS = {"2001:db8::/32", "2001:db8::/48", "2001:db8:1::/48",
        "2001:db8:2::/47", "2001:db8:1:1::/64"};

    private final Random random;
    private final List<Prefix> destinations;
    /** Rules that were added: the words of the commands that add them. */
    private final List<String> rules = new ArrayList<>();
    private final Set<Table> tables = new LinkedHashSet<>();

    /**
     * @param random       source of all choices.
     * @param destinations networks of the host's routes, which rules name too; receives those that rules name.
     */
    RuleGenerator(final Random random, final List<Prefix> destinations)
    {
        this.random = random;
        this.destinations = destinations;
    }

    /** Draws the rules before the router starts: none, or up to five of each of one or two families. */
    List<String> host()
    {
        final List<String> commands = new ArrayList<>();
        if (chance(8))
        {
            tables.add(new Table(true, DEFAULT));
        }
        if (!chance(35))
        {
            return commands;
        }
        final int families = random.nextInt(5);
        if (families < 4)
        {
            addFamily(true, commands);
        }
        if (families > 1)
        {
            addFamily(false, commands);
        }
        return commands;
    }

    private void addFamily(final boolean isIpv4, final List<String> commands)
    {
        if (chance(15))
        {
            commands.add(add(isIpv4, " priority 32765 not fwmark 0xca6c lookup " + table(isIpv4, WG_QUICK)));
            commands.add(add(isIpv4, " priority 32764 lookup main suppress_prefixlength 0"));
        }
        else if (chance(12))
        {
            commands.add(add(isIpv4, " priority 220 lookup " + table(isIpv4, STRONGSWAN)));
        }
        else
        {
            commands.add(add(isIpv4));
        }
        for (int i = random.nextInt(4); i > 0; i--)
        {
            commands.add(add(isIpv4));
        }
    }

    /** Draws a further rule. */
    String add()
    {
        return add(chance(60));
    }

    private String add(final boolean isIpv4)
    {
        if (chance(5))
        {
            // Only forwards.
            return add(isIpv4, priority(FIRST_PRIORITIES) + selector(isIpv4) + " goto " + pick(TARGETS));
        }
        final String priority = chance(80) ? priority(PRIORITIES) : "";
        if (chance(10))
        {
            return add(isIpv4, priority + (chance(50) ? from(isIpv4) : "") + " " + pick(PACKET_FIELDS) +
                lookup(isIpv4));
        }
        if (chance(10))
        {
            return add(isIpv4, priority + (chance(50) ? from(isIpv4) : "") + " lookup main suppress_prefixlength " +
                (chance(50) ? 0 : isIpv4 ? 16 : 48));
        }
        return add(isIpv4, priority + selector(isIpv4) + (chance(12) ? " " + pick(KINDS) : lookup(isIpv4)));
    }

    private String add(final boolean isIpv4, final String words)
    {
        final String rule = (isIpv4 ? "rule add" : "-6 rule add") + words;
        rules.add(rule);
        return rule;
    }

    /** Draws the removal of a rule that was added, or a further rule if there is none. */
    String remove()
    {
        return rules.isEmpty() ? add() :
            rules.remove(random.nextInt(rules.size())).replaceFirst("rule add", "rule del");
    }

    /** Draws the removal of all rules of one family but those of every host. */
    String flush()
    {
        final boolean isIpv4 = chance(60);
        rules.removeIf(rule -> rule.startsWith("-6") != isIpv4);
        return isIpv4 ?
            "rule flush; ip rule add pref 32766 lookup main; ip rule add pref 32767 lookup default" :
            "-6 rule flush; ip -6 rule add pref 32766 lookup main";
    }

    /** Returns the tables that rules have named so far, in the order in which they did. */
    List<Table> tables()
    {
        return List.copyOf(tables);
    }

    /** Returns a table that a rule has named, or that rules often name. */
    Table table()
    {
        return tables.isEmpty() ? new Table(chance(60), NUMBERS[0]) : tables().get(random.nextInt(tables.size()));
    }

    private int table(final boolean isIpv4, final int number)
    {
        tables.add(new Table(isIpv4, number));
        return number;
    }

    private String lookup(final boolean isIpv4)
    {
        if (chance(8))
        {
            return " lookup main";
        }
        return " lookup " + table(isIpv4, NUMBERS[random.nextInt(NUMBERS.length)]) +
            (chance(15) ? " suppress_prefixlength " + (chance(30) ? 0 : 8) : "");
    }

    private String selector(final boolean isIpv4)
    {
        return switch (random.nextInt(24))
        {
            case 0, 1, 2, 3, 4 -> from(isIpv4);
            case 5, 6, 7 -> to(isIpv4);
            case 8, 9, 10 -> from(isIpv4) + to(isIpv4);
            case 11, 12, 13 -> iif();
            case 14 -> iif() + from(isIpv4);
            case 15 -> iif() + to(isIpv4);
            case 16 -> " iif lo";
            case 17 -> " not" + (chance(60) ? from(isIpv4) : chance(50) ? to(isIpv4) : iif());
            case 18, 19 -> " fwmark 0x10" + (chance(50) ? "" : from(isIpv4));
            case 20 -> " fwmark 0/0xff" + (chance(50) ? from(isIpv4) : "");
            case 21 -> " not fwmark 0xca6c";
            case 22 -> " oif " + Lab.device(random.nextInt(Lab.LINKS));
            default -> "";
        };
    }

    private String iif()
    {
        // A macvlan may come and go, see HostGenerator.
        return " iif " + (chance(8) ? "m" + random.nextInt(Lab.LINKS) : Lab.device(random.nextInt(Lab.LINKS)));
    }

    private String from(final boolean isIpv4)
    {
        if (chance(20))
        {
            return " from " + pick(isIpv4 ? IPV4_SOURCES : IPV6_SOURCES);
        }
        final int link = random.nextInt(Lab.LINKS);
        if (chance(15))
        {
            return " from " + (isIpv4 ? "10.0." + link + ".0/24" : "fd00:" + link + "::/64");
        }
        final int bits = chance(70) ? 0 : 1 + random.nextInt(2);
        return " from " +
            (isIpv4 ? "172." + (16 + link) + ".0.0/" + (16 + bits) : "fd10:" + link + "::/" + (32 + bits));
    }

    private String to(final boolean isIpv4)
    {
        final Prefix prefix = chance(40) ? HostGenerator.known(destinations, isIpv4, random) :
            Prefix.parse(pick(isIpv4 ? IPV4_DESTINATIONS : IPV6_DESTINATIONS));
        destinations.add(prefix);
        return " to " + prefix;
    }

    private String priority(final int[] choices)
    {
        return " priority " + choices[random.nextInt(choices.length)];
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
