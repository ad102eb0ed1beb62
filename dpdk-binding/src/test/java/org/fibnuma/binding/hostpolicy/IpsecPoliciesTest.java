package org.fibnuma.binding.hostpolicy;

import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.core.Require;
import org.fibnuma.core.kernel.HostRestriction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

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

    /** Directions are in 0, out 1, fwd 2, and from 3 those of sockets; actions are allow 0, block 1. */
    @ParameterizedTest
    @CsvSource({
        "00, 01, true, false", "00, 00, true, false",
        "01, 01, false, true", "01, 00, true, true", "01, 00, false, false",
        "02, 01, false, true", "02, 00, true, true", "02, 00, false, true",
        "03, 01, true, false", "04, 01, true, false"})
    void shouldTakeWhatConcernsForwardedPackets(
        final String direction, final String action, final boolean hasTemplate, final boolean concerns)
    {
        final Set<IpsecPolicies.Concern> concerned =
            concerned(policy(INET, direction, action) + (hasTemplate ? TEMPLATE : ""));
        assertEquals(concerns ? 1 : 0, concerned.size());
    }

    @Test
    void shouldNameDirectionAndFamily()
    {
        final Set<IpsecPolicies.Concern> concerned = concerned(
            policy(INET, "02", "01"), policy(INET, "02", "00"), policy(INET6, "01", "01"), policy("00 00", "02", "01"));
        assertEquals(List.of(
            new HostRestriction(HostRestriction.Kind.IPSEC, "IPsec policies of direction fwd for packets",
                "ip xfrm policy list dir fwd"),
            new HostRestriction(HostRestriction.Kind.IPSEC, "IPsec policies of direction fwd for IPv4 packets",
                "ip xfrm policy list dir fwd", HostRestriction.Scope.family(false)),
            new HostRestriction(HostRestriction.Kind.IPSEC, "IPsec policies of direction out for IPv6 packets",
                "ip xfrm policy list dir out", HostRestriction.Scope.family(true))),
            concerned.stream().map(IpsecPolicies.Concern::restriction).toList());
    }

    @Test
    void shouldPassOverDamagedMessages()
    {
        assertEquals(Set.of(), concerned(policy(INET, "02", "01").substring(0, 240)));
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

    private static Set<IpsecPolicies.Concern> concerned(final String... messages)
    {
        final Set<IpsecPolicies.Concern> concerned = new TreeSet<>();
        final IpsecPolicies policies = IpsecPolicies.withoutKernel();
        for (final String message : messages)
        {
            policies.addPolicy(HexMessage.message(NEWPOLICY, 0, message), concerned);
        }
        return concerned;
    }

    /**
     * struct xfrm_userpolicy_info: selector with both addresses, ports, family, prefix lengths, protocol, interface and
     * user; lifetimes; priority and index; direction, action, flags, share and padding.
     */
    private static String policy(final String family, final String direction, final String action)
    {
        return "0a000100" + "00".repeat(12) + "0a000000" + "00".repeat(12) + "00".repeat(8) + family + "18 18 00" +
            "000000" + "00000000 00000000" + "ff".repeat(64) + "00".repeat(32) + "00000000 08000000" +
            direction + action + "00 00 00000000";
    }
}
