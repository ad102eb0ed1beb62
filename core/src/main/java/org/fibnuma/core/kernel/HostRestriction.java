package org.fibnuma.core.kernel;

import org.fibnuma.core.wire.IpPrefix;

import java.util.Set;

/**
 * Restriction of forwarded packets on this host that a router beside the kernel does not apply.
 *
 * @param kind    mechanism that restricts.
 * @param text    short description for the user.
 * @param command that displays the restriction to an administrator.
 * @param scope   packets to which the restriction may apply.
 */
public record HostRestriction(Kind kind, String text, String command, Scope scope)
{
    /** Makes a restriction that may apply to all forwarded packets. */
    public HostRestriction(final Kind kind, final String text, final String command)
    {
        this(kind, text, command, Scope.ALL);
    }

    /** Returns whether the restriction applies to IPv6 packets only. */
    public boolean ipv6Only()
    {
        return !scope.ipv4 && scope.ipv6;
    }

    /**
     * Returns what this restriction is on a host whose flowtables take packets past it: {@link Kind#NETFILTER_OFFLOAD}
     * instead of {@link Kind#NETFILTER_PACKET} if they take all families of its packets.
     */
    public HostRestriction exceptOffloaded(final AddressFamilies offloaded)
    {
        return kind == Kind.NETFILTER_PACKET && offloaded.cover(scope) ?
            new HostRestriction(Kind.NETFILTER_OFFLOAD, text, command, scope) : this;
    }

    /**
     * Packets to which a restriction may apply. The kernel must receive all of them to apply the restriction.
     *
     * @param ipv4           whether IPv4 packets are included.
     * @param ipv6           whether IPv6 packets are included.
     * @param interfaceIndex of the only interface, {@link #ALL_INTERFACES} for all.
     * @param sent           true if packets that the interface sends are included, false for received packets only.
     * @param destinations   packets to these prefixes are included.
     * @param sources        packets from these prefixes are included. Without any prefix all packets are.
     * @param protocols      numbers of the only protocols that are included. Without any all packets are.
     */
    public record Scope(
        boolean ipv4,
        boolean ipv6,
        int interfaceIndex,
        boolean sent,
        Set<IpPrefix> destinations,
        Set<IpPrefix> sources,
        Set<Integer> protocols)
    {
        public static final int ALL_INTERFACES = 0;
        /** All forwarded packets. */
        public static final Scope ALL = new Scope(true, true, ALL_INTERFACES, true);
        /** No packets beside those that the kernel receives in any case. */
        public static final Scope NONE = new Scope(false, false, ALL_INTERFACES, false);

        /** Makes a scope of packets by family and interface. */
        public Scope(final boolean ipv4, final boolean ipv6, final int interfaceIndex, final boolean sent)
        {
            this(ipv4, ipv6, interfaceIndex, sent, Set.of(), Set.of(), Set.of());
        }

        /** Returns a scope of packets of one family to or from prefixes, of which there is at least one. */
        public static Scope prefixes(
            final boolean ipv6, final Set<IpPrefix> destinations, final Set<IpPrefix> sources)
        {
            return new Scope(!ipv6, ipv6, ALL_INTERFACES, true, destinations, sources, Set.of());
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

        /** Returns the packets of this scope that are of one of some protocols. */
        public Scope of(final Set<Integer> some)
        {
            return new Scope(ipv4, ipv6, interfaceIndex, sent, destinations, sources, Set.copyOf(some));
        }

        /** Returns whether packets of a family and protocol are included, by some interfaces or prefixes at least. */
        public boolean includes(final boolean isIpv6, final int protocol)
        {
            return (isIpv6 ? ipv6 : ipv4) && (protocols.isEmpty() || protocols.contains(protocol));
        }

        /** Returns whether the scope includes all interfaces. */
        public boolean isEverywhere()
        {
            return interfaceIndex == ALL_INTERFACES;
        }

        /** Returns whether the scope depends on the addresses of packets. */
        public boolean isByPrefix()
        {
            return !destinations.isEmpty() || !sources.isEmpty();
        }

        /** Returns whether the scope depends on the protocol of packets. */
        public boolean isByProtocol()
        {
            return !protocols.isEmpty();
        }
    }

    /** Mechanisms that restrict forwarded packets. */
    public enum Kind
    {
        /**
         * A chain of nftables or iptables that can drop or change a packet, and decides alike for all later packets of
         * an established connection.
         */
        NETFILTER,
        /** A chain or hook of netfilter that judges or changes single packets of an established connection. */
        NETFILTER_PACKET,
        /**
         * As {@link #NETFILTER_PACKET}, on a host that puts connections into a flowtable ({@code flow add}). The kernel
         * forwards their packets past the chain, whichever port receives them.
         */
        NETFILTER_OFFLOAD,
        /** A queueing discipline that can delay, drop or mark a packet. */
        QUEUEING_DISCIPLINE,
        /** A filter or program of traffic control (tc) on an interface. */
        TRAFFIC_CONTROL,
        /** Packet filters of unknown effect, which this process has no permission to read. */
        UNREADABLE,
        /** A policy of IPsec ({@code ip xfrm policy}) for forwarded or sent packets. */
        IPSEC,
        /** A rule of policy routing ({@code ip rule}) with a condition or action that the router does not have. */
        RULE,
        /** An interface in a VRF, whose packets are routed by another table. */
        VRF,
        /** An interface in a bridge, bond, team or Open vSwitch, which processes the packets of the interface. */
        MASTER,
        /** An interface with its own address above another interface: macvlan, macvtap, ipvlan, macsec. */
        UPPER_INTERFACE;

        /** Returns whether it is a chain or hook of netfilter whose connections may be followed. */
        public boolean isPacketFilter()
        {
            return this == NETFILTER || this == NETFILTER_PACKET || this == NETFILTER_OFFLOAD;
        }
    }
}
