package org.fibnuma.fibnic.config;

import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigName;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.core.service.config.TomlSection;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.fibnic.acl.AccessAction;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessProtocols;
import org.fibnuma.fibnic.acl.AccessRule;
import org.fibnuma.fibnic.acl.FragmentMatch;
import org.fibnuma.fibnic.acl.PortRange;
import org.fibnuma.fibnic.acl.TcpFlags;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the {@code [[acl]]} tables and the {@code [[acl.rule]]} tables in them. */
final class AccessListReader
{
    private static final String IPV4 = "ipv4";
    private static final String IPV6 = "ipv6";
    private static final int HIGHEST_TYPE = 255;
    private static final int HIGHEST_DSCP = 63;
    private static final String ANY = "any";
    private static final String WITH_PORTS = "a protocol with ports: tcp, udp, sctp, dccp or udplite";
    private static final String ICMP = "protocol = \"icmp\" or \"icmpv6\"";

    private static final ConfigTable RULE_KEYS = new ConfigTable();

    private static final ConfigKey<AccessAction> ACTION = RULE_KEYS.oneOf(
        "action", List.of(AccessAction.values()), null)
        .required("give one of " + String.join(", ", AccessAction.keys()))
        .reload("`deny` drops silently, `prohibit` drops with an ICMP error, `count` counts and goes on.");
    private static final ConfigKey<String> FAMILY = RULE_KEYS.word("family", List.of(IPV4, IPV6), null)
        .byDefault("both, or that of the other conditions").reload("Address family of the packet.");
    private static final ConfigKey<IpPrefix> SOURCE = RULE_KEYS.parsed(
        "source", "a prefix", "10.0.0.0/24", IpPrefix::parse, null).byDefault(ANY)
        .reload("Prefix of the source address.");
    private static final ConfigKey<IpPrefix> DESTINATION = RULE_KEYS.parsed(
        "destination", "a prefix", "192.0.2.0/24", IpPrefix::parse, null).byDefault(ANY)
        .reload("Prefix of the destination address.");
    private static final ConfigKey<Integer> PROTOCOL = RULE_KEYS.parsed(
        "protocol", "a number or a name of a protocol", "tcp", AccessProtocols::parse, null).byDefault(ANY)
        .reload("Transport protocol: `tcp`, `udp`, `icmp`, `icmpv6`, `sctp`, `dccp`, `udplite`, `gre`, `esp`, `ospf` " +
            "or a number as `47`.");
    private static final ConfigKey<PortRange> SOURCE_PORT = RULE_KEYS.parsed(
        "source-port", "a port or a range", "1024-65535", PortRange::parse, null).byDefault(ANY)
        .onlyFor(WITH_PORTS).reload("Source ports.");
    private static final ConfigKey<PortRange> DESTINATION_PORT = RULE_KEYS.parsed(
        "destination-port", "a port or a range", "443", PortRange::parse, null).byDefault(ANY)
        .onlyFor(WITH_PORTS).reload("Destination ports.");
    private static final ConfigKey<Integer> ICMP_TYPE = RULE_KEYS.integer("icmp-type", 0, HIGHEST_TYPE, null)
        .byDefault(ANY).onlyFor(ICMP).reload("Type of the message.");
    private static final ConfigKey<Integer> ICMP_CODE = RULE_KEYS.integer("icmp-code", 0, HIGHEST_TYPE, null)
        .byDefault(ANY).onlyFor(ICMP).reload("Code of the message. It needs `icmp-type`.");
    private static final ConfigKey<Integer> TCP_FLAGS = RULE_KEYS.parsed(
        "tcp-flags", "names of flags, with `!` before those that are not set", "syn,!ack", TcpFlags::parse, null)
        .byDefault(ANY).onlyFor("protocol = \"tcp\"").reload("Flags of the segment.");
    private static final ConfigKey<Integer> DSCP = RULE_KEYS.integer("dscp", 0, HIGHEST_DSCP, null)
        .byDefault(ANY).reload("DSCP of the packet.");
    private static final ConfigKey<FragmentMatch> FRAGMENTS = RULE_KEYS.oneOf(
        "fragments", List.of(FragmentMatch.values()), FragmentMatch.ANY)
        .reload("`none` are whole packets, `first` are first fragments, `later` are the others, which have no ports.");

    static final ConfigTable KEYS = new ConfigTable();

    private static final ConfigKey<String> NAME = KEYS.parsed(
        "name", ConfigName.FORM, "from-customers", ConfigName::parse, null)
        .required("give the list one, such as name = \"from-customers\"").reload("Name of the list.");
    private static final ConfigKey<AccessAction> DEFAULT = KEYS.oneOf(
        "default", List.of(AccessAction.PERMIT, AccessAction.DENY, AccessAction.PROHIBIT), AccessAction.DENY)
        .reload("What happens to a packet that no rule decides about.");
    private static final ConfigKey<List<TomlSection>> RULES = KEYS.tables("rule", RULE_KEYS)
        .reload("A rule of the list above it, up to " + AccessList.MAX_RULES +
            " of them. A packet matches if it meets every condition that is given.");

    private AccessListReader()
    {
    }

    /** Returns the lists in the order of the file. */
    static List<AccessList> read(final TomlSection root)
    {
        final List<AccessList> lists = new ArrayList<>();
        final Map<String, Integer> lines = new HashMap<>();
        for (final TomlSection section : root.get(RouterKeys.ACLS))
        {
            final String name = section.get(NAME, "");
            final Integer first = lines.putIfAbsent(name, section.lineOf(NAME));
            if (first != null)
            {
                section.wrong(NAME, "\"" + name + "\" is the list of line " + first + "; give another");
            }
            final List<AccessRule> rules = new ArrayList<>();
            for (final TomlSection rule : section.get(RULES))
            {
                rules.add(rule(rule));
                rule.refuseUnknownKeys();
            }
            if (rules.size() > AccessList.MAX_RULES)
            {
                section.wrong(RULES, rules.size() + " rules; a list has at most " + AccessList.MAX_RULES +
                    ", use one for each port or direction");
            }
            lists.add(new AccessList(name, rules, section.get(DEFAULT)));
            section.refuseUnknownKeys();
        }
        return lists;
    }

    private static AccessRule rule(final TomlSection section)
    {
        final AccessAction action = section.get(ACTION, AccessAction.DENY);
        final IpPrefix source = section.get(SOURCE);
        final IpPrefix destination = section.get(DESTINATION);
        final int protocol = section.get(PROTOCOL, AccessRule.ANY);
        final String family = family(section, source, destination, protocol);
        final boolean isIcmp = AccessRule.isIcmp(protocol);
        refuse(section, List.of(SOURCE_PORT, DESTINATION_PORT), AccessRule.hasPorts(protocol));
        refuse(section, List.of(ICMP_TYPE, ICMP_CODE), isIcmp);
        refuse(section, List.of(TCP_FLAGS), protocol == IpProtocol.TCP);
        if (section.has(ICMP_CODE) && !section.has(ICMP_TYPE))
        {
            section.wrong(ICMP_CODE, "needs icmp-type; the meaning of a code depends on the type");
        }
        final int flags = section.get(TCP_FLAGS, 0);
        final AccessRule rule = new AccessRule(
            !IPV6.equals(family),
            !IPV4.equals(family),
            source,
            destination,
            protocol,
            isIcmp ? icmp(section, ICMP_TYPE) : ports(section, SOURCE_PORT),
            isIcmp ? icmp(section, ICMP_CODE) : ports(section, DESTINATION_PORT),
            TcpFlags.mask(flags),
            TcpFlags.value(flags),
            section.get(DSCP, AccessRule.ANY),
            section.get(FRAGMENTS),
            action,
            section.lineOf(ACTION));
        if (rule.fragments() == FragmentMatch.LATER && rule.needsTransport())
        {
            section.wrong(FRAGMENTS, "\"later\" fragments have no ports, types and flags; remove those conditions");
        }
        return rule;
    }

    /** Returns the family of the conditions of a rule, or null for both; reports conditions of different families. */
    private static String family(
        final TomlSection section, final IpPrefix source, final IpPrefix destination, final int protocol)
    {
        final String given = section.get(FAMILY);
        String family = given;
        if (source != null)
        {
            family = sameFamily(section, SOURCE, family, source.isIpv6() ? IPV6 : IPV4);
        }
        if (destination != null)
        {
            family = sameFamily(section, DESTINATION, family, destination.isIpv6() ? IPV6 : IPV4);
        }
        if (AccessRule.isIcmp(protocol))
        {
            family = sameFamily(section, PROTOCOL, family, protocol == IpProtocol.ICMPV6 ? IPV6 : IPV4);
        }
        return family;
    }

    private static String sameFamily(
        final TomlSection section, final ConfigKey<?> key, final String family, final String ofKey)
    {
        if (family != null && !family.equals(ofKey))
        {
            section.wrong(key, "is for " + ofKey + ", but the rule is for " + family +
                "; no packet can match, write a rule for each family");
        }
        return ofKey;
    }

    private static void refuse(
        final TomlSection section, final List<ConfigKey<?>> keys, final boolean isAllowed)
    {
        for (final ConfigKey<?> key : keys)
        {
            if (section.has(key) && !isAllowed)
            {
                section.wrong(key, "needs " + key.onlyFor());
            }
        }
    }

    private static PortRange ports(final TomlSection section, final ConfigKey<PortRange> key)
    {
        return section.get(key, PortRange.ANY);
    }

    private static PortRange icmp(final TomlSection section, final ConfigKey<Integer> key)
    {
        return section.has(key) ? PortRange.of(section.get(key, 0)) : PortRange.ANY;
    }
}
