package org.fibnuma.fibnic.verify;

import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.RouteOptions;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyGroup;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Compares and describes expected adjacencies and those of the FIB. Two groups are equal if they have the same members
 * and weights in any order; which members are left out at the moment is not compared.
 */
final class AdjacencyTexts
{
    private final IntFunction<String> interfaceNames;
    private final IntFunction<Adjacency> expectedMembers;
    private final IntFunction<Adjacency> actualMembers;
    private final Map<Adjacency, String> expectedGroups = new IdentityHashMap<>();
    private final Map<Adjacency, String> actualGroups = new IdentityHashMap<>();

    AdjacencyTexts(final ExpectedTable table, final AdjacencyTable adjacencies)
    {
        this.interfaceNames = table::interfaceName;
        this.expectedMembers = table::member;
        this.actualMembers = adjacencies::get;
    }

    boolean areEqual(final Adjacency expected, final Adjacency actual)
    {
        return expected.kind() == AdjacencyKind.GROUP && actual.kind() == AdjacencyKind.GROUP ?
            ofExpected(expected).equals(ofActual(actual)) : expected.equals(actual);
    }

    String ofExpected(final Adjacency adjacency)
    {
        return expectedGroups.containsKey(adjacency) ? expectedGroups.get(adjacency) :
            describe(adjacency, expectedMembers, expectedGroups);
    }

    String ofActual(final Adjacency adjacency)
    {
        return actualGroups.containsKey(adjacency) ? actualGroups.get(adjacency) :
            describe(adjacency, actualMembers, actualGroups);
    }

    private String describe(
        final Adjacency adjacency, final IntFunction<Adjacency> members, final Map<Adjacency, String> groups)
    {
        if (adjacency.kind() != AdjacencyKind.GROUP)
        {
            return describe(adjacency);
        }
        final AdjacencyGroup group = adjacency.group();
        final List<String> texts = new ArrayList<>();
        for (int i = 0; i < group.size(); i++)
        {
            texts.add(describe(members.apply(group.member(i))) + " weight " + group.weight(i));
        }
        Collections.sort(texts);
        final String text = "group of " + String.join(", ", texts);
        groups.put(adjacency, text);
        return text;
    }

    private String describe(final Adjacency adjacency)
    {
        final StringBuilder text =
            new StringBuilder(adjacency.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        if (adjacency.egressPort() >= 0)
        {
            text.append(" port ").append(adjacency.egressPort()).append(" mtu ").append(adjacency.mtu());
            if (adjacency.ipv6Mtu() != adjacency.mtu())
            {
                text.append(" ipv6-mtu ").append(adjacency.ipv6Mtu());
            }
        }
        if (!adjacency.nextHop().isNone())
        {
            text.append(" via ").append(adjacency.nextHop());
        }
        if (adjacency.destinationMac() != 0)
        {
            text.append(" at ").append(MacAddress.format(adjacency.destinationMac()))
                .append(" from ").append(MacAddress.format(adjacency.sourceMac()));
        }
        if (!adjacency.options().source().isNone())
        {
            text.append(" src ").append(adjacency.options().source());
        }
        if (adjacency.options().scope() != RouteOptions.SCOPE_UNIVERSE)
        {
            text.append(" scope ").append(adjacency.options().scope());
        }
        if (adjacency.egressPort() >= 0 && InterfaceNumber.vlanOf(adjacency.egressInterface()) != 0)
        {
            text.append(" by ").append(interfaceNames.apply(adjacency.egressInterface()));
        }
        return text.toString();
    }
}
