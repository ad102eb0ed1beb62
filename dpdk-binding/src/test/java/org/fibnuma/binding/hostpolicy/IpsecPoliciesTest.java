package org.fibnuma.binding.hostpolicy;

import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.core.Require;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.core.wire.IpPrefix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import static org.fibnuma.binding.netlink.HexAttribute.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;

class IpsecPoliciesTest
{
    private static final int NEWPOLICY = 0x13;
    private static final int GETDEFAULT = 0x28;
    private static final String INET = "02 00";
    private static final String INET6 = "0a 00";
    /** XFRMA_TMPL with one struct xfrm_user_tmpl of 64 bytes. */
    private static final String TEMPLATE = attribute(5, "00".repeat(64));
    private static final String EVERYWHERE = "00000000";

    /** Directions are in 0, out 1, fwd 2, and from 3 those of sockets; actions are allow 0, block 1. */
    @ParameterizedTest
    @CsvSource({
        "00, 01, true, false", "00, 00, true, false",
        "01, 01, false, true", "01, 00, true, true", "01, 00, false, false",
        "02, 01, false, true", "02, 00, true, true", "02, 00, false, false",
        "03, 01, true, false", "04, 01, true, false"})
    void shouldTakeWhatConcernsForwardedPackets(
        final String direction, final String action, final boolean hasTemplate, final boolean concerns)
    {
        assertEquals(concerns ? 1 : 0,
            concerned(policy(INET, direction, action) + (hasTemplate ? TEMPLATE : "")).size());
    }

    /** XFRMA_MARK with value and mask, little-endian as a host writes them, and XFRMA_IF_ID. */
    @ParameterizedTest
    @CsvSource({
        "15, 2a000000ffffffff, false", "15, 00000000ffffffff, true", "15, 0000000000000000, true",
        "1f, 2a000000, false", "1f, 00000000, true"})
    void shouldPassOverPoliciesForMarkedPacketsAndXfrmInterfaces(
        final String type, final String value, final boolean concerns)
    {
        assertEquals(concerns ? 1 : 0,
            concerned(policy(INET, "02", "01") + attribute(Integer.parseInt(type, 16), value)).size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "02 00 | 0a000100 | 18 | 0a000000 | 10 | 10.0.1.0/24 | ",
        "02 00 | 0a000163 | 18 | 0a000000 | 00 | 10.0.1.0/24 | ",
        "02 00 | 0a000163 | 20 | 0a000000 | 00 | 10.0.1.99/32 | ",
        "02 00 | 00000000 | 00 | 0a000000 | 10 | | 10.0.0.0/16",
        "02 00 | 00000000 | 00 | 00000000 | 00 | | ",
        "02 00 | 0a000100 | 21 | 00000000 | 00 | | ",
        "0a 00 | 20010db8 | 20 | 00000000 | 00 | 2001:db8::/32 | ",
        "0a 00 | 00000000 | 00 | 20010db8 | 80 | | 2001:db8::/128",
        "00 00 | 0a000100 | 18 | 0a000000 | 10 | | "})
    void shouldTakeTheDestinationsOrTheSources(
        final String family,
        final String destination,
        final String destinationLength,
        final String source,
        final String sourceLength,
        final String destinations,
        final String sources)
    {
        final HostRestriction.Scope scope = concerned(policy(
            family, "02", "01", destination, destinationLength, source, sourceLength)).get(0).scope();
        assertEquals(prefixes(destinations), scope.destinations());
        assertEquals(prefixes(sources), scope.sources());
        assertEquals(destinations != null || sources != null, scope.isByPrefix());
        assertEquals(!family.startsWith("0a"), scope.ipv4());
        assertEquals(!family.startsWith("02"), scope.ipv6());
    }

    /** What comes from a tunnel has the far end's addresses as sources. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "02 00 | 02 | 18 | | 10.0.0.0/24", "02 00 | 02 | 00 | 10.0.1.0/24 | ", "02 00 | 01 | 18 | 10.0.1.0/24 | ",
        "0a 00 | 02 | 18 | a00:100::/24 | "})
    void shouldTakeTheSourcesOfTunnelsOverIpv4(
        final String family,
        final String direction,
        final String sourceLength,
        final String destinations,
        final String sources)
    {
        final HostRestriction.Scope scope = concerned(policy(
            family, direction, "00", "0a000100", "18", "0a000000", sourceLength) + TEMPLATE).get(0).scope();
        assertEquals(prefixes(destinations), scope.destinations());
        assertEquals(prefixes(sources), scope.sources());
    }

    private static Set<IpPrefix> prefixes(final String text)
    {
        return text == null ? Set.of() : Set.of(IpPrefix.parse(text));
    }

    @Test
    void shouldTakeAllPacketsOfAFamilyIfOnePolicyIsForThem()
    {
        assertEquals(List.of(HostRestriction.Scope.family(false)), concerned(
            policy(INET, "02", "01", "0a000100", "18", EVERYWHERE, "00"),
            policy(INET, "02", "01", EVERYWHERE, "00", EVERYWHERE, "00")).stream()
            .map(HostRestriction::scope).toList());
    }

    @Test
    void shouldNameDirectionAndFamily()
    {
        final String allowed = policy(INET, "02", "00") + TEMPLATE;
        assertEquals(List.of(
            new HostRestriction(HostRestriction.Kind.IPSEC, "IPsec policies of direction fwd for packets",
                "ip xfrm policy list dir fwd"),
            new HostRestriction(HostRestriction.Kind.IPSEC,
                "IPsec policies of direction fwd for IPv4 packets of some prefixes", "ip xfrm policy list dir fwd",
                HostRestriction.Scope.prefixes(
                    false, Set.of(IpPrefix.parse("10.0.1.0/24")), Set.of(IpPrefix.parse("10.0.0.0/24")))),
            new HostRestriction(HostRestriction.Kind.IPSEC, "IPsec policies of direction out for IPv6 packets",
                "ip xfrm policy list dir out", HostRestriction.Scope.family(true))),
            concerned(policy(INET, "02", "01"), allowed,
                policy(INET6, "01", "01", EVERYWHERE, "00", EVERYWHERE, "00"), policy("00 00", "02", "01")));
    }

    @Test
    void shouldPassOverDamagedMessages()
    {
        assertEquals(List.of(), concerned(policy(INET, "02", "01").replace(" ", "").substring(0, 240)));
    }

    /** Bytes for in, fwd and out: 1 is block, 2 is accept. */
    @ParameterizedTest
    @CsvSource({"010000, ''", "020202, ''", "000100, fwd", "000001, out", "010101, fwd out", "0001, ''"})
    void shouldTakeDefaultsThatBlock(final String bytes, final String directions)
    {
        final List<HostRestriction> restrictions = new ArrayList<>();
        IpsecPolicies.addDefault(HexMessage.message(GETDEFAULT, 0, bytes), restrictions);
        assertEquals(directions, String.join(" ", restrictions.stream()
            .map(restriction -> restriction.text().replaceAll("IPsec default of direction (\\w+): block", "$1"))
            .toList()));
    }

    @Test
    void shouldReadPoliciesAndDefaultsOfTheKernel()
    {
        Require.root();
        try (IpsecPolicies policies = IpsecPolicies.open(true))
        {
            policies.restrictions();
            assertEquals(false, policies.poll());
        }
    }

    private static List<HostRestriction> concerned(final String... messages)
    {
        final Map<IpsecPolicies.Concern, IpsecPolicies.Selectors> concerned = new TreeMap<>();
        final IpsecPolicies policies = IpsecPolicies.withoutKernel();
        for (final String message : messages)
        {
            policies.addPolicy(HexMessage.message(NEWPOLICY, 0, message), concerned);
        }
        return concerned.entrySet().stream().map(entry -> entry.getKey().restriction(entry.getValue())).toList();
    }

    private static String policy(final String family, final String direction, final String action)
    {
        return policy(family, direction, action, "0a000100", "18", "0a000000", "18");
    }

    /**
     * struct xfrm_userpolicy_info: selector with both addresses, ports, family, prefix lengths, protocol, interface and
     * user; lifetimes; priority and index; direction, action, flags, share and padding. The first four bytes of
     * addresses are given; all numbers are hexadecimal.
     */
    private static String policy(
        final String family,
        final String direction,
        final String action,
        final String destination,
        final String destinationLength,
        final String source,
        final String sourceLength)
    {
        return destination + "00".repeat(12) + source + "00".repeat(12) + "00".repeat(8) + family + destinationLength +
            sourceLength + "00 000000" + "00000000 00000000" + "ff".repeat(64) + "00".repeat(32) + "00000000 08000000" +
            direction + action + "00 00 00000000";
    }
}
