package org.fibnuma.binding.conntrack;

import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;

import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_IP_V4_DST;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_IP_V4_SRC;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_IP_V6_DST;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_IP_V6_SRC;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTO_DST_PORT;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTO_ICMPV6_CODE;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTO_ICMPV6_ID;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTO_ICMPV6_TYPE;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTO_ICMP_CODE;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTO_ICMP_ID;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTO_ICMP_TYPE;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTO_NUM;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_PROTO_SRC_PORT;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_TUPLE_IP;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_TUPLE_PROTO;
import static org.fibnuma.binding.conntrack.ConntrackLayout.CTA_TUPLE_ZONE;

/** Reads and writes the attributes CTA_TUPLE_ORIG and CTA_TUPLE_REPLY. One thread. */
final class TupleCodec
{
    private static final int NONE = -1;

    private final NetlinkAttributeFlyweight parts = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight fields = new NetlinkAttributeFlyweight();
    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;
    private int protocol;
    private int sourcePort;
    private int destinationPort;
    private boolean hasSource;
    private boolean hasDestination;
    private boolean hasZone;

    /**
     * Reads a tuple.
     *
     * @param tuple  attribute that contains it.
     * @param isIpv6 family of the message.
     * @return the tuple; null if it is malformed, has no addresses of the family or no protocol, or has IPv4-mapped
     * IPv6 addresses.
     */
    FlowTuple read(final NetlinkAttributeFlyweight tuple, final boolean isIpv6)
    {
        hasSource = false;
        hasDestination = false;
        hasZone = false;
        protocol = NONE;
        sourcePort = 0;
        destinationPort = 0;
        parts.wrapNested(tuple);
        boolean isMalformed = false;
        while (parts.next())
        {
            fields.wrapNested(parts);
            switch (parts.type())
            {
                case CTA_TUPLE_IP -> isMalformed |= !readAddresses(isIpv6);
                case CTA_TUPLE_PROTO -> isMalformed |= !readProtocol();
                case CTA_TUPLE_ZONE -> hasZone = true;
                default ->
                {
                }
            }
        }
        return isMalformed || parts.isMalformed() || !hasSource || !hasDestination || protocol == NONE ||
            Ipv6Address.isIpv4Mapped(sourceHigh, sourceLow) == isIpv6 ||
            Ipv6Address.isIpv4Mapped(destinationHigh, destinationLow) == isIpv6 ? null :
            new FlowTuple(
            sourceHigh, sourceLow, destinationHigh, destinationLow, protocol, sourcePort, destinationPort);
    }

    /** Returns whether the last tuple has a zone of its own direction. */
    boolean hasZone()
    {
        return hasZone;
    }

    private boolean readAddresses(final boolean isIpv6)
    {
        final int length = isIpv6 ? Ipv6Address.LENGTH : Ipv4Address.LENGTH;
        while (fields.next())
        {
            if (fields.valueLength() == length)
            {
                if (fields.type() == (isIpv6 ? CTA_IP_V6_SRC : CTA_IP_V4_SRC))
                {
                    sourceHigh = fields.addressHigh();
                    sourceLow = fields.addressLow();
                    hasSource = true;
                }
                else if (fields.type() == (isIpv6 ? CTA_IP_V6_DST : CTA_IP_V4_DST))
                {
                    destinationHigh = fields.addressHigh();
                    destinationLow = fields.addressLow();
                    hasDestination = true;
                }
            }
        }
        return !fields.isMalformed();
    }

    private boolean readProtocol()
    {
        int type = 0;
        int code = 0;
        while (fields.next())
        {
            switch (fields.type())
            {
                case CTA_PROTO_NUM -> protocol = fields.byteValue(NONE);
                case CTA_PROTO_SRC_PORT, CTA_PROTO_ICMP_ID, CTA_PROTO_ICMPV6_ID ->
                    sourcePort = fields.networkShortValue(0);
                case CTA_PROTO_DST_PORT -> destinationPort = fields.networkShortValue(0);
                case CTA_PROTO_ICMP_TYPE, CTA_PROTO_ICMPV6_TYPE -> type = fields.byteValue(0);
                case CTA_PROTO_ICMP_CODE, CTA_PROTO_ICMPV6_CODE -> code = fields.byteValue(0);
                default ->
                {
                }
            }
        }
        destinationPort = protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6 ?
            type << Byte.SIZE | code : destinationPort;
        return !fields.isMalformed();
    }

    /** Adds a tuple to a request whose family is that of the tuple, as an attribute of a type. */
    static void write(final NetlinkRequest request, final int attributeType, final FlowTuple tuple)
    {
        final int outer = request.beginNested(attributeType);
        final int addresses = request.beginNested(CTA_TUPLE_IP);
        if (tuple.isIpv6())
        {
            request.addIpv6(CTA_IP_V6_SRC, tuple.sourceHigh(), tuple.sourceLow())
                .addIpv6(CTA_IP_V6_DST, tuple.destinationHigh(), tuple.destinationLow());
        }
        else
        {
            request.addIpv4(CTA_IP_V4_SRC, (int)tuple.sourceLow())
                .addIpv4(CTA_IP_V4_DST, (int)tuple.destinationLow());
        }
        request.endNested(addresses);
        final int protocol = request.beginNested(CTA_TUPLE_PROTO);
        request.addByte(CTA_PROTO_NUM, tuple.protocol());
        switch (tuple.protocol())
        {
            case IpProtocol.ICMP -> request.addNetworkShort(CTA_PROTO_ICMP_ID, tuple.sourcePort())
                .addByte(CTA_PROTO_ICMP_TYPE, tuple.icmpType())
                .addByte(CTA_PROTO_ICMP_CODE, tuple.icmpCode());
            case IpProtocol.ICMPV6 -> request.addNetworkShort(CTA_PROTO_ICMPV6_ID, tuple.sourcePort())
                .addByte(CTA_PROTO_ICMPV6_TYPE, tuple.icmpType())
                .addByte(CTA_PROTO_ICMPV6_CODE, tuple.icmpCode());
            default -> request.addNetworkShort(CTA_PROTO_SRC_PORT, tuple.sourcePort())
                .addNetworkShort(CTA_PROTO_DST_PORT, tuple.destinationPort());
        }
        request.endNested(protocol).endNested(outer);
    }
}
