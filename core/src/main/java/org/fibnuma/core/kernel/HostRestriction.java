package org.fibnuma.core.kernel;

import org.fibnuma.core.wire.IpPrefix;

import java.util.Set;

/**
 * Restriction of forwarded packets on this host which a router beside the kernel does not apply.
 *
 * @param kind    mechanism that restricts.
 * @param text    short description for the user.
 * @param command that displays the restriction to an administrator.
 * @param scope   packets that the restriction may concern.
 */
public record HostRestriction(Kind kind, String text, String command, Scope scope)
{
    /** A restriction that may concern all forwarded packets; parameters as above. */
    public HostRestriction(final Kind kind, final String text, final String command)
    {
        this(kind, text, command, Scope.ALL);
    }

    /** Returns whether the restriction concerns no packets but IPv6. */
    public boolean ipv6Only()
    {
        return !scope.ipv4 && scope.ipv6;
    }

    /**
     * Packets that a restriction may concern. The kernel must have all of them for the restriction to apply.
     *
     * @param ipv4           whether IPv4 packets are concerned.
     * @param ipv6           whether IPv6 packets are concerned.
     * @param interfaceIndex of the only interface that is concerned, {@link #ALL_INTERFACES} for all.
     * @param sent           false if packets are concerned only if this interface has received them, true if also those
     *                       that leave by it are.
     * @param destinations   packets to these prefixes are concerned.
     * @param sources        packets from these prefixes are concerned, too; with neither, all packets are.
     */
    public record Scope(
        boolean ipv4,
        boolean ipv6,
        int interfaceIndex,
        boolean sent,
        Set<IpPrefix> destinations,
        Set<IpPrefix> sources)
    {
        /** The index for all interfaces. */
        public static final int ALL_INTERFACES = 0;
        /** All forwarded packets. */
        public static final Scope ALL = new Scope(true, true, ALL_INTERFACES, true);
        /** No packets but those that the kernel has in any case. */
        public static final Scope NONE = new Scope(false, false, ALL_INTERFACES, false);

        /** Packets by family and interface; parameters as above. */
        public Scope(final boolean ipv4, final boolean ipv6, final int interfaceIndex, final boolean sent)
        {
            this(ipv4, ipv6, interfaceIndex, sent, Set.of(), Set.of());
        }

        /** Returns a scope of packets of one family to or from prefixes, of which there is at least one. */
        public static Scope prefixes(
            final boolean ipv6, final Set<IpPrefix> destinations, final Set<IpPrefix> sources)
        {
            return new Scope(!ipv6, ipv6, ALL_INTERFACES, true, destinations, sources);
        }

        /** Returns a scope of all packets of one family. */
        public static Scope family(final boolean ipv6)
        {
            return new Scope(!ipv6, ipv6, ALL_INTERFACES, true);
        }

        /** Returns a scope of all packets that an interface receives or sends. */
        public static Scope device(final int interfaceIndex)
        {
            return new Scope(true, true, interfaceIndex, true);
        }

        /** Returns a scope of the packets that an interface receives. */
        public static Scope received(final int interfaceIndex)
        {
            return new Scope(true, true, interfaceIndex, false);
        }

        /** Returns whether all interfaces are concerned. */
        public boolean isEverywhere()
        {
            return interfaceIndex == ALL_INTERFACES;
        }

        /** Returns whether packets are concerned by their addresses. */
        public boolean isByPrefix()
        {
            return !destinations.isEmpty() || !sources.isEmpty();
        }
    }

    /** Mechanisms that restrict forwarded packets. */
    public enum Kind
    {
        /** A chain of nftables or iptables, or a hook of netfilter, that can drop or change a packet. */
        NETFILTER,
        /** A queueing discipline that can delay, drop or mark a packet. */
        QUEUEING_DISCIPLINE,
        /** A filter or program of traffic control (tc) on an interface. */
        TRAFFIC_CONTROL,
        /** Packet filters that this process has no permission to read, so that their effect is unknown. */
        UNREADABLE,
        /** A policy of IPsec ({@code ip xfrm policy}) for forwarded or sent packets. */
        IPSEC,
        /** A rule that selects another routing table ({@code ip rule}). */
        RULE,
        /** An interface in a VRF, whose packets are routed by another table. */
        VRF,
        /** An interface in a bridge, bond, team or Open vSwitch, which has the packets of the interface. */
        MASTER,
        /** An interface above another one with an address of its own: macvlan, macvtap, ipvlan, macsec. */
        UPPER_INTERFACE
    }
}
