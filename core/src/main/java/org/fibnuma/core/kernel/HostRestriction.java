package org.fibnuma.core.kernel;

/**
 * Restriction of forwarded packets on this host which a router beside the kernel does not apply.
 *
 * @param kind     mechanism that restricts.
 * @param text     short description for the user.
 * @param command  that displays the restriction to an administrator.
 * @param ipv6Only whether it applies to no packets but IPv6.
 */
public record HostRestriction(Kind kind, String text, String command, boolean ipv6Only)
{
    /** A restriction that applies to IPv4 packets too; parameters as above. */
    public HostRestriction(final Kind kind, final String text, final String command)
    {
        this(kind, text, command, false);
    }

    /** Mechanisms that restrict forwarded packets. */
    public enum Kind
    {
        /** A chain of nftables or iptables that can drop or change a packet. */
        NETFILTER,
        /** A rule that selects another routing table ({@code ip rule}). */
        RULE,
        /** An interface in a VRF, whose packets are routed by another table. */
        VRF,
        /** A filter or program of traffic control (tc) on an interface. */
        TRAFFIC_CONTROL,
        /** Packet filters that this process has no permission to read, so that their effect is unknown. */
        UNREADABLE
    }
}
