package org.fibnuma.core.flow;

import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.Icmpv6HeaderFlyweight;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv6Address;

/**
 * Addresses, protocol and ports that the packets of one direction of a connection have. Both addresses are of the same
 * family, in the format of {@link IpAddress}.
 * <p>
 * An ICMP or ICMPv6 query has no ports: {@code sourcePort} is its identifier, and {@code destinationPort} is its type
 * in the upper 8 of 16 bits and its code in the lower 8. Both are 0 for a protocol without ports.
 *
 * @param sourceHigh      high half of the source address.
 * @param sourceLow       low half of the source address.
 * @param destinationHigh high half of the destination address.
 * @param destinationLow  low half of the destination address.
 * @param protocol        number of {@link IpProtocol}, 0 to 255.
 * @param sourcePort      0 to 65,535.
 * @param destinationPort 0 to 65,535.
 */
public record FlowTuple(
    long sourceHigh, long sourceLow, long destinationHigh, long destinationLow,
    int protocol, int sourcePort, int destinationPort)
{
    private static final int CODE_MASK = 0xFF;

    /** Returns whether the addresses are IPv6. */
    public boolean isIpv6()
    {
        return !Ipv6Address.isIpv4Mapped(sourceHigh, sourceLow);
    }

    /** Returns whether the protocol is ICMP or ICMPv6, whose queries have no ports. */
    public boolean isIcmp()
    {
        return protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6;
    }

    /** Returns whether it is of an ICMP or ICMPv6 echo request or reply. */
    public boolean isEcho()
    {
        return isIcmp() && answerType() != icmpType();
    }

    /** Returns the type of an ICMP or ICMPv6 query; undefined for other protocols. */
    public int icmpType()
    {
        return destinationPort >>> Byte.SIZE;
    }

    /** Returns the code of an ICMP or ICMPv6 query; undefined for other protocols. */
    public int icmpCode()
    {
        return destinationPort & CODE_MASK;
    }

    /**
     * Returns the tuple of the answers without address translation: source and destination are exchanged. Of ICMP and
     * ICMPv6, the identifier and the code stay, an echo request becomes an echo reply and the reverse, and other types
     * stay.
     */
    public FlowTuple inverse()
    {
        return isIcmp() ?
            new FlowTuple(destinationHigh, destinationLow, sourceHigh, sourceLow, protocol, sourcePort,
            answerType() << Byte.SIZE | icmpCode()) :
            new FlowTuple(destinationHigh, destinationLow, sourceHigh, sourceLow, protocol, destinationPort,
            sourcePort);
    }

    private int answerType()
    {
        final int type = icmpType();
        if (protocol == IpProtocol.ICMP)
        {
            return switch (type)
            {
                case IcmpHeaderFlyweight.TYPE_ECHO_REQUEST -> IcmpHeaderFlyweight.TYPE_ECHO_REPLY;
                case IcmpHeaderFlyweight.TYPE_ECHO_REPLY -> IcmpHeaderFlyweight.TYPE_ECHO_REQUEST;
                default -> type;
            };
        }
        return switch (type)
        {
            case Icmpv6HeaderFlyweight.TYPE_ECHO_REQUEST -> Icmpv6HeaderFlyweight.TYPE_ECHO_REPLY;
            case Icmpv6HeaderFlyweight.TYPE_ECHO_REPLY -> Icmpv6HeaderFlyweight.TYPE_ECHO_REQUEST;
            default -> type;
        };
    }

    /**
     * Returns one line such as {@code tcp 192.0.2.1:1234 > 198.51.100.2:80}, {@code udp [2001:db8::1]:53 >
     * [2001:db8::2]:4000} or {@code icmp 192.0.2.1 > 198.51.100.2 id 7 type 8 code 0}.
     */
    @Override
    public String toString()
    {
        final String source = IpAddress.format(sourceHigh, sourceLow);
        final String destination = IpAddress.format(destinationHigh, destinationLow);
        return IpProtocol.name(protocol) + " " + (isIcmp() ?
            source + " > " + destination + " id " + sourcePort + " type " + icmpType() + " code " + icmpCode() :
            withPorts(source, destination));
    }

    private String withPorts(final String source, final String destination)
    {
        return isIpv6() ? "[" + source + "]:" + sourcePort + " > [" + destination + "]:" + destinationPort :
            source + ":" + sourcePort + " > " + destination + ":" + destinationPort;
    }
}
