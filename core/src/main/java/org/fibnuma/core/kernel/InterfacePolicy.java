package org.fibnuma.core.kernel;

/**
 * The host's policy for packets that an interface receives and that are not for this host. Linux has no reverse-path
 * check for IPv6 but the one of a packet filter.
 *
 * @param ipv4Forwarding whether IPv4 packets are forwarded ({@code net.ipv4.conf.IF.forwarding}).
 * @param reversePath    how the source address of IPv4 packets is checked.
 * @param ipv6Forwarding whether IPv6 packets are forwarded: {@code net.ipv6.conf.all.forwarding} or
 *                       {@code net.ipv6.conf.IF.force_forwarding}, and not {@code net.ipv6.conf.IF.disable_ipv6}.
 */
public record InterfacePolicy(boolean ipv4Forwarding, ReversePath reversePath, boolean ipv6Forwarding)
{
    /** Forwards everything; the policy of an interface for which the host has none. */
    public static final InterfacePolicy OPEN = new InterfacePolicy(true, ReversePath.OFF, true);
}
