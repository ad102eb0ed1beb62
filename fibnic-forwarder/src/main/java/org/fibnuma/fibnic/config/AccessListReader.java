package org.fibnuma.fibnic.config;

import org.fibnuma.core.config.ConfigName;
import org.fibnuma.core.config.TomlSection;
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
    private static final String ACL = "acl";
    private static final String NAME = "name";
    private static final String RULE = "rule";
    private static final String DEFAULT = "default";
    private static final String ACTION = "action";
    private static final String FAMILY = "family";
    private static final String IPV4 = "ipv4";
    private static final String IPV6 = "ipv6";
    private static final String SOURCE = "source";
    private static final String DESTINATION = "destination";
    private static final String PROTOCOL = "protocol";
    private static final String SOURCE_PORT = "source-port";
    private static final String DESTINATION_PORT = "destination-port";
    private static final String ICMP_TYPE = "icmp-type";
    private static final String ICMP_CODE = "icmp-code";
    private static final String TCP_FLAGS = "tcp-flags";
    private static final String DSCP = "dscp";
    private static final String FRAGMENTS = "fragments";
    private static final int HIGHEST_TYPE = 255;
    private static final int HIGHEST_DSCP = 63;

    private AccessListReader()
    {
    }

    /** Returns the lists in the order of the file. */
    static List<AccessList> read(final TomlSection root)
    {
        final List<AccessList> lists = new ArrayList<>();
        final Map<String, Integer> lines = new HashMap<>();
        for (final TomlSection section : root.tables(ACL))
        {
            final String name = section.parsed(NAME, ConfigName::parse, "");
            if (!section.has(NAME))
            {
                section.missing(NAME, "give the list one, such as name = \"from-customers\"");
            }
            final Integer first = lines.putIfAbsent(name, section.lineOf(NAME));
            if (first != null)
            {
                section.wrong(NAME, "\"" + name + "\" is the list of line " + first + "; give another");
            }
            final List<AccessRule> rules = new ArrayList<>();
            for (final TomlSection rule : section.tables(RULE))
            {
                rules.add(rule(rule));
                rule.refuseUnknownKeys();
            }
            if (rules.size() > AccessList.MAX_RULES)
            {
                section.wrong(RULE, rules.size() + " rules; a list has at most " + AccessList.MAX_RULES +
                    ", use one for each port or direction");
            }
            lists.add(new AccessList(name, rules, AccessAction.of(section.oneOf(
                DEFAULT, AccessAction.keys().stream().filter(key -> !key.equals(AccessAction.COUNT.key())).toList(),
                AccessAction.DENY.key()))));
            section.refuseUnknownKeys();
        }
        return lists;
    }

    private static AccessRule rule(final TomlSection section)
    {
        final String action = section.oneOf(ACTION, AccessAction.keys(), null);
        if (!section.has(ACTION))
        {
            section.missing(ACTION, "give one of " + String.join(", ", AccessAction.keys()));
        }
        final IpPrefix source = section.parsed(SOURCE, IpPrefix::parse, null);
        final IpPrefix destination = section.parsed(DESTINATION, IpPrefix::parse, null);
        final int protocol = section.parsed(PROTOCOL, AccessProtocols::parse, AccessRule.ANY);
        final String family = family(section, source, destination, protocol);
        final boolean isIcmp = AccessRule.isIcmp(protocol);
        refuse(section, List.of(SOURCE_PORT, DESTINATION_PORT), AccessRule.hasPorts(protocol),
            "needs a protocol with ports: tcp, udp, sctp, dccp or udplite");
        refuse(section, List.of(ICMP_TYPE, ICMP_CODE), isIcmp, "needs protocol = \"icmp\" or \"icmpv6\"");
        refuse(section, List.of(TCP_FLAGS), protocol == IpProtocol.TCP, "needs protocol = \"tcp\"");
        if (section.has(ICMP_CODE) && !section.has(ICMP_TYPE))
        {
            section.wrong(ICMP_CODE, "needs icmp-type; the meaning of a code depends on the type");
        }
        final int flags = section.parsed(TCP_FLAGS, TcpFlags::parse, 0);
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
            section.integer(DSCP, 0, HIGHEST_DSCP, AccessRule.ANY),
            FragmentMatch.of(section.oneOf(FRAGMENTS, FragmentMatch.keys(), FragmentMatch.ANY.key())),
            action == null ? AccessAction.DENY : AccessAction.of(action),
            section.lineOf(ACTION));
        if (rule.fragments() == FragmentMatch.LATER && rule.needsTransport())
        {
            section.wrong(FRAGMENTS, "\"later\" fragments have no ports, types and flags; remove those conditions");
        }
        return rule;
    }

    /** Returns the family that the rule is restricted to, or null, and checks that all conditions permit one. */
    private static String family(
        final TomlSection section, final IpPrefix source, final IpPrefix destination, final int protocol)
    {
        final String given = section.oneOf(FAMILY, List.of(IPV4, IPV6), null);
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
        final TomlSection section, final String key, final String family, final String ofKey)
    {
        if (family != null && !family.equals(ofKey))
        {
            section.wrong(key, "is for " + ofKey + ", but the rule is for " + family +
                "; no packet can match, write a rule for each family");
        }
        return ofKey;
    }

    private static void refuse(
        final TomlSection section, final List<String> keys, final boolean isAllowed, final String what)
    {
        for (final String key : keys)
        {
            if (section.has(key) && !isAllowed)
            {
                section.wrong(key, what);
            }
        }
    }

    private static PortRange ports(final TomlSection section, final String key)
    {
        return section.parsed(key, PortRange::parse, PortRange.ANY);
    }

    private static PortRange icmp(final TomlSection section, final String key)
    {
        return section.has(key) ? PortRange.of(section.integer(key, 0, HIGHEST_TYPE, 0)) : PortRange.ANY;
    }
}
