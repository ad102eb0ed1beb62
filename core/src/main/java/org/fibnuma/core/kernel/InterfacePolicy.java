package org.fibnuma.core.kernel;

/**
 * The host's policy for packets that an interface receives and that are not for this host. For IPv6, Linux checks the
 * reverse path only in packet filters.
 *
 * @param ipv4Forwarding whether IPv4 packets are forwarded ({@code net.ipv4.conf.IF.forwarding}).
 * @param reversePath    how the source address of IPv4 packets is checked.
 * @param ipv6Forwarding whether IPv6 packets are forwarded: {@code net.ipv6.conf.all.forwarding} or
 *                       {@code net.ipv6.conf.IF.force_forwarding}, and not {@code net.ipv6.conf.IF.disable_ipv6}.
 */
public record InterfacePolicy(boolean ipv4Forwarding, ReversePath reversePath, boolean ipv6Forwarding)
{
    /** Policy that forwards everything, for interfaces without a policy. */
    public static final InterfacePolicy OPEN = new InterfacePolicy(true, ReversePath.OFF, true);
}
