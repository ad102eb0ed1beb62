package org.fibnuma.binding.netfilter;

import org.fibnuma.core.flow.FlowPacket;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.core.wire.IpProtocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A rule that acts on single packets.
 *
 * @param expression that does.
 * @param chain      of the rule; empty if it is the chain of the hook.
 * @param rule       its handle as {@code nft -a} prints it, or its number in its chain of x_tables, from 1.
 */
record PacketFinding(String expression, String chain, long rule)
{
    /** A walk of a chain. */
    @FunctionalInterface
    interface Walk
    {
        /** Returns the first rule that acts on single packets of a family and protocol; null if there is none. */
        PacketFinding find(boolean isIpv6, int protocol);
    }

    /**
     * Returns what a chain of a hook restricts: the whole chain, and each rule that acts on single packets of some
     * protocols. Only the rule if it acts on all packets.
     *
     * @param whole   restriction of kind {@link HostRestriction.Kind#NETFILTER} that the chain is.
     * @param command that displays a chain whose name follows.
     * @param name    of the chain of the hook.
     */
    static List<HostRestriction> restrictions(
        final HostRestriction whole, final String command, final String name, final Walk walk)
    {
        final Map<PacketFinding, Packets> findings = new LinkedHashMap<>();
        final Packets all = new Packets();
        for (final boolean isIpv6 : new boolean[]{false, true})
        {
            for (final int protocol : new TreeSet<>(FlowPacket.protocols(isIpv6)))
            {
                if (whole.scope().includes(isIpv6, protocol))
                {
                    final PacketFinding finding = walk.find(isIpv6, protocol);
                    all.add(isIpv6, protocol);
                    if (finding != null)
                    {
                        findings.computeIfAbsent(finding, absent -> new Packets()).add(isIpv6, protocol);
                    }
                }
            }
        }
        final List<HostRestriction> restrictions = new ArrayList<>();
        if (!findings.containsValue(all))
        {
            restrictions.add(whole);
        }
        findings.forEach((finding, packets) -> restrictions.add(new HostRestriction(
            HostRestriction.Kind.NETFILTER_PACKET,
            whole.text() + ": " + finding.expression + " in rule " + finding.rule +
            (finding.chain.isEmpty() ? "" : " of chain " + finding.chain) + packets.suffix(all),
            command + (finding.chain.isEmpty() ? name : finding.chain), packets.scope())));
        return restrictions;
    }

    /** Packets by family and protocol. */
    private record Packets(Set<Integer> ipv4, Set<Integer> ipv6)
    {
        Packets()
        {
            this(new TreeSet<>(), new TreeSet<>());
        }

        void add(final boolean isIpv6, final int protocol)
        {
            (isIpv6 ? ipv6 : ipv4).add(protocol);
        }

        /** Returns whether either family has all protocols or none. */
        private boolean isByFamily()
        {
            return (ipv4.isEmpty() || ipv4.equals(FlowPacket.protocols(false))) &&
                (ipv6.isEmpty() || ipv6.equals(FlowPacket.protocols(true)));
        }

        private Set<Integer> protocols()
        {
            final Set<Integer> protocols = new TreeSet<>(ipv4);
            protocols.addAll(ipv6);
            return protocols;
        }

        HostRestriction.Scope scope()
        {
            final HostRestriction.Scope families = new HostRestriction.Scope(
                !ipv4.isEmpty(), !ipv6.isEmpty(), HostRestriction.Scope.ALL_INTERFACES, true);
            return isByFamily() ? families : families.of(protocols());
        }

        /** Returns which of {@code all} packets they are, as the end of a description. */
        String suffix(final Packets all)
        {
            final String protocols = isByFamily() ? "" :
                protocols().stream().map(IpProtocol::name).collect(Collectors.joining(", "));
            final String family = ipv4.isEmpty() && !all.ipv4.isEmpty() ? "IPv6" :
                ipv6.isEmpty() && !all.ipv6.isEmpty() ? "IPv4" : "";
            return protocols.isEmpty() && family.isEmpty() ? "" : ", for " + protocols +
                (protocols.isEmpty() || family.isEmpty() ? "" : " over ") + family;
        }
    }
}
