package org.fibnuma.core.kernel;

/**
 * One thing that the host has decided about packets that it forwards and that a router beside the kernel does not
 * follow.
 *
 * @param kind    of it.
 * @param text    what it is, in a few words that name it.
 * @param command that shows it to an administrator.
 */
public record HostRestriction(Kind kind, String text, String command)
{
    /** What a restriction is made of. */
    public enum Kind
    {
        /** A chain of nftables or iptables that can drop or change a packet. */
        NETFILTER,
        /** A rule that chooses another routing table ({@code ip rule}). */
        RULE,
        /** An interface in a VRF, whose packets are routed by a table of its own. */
        VRF,
        /** A filter or program of traffic control on an interface. */
        TRAFFIC_CONTROL,
        /** Packet filters that this process may not read, so that nobody knows whether they restrict anything. */
        UNREADABLE
    }
}
