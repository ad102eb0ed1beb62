package org.fibnuma.core.kernel;

/**
 * The host's policy for IPv4 packets that an interface receives.
 *
 * @param forwarding  whether they are forwarded ({@code net.ipv4.conf.IF.forwarding}).
 * @param reversePath how their source address is checked.
 */
public record InterfacePolicy(boolean forwarding, ReversePath reversePath)
{
    /** Forwards everything; the policy of an interface for which the host has none. */
    public static final InterfacePolicy OPEN = new InterfacePolicy(true, ReversePath.OFF);
}
