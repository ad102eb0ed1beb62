package org.fibnuma.core.kernel;

/**
 * What the host has decided about IPv4 packets that come in by one interface.
 *
 * @param forwarding  whether they are forwarded ({@code net.ipv4.conf.IF.forwarding}).
 * @param reversePath how their source is checked.
 */
public record InterfacePolicy(boolean forwarding, ReversePath reversePath)
{
    /** Forwards everything: of an interface about which the host says nothing. */
    public static final InterfacePolicy OPEN = new InterfacePolicy(true, ReversePath.OFF);
}
