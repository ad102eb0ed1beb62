package org.fibnuma.fibnic.acl;

import org.fibnuma.core.wire.IpAddress;

/**
 * The fields of a packet that access lists compare.
 *
 * @param source          address; both addresses are of one family.
 * @param destination     address.
 * @param protocol        of the transport header, 0 to 255.
 * @param sourcePort      0 to 65,535; of ICMP the type; 0 if the packet has none.
 * @param destinationPort 0 to 65,535; of ICMP the code; 0 if the packet has none.
 * @param tcpFlags        the eight flags of TCP, 0 for other protocols.
 * @param dscp            0 to 63.
 * @param state           a state of {@link AccessKeys}.
 */
public record AccessPacket(
    IpAddress source,
    IpAddress destination,
    int protocol,
    int sourcePort,
    int destinationPort,
    int tcpFlags,
    int dscp,
    int state)
{
    /** Returns whether the packet is IPv6. */
    public boolean isIpv6()
    {
        return !source.isIpv4();
    }

    /** Returns whether the ports, the ICMP type and code and the TCP flags are known. */
    public boolean hasTransport()
    {
        return state == AccessKeys.WHOLE || state == AccessKeys.FIRST_FRAGMENT;
    }
}
