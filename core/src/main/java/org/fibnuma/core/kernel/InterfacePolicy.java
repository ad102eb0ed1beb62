package org.fibnuma.core.kernel;

/**
 * The host's policy for packets that an interface receives and that are not for this host. For IPv6, Linux checks the
 * reverse path only in packet filters.
 *
 * @param ipv4        which IPv4 packets a router may forward: none if {@code net.ipv4.conf.IF.forwarding} is 0.
 * @param reversePath how the source address of IPv4 packets is checked.
 * @param ipv6        which IPv6 packets a router may forward: none unless {@code net.ipv6.conf.all.forwarding} or
 *                    {@code net.ipv6.conf.IF.force_forwarding} is set, and not {@code net.ipv6.conf.IF.disable_ipv6}.
 */
public record InterfacePolicy(Transit ipv4, ReversePath reversePath, Transit ipv6)
{
    /** Policy that forwards everything, for interfaces without a policy. */
    public static final InterfacePolicy OPEN = new InterfacePolicy(true, ReversePath.OFF, true);

    /** Makes the policy of a host that forwards all packets of a family or none. */
    public InterfacePolicy(final boolean ipv4Forwarding, final ReversePath reversePath, final boolean ipv6Forwarding)
    {
        this(Transit.of(ipv4Forwarding), reversePath, Transit.of(ipv6Forwarding));
    }

    /** Returns whether any IPv4 packets may be forwarded. */
    public boolean ipv4Forwarding()
    {
        return ipv4 != Transit.KERNEL;
    }

    /** Returns whether any IPv6 packets may be forwarded. */
    public boolean ipv6Forwarding()
    {
        return ipv6 != Transit.KERNEL;
    }

    /** Returns whether packets of a family are forwarded only if they belong to a flow. */
    public boolean flowsOnly()
    {
        return ipv4 == Transit.FLOWS || ipv6 == Transit.FLOWS;
    }
}
