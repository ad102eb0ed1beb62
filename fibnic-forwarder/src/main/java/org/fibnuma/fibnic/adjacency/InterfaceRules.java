package org.fibnuma.fibnic.adjacency;

import org.fibnuma.fibnic.fib.FibRules;

/**
 * How the packets of one ingress interface, or those of the host itself, are routed where this is not by the main table
 * alone; null for that.
 *
 * @param ipv4 rules for IPv4 packets.
 * @param ipv6 rules for IPv6 packets.
 */
public record InterfaceRules(FibRules ipv4, FibRules ipv6)
{
    /** Every packet is routed by the main table. */
    public static final InterfaceRules NONE = new InterfaceRules(null, null);

    /** Returns the rules for packets of a family, or null. */
    public FibRules of(final boolean isIpv6)
    {
        return isIpv6 ? ipv6 : ipv4;
    }
}
