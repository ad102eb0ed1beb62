package org.fibnuma.fibnic.trace;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6ExtensionHeader;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.core.wire.TcpHeader;
import org.fibnuma.core.wire.UdpHeaderFlyweight;
import org.fibnuma.core.wire.VlanTag;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the header fields of a frame by name from its first bytes. Fields beyond these bytes are absent. Names are in
 * lower case with hyphens. For one thread.
 */
public final class HeaderFields implements AutoCloseable
{
    /** Name of the field with the EtherType behind the VLAN tags, for {@link #packet}. */
    private static final String ETHER_TYPE = "ether-type";
    private static final String TAGS = "vlan";
    private static final String SOURCE = "source";
    private static final String DESTINATION = "destination";
    private static final String PROTOCOL = "protocol";
    private static final String SOURCE_PORT = "source-port";
    private static final String DESTINATION_PORT = "destination-port";
    private static final String ICMP_TYPE = "icmp-type";
    private static final String ICMP_CODE = "icmp-code";
    private static final String TTL = "ttl";
    private static final String HOP_LIMIT = "hop-limit";
    private static final String FRAGMENT = "fragment";

    private static final int FRAGMENT_UNITS_OFFSET = 2;
    private static final int FRAGMENT_UNITS_MASK = 0xFFF8;

    private final MemoryRegion memory = MemoryRegion.ofBytes(2 * TraceLayout.HEAD);
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private final Ipv6HeaderFlyweight ipv6 = new Ipv6HeaderFlyweight();
    private final UdpHeaderFlyweight ports = new UdpHeaderFlyweight();
    private final IcmpHeaderFlyweight icmp = new IcmpHeaderFlyweight();
    private Map<String, String> fields;

    /**
     * Returns the fields in the order of the bytes.
     *
     * @param head first bytes of a frame, at most {@link TraceLayout#HEAD}.
     */
    public Map<String, String> of(final byte[] head)
    {
        fields = new LinkedHashMap<>();
        final long frame = memory.address();
        final int length = Math.min(head.length, TraceLayout.HEAD);
        FrameMemory.putBytes(frame, head, 0, length);
        if (length >= EthernetHeaderFlyweight.LENGTH)
        {
            ethernet.wrap(frame);
            fields.put("destination-mac", MacAddress.format(ethernet.destination()));
            fields.put("source-mac", MacAddress.format(ethernet.source()));
            readTags(VlanTag.read(frame, length));
            final int payload = VlanTag.headerOffset(frame, length);
            final int etherType = VlanTag.payloadType(frame, length);
            fields.put(ETHER_TYPE, nameOfEtherType(etherType));
            if (etherType == EtherType.IPV4)
            {
                readIpv4(frame + payload, length - payload);
            }
            else if (etherType == EtherType.IPV6)
            {
                readIpv6(frame + payload, length - payload);
            }
        }
        return fields;
    }

    private static String nameOfEtherType(final int etherType)
    {
        return switch (etherType)
        {
            case EtherType.IPV4 -> "IPv4";
            case EtherType.IPV6 -> "IPv6";
            case EtherType.ARP -> "ARP";
            case EtherType.MAC_CONTROL -> "MAC control";
            default -> hex(etherType);
        };
    }

    private static String hex(final int value)
    {
        return String.format("0x%04x", value);
    }

    private void readTags(final long tags)
    {
        if (tags != 0)
        {
            final long outer = VlanTag.outer(tags);
            fields.put(TAGS, (outer == 0 ? "" : tag(outer) + ".") + tag(VlanTag.inner(tags)));
        }
    }

    private static String tag(final long tag)
    {
        return VlanTag.vid(tag) + (VlanTag.etherType(tag) == EtherType.SERVICE_VLAN ? " (802.1ad)" : "") +
            (VlanTag.pcp(tag) == 0 ? "" : " pcp " + VlanTag.pcp(tag));
    }

    private void readIpv4(final long header, final int length)
    {
        if (length < Ipv4HeaderFlyweight.MIN_LENGTH)
        {
            return;
        }
        ipv4.wrap(header);
        final int headerLength = ipv4.headerLength();
        final int fragment = ipv4.flagsAndFragmentOffset();
        final int offset = fragment & Ipv4HeaderFlyweight.FRAGMENT_OFFSET_MASK;
        fields.put("traffic-class", hex(ipv4.trafficClass()));
        fields.put("total-length", Integer.toString(ipv4.totalLength()));
        fields.put("identification", Integer.toString(ipv4.identification()));
        fields.put(FRAGMENT, fragmentText(fragment, offset));
        fields.put(TTL, Integer.toString(ipv4.ttl()));
        fields.put(PROTOCOL, nameOfProtocol(ipv4.protocol()));
        fields.put("header-checksum", hex(ipv4.checksum()));
        fields.put(SOURCE, Ipv4Address.format(ipv4.source()));
        fields.put(DESTINATION, Ipv4Address.format(ipv4.destination()));
        if (headerLength > Ipv4HeaderFlyweight.MIN_LENGTH && headerLength <= length)
        {
            fields.put("options", hexOf(
                header + Ipv4HeaderFlyweight.MIN_LENGTH, headerLength - Ipv4HeaderFlyweight.MIN_LENGTH));
        }
        if (offset == 0 && headerLength >= Ipv4HeaderFlyweight.MIN_LENGTH)
        {
            readTransport(ipv4.protocol(), header + headerLength, length - headerLength);
        }
    }

    private static String fragmentText(final int word, final int offset)
    {
        final String flags = ((word & Ipv4HeaderFlyweight.FLAG_DF) != 0 ? "DF " : "") +
            ((word & Ipv4HeaderFlyweight.FLAG_MF) != 0 ? "MF " : "");
        return flags + "offset " + (offset << Ipv4HeaderFlyweight.FRAGMENT_UNIT_SHIFT);
    }

    private static String hexOf(final long address, final int length)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++)
        {
            text.append(String.format("%02x", FrameMemory.getByte(address + i) & 0xFF));
        }
        return text.toString();
    }

    private void readIpv6(final long header, final int length)
    {
        if (length < Ipv6HeaderFlyweight.LENGTH)
        {
            return;
        }
        ipv6.wrap(header);
        fields.put("traffic-class", hex(ipv6.trafficClass()));
        fields.put("payload-length", Integer.toString(ipv6.payloadLength()));
        fields.put(HOP_LIMIT, Integer.toString(ipv6.hopLimit()));
        fields.put(SOURCE, IpAddress.format(ipv6.sourceHigh(), ipv6.sourceLow()));
        fields.put(DESTINATION, IpAddress.format(ipv6.destinationHigh(), ipv6.destinationLow()));
        int protocol = ipv6.nextHeader();
        int at = Ipv6HeaderFlyweight.LENGTH;
        boolean isFirst = true;
        while (Ipv6ExtensionHeader.is(protocol) && at + Ipv6ExtensionHeader.MIN_LENGTH <= length)
        {
            final long extension = header + at;
            isFirst &= protocol != IpProtocol.FRAGMENT ||
                (FrameMemory.getShortBE(extension + FRAGMENT_UNITS_OFFSET) & FRAGMENT_UNITS_MASK) == 0;
            at += Ipv6ExtensionHeader.length(protocol, extension);
            protocol = FrameMemory.getByte(extension + Ipv6ExtensionHeader.NEXT_HEADER_OFFSET) & 0xFF;
        }
        fields.put(PROTOCOL, nameOfProtocol(protocol));
        if (isFirst)
        {
            readTransport(protocol, header + at, length - at);
        }
    }

    private static String nameOfProtocol(final int protocol)
    {
        return switch (protocol)
        {
            case IpProtocol.ICMP -> "icmp";
            case IpProtocol.TCP -> "tcp";
            case IpProtocol.UDP -> "udp";
            case IpProtocol.ICMPV6 -> "icmpv6";
            default -> Integer.toString(protocol);
        };
    }

    private void readTransport(final int protocol, final long header, final int length)
    {
        final boolean isIcmp = protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6;
        if (isIcmp && length >= IcmpHeaderFlyweight.LENGTH)
        {
            icmp.wrap(header);
            fields.put(ICMP_TYPE, Integer.toString(icmp.type()));
            fields.put(ICMP_CODE, Integer.toString(icmp.code()));
        }
        final boolean isUdp = protocol == IpProtocol.UDP && length >= UdpHeaderFlyweight.LENGTH;
        final boolean isTcp = protocol == IpProtocol.TCP && length >= TcpHeader.MIN_LENGTH;
        if (isUdp || isTcp)
        {
            ports.wrap(header);
            fields.put(SOURCE_PORT, Integer.toString(ports.sourcePort()));
            fields.put(DESTINATION_PORT, Integer.toString(ports.destinationPort()));
            fields.put("checksum", hex(FrameMemory.getShortBE(
                header + (isUdp ? UdpHeaderFlyweight.CHECKSUM_OFFSET : TcpHeader.CHECKSUM_OFFSET))));
        }
    }

    /** Describes a packet in one line, from the first bytes of its frame: VLAN tags, addresses, protocol, ports. */
    public String packet(final byte[] head)
    {
        final Map<String, String> read = of(head);
        if (!read.containsKey(ETHER_TYPE))
        {
            return "no Ethernet header";
        }
        final StringBuilder text = new StringBuilder();
        append(text, "vlan ", read.get(TAGS), ", ");
        append(text, "", read.get(ETHER_TYPE), "");
        append(text, " ", read.get(SOURCE), "");
        append(text, " > ", read.get(DESTINATION), "");
        append(text, " ", read.get(PROTOCOL), "");
        append(text, " ", read.get(SOURCE_PORT), "");
        append(text, " > ", read.get(DESTINATION_PORT), "");
        append(text, " type ", read.get(ICMP_TYPE), "");
        append(text, " code ", read.get(ICMP_CODE), "");
        return text.toString();
    }

    /** Returns {@link #packet} with the TTL or hop limit. */
    public String packetAndHops(final byte[] head)
    {
        final StringBuilder text = new StringBuilder(packet(head));
        append(text, ", ttl ", fields.get(TTL), "");
        append(text, ", hop limit ", fields.get(HOP_LIMIT), "");
        return text.toString();
    }

    private static void append(final StringBuilder text, final String before, final String value, final String after)
    {
        if (value != null)
        {
            text.append(before).append(value).append(after);
        }
    }

    @Override
    public void close()
    {
        memory.close();
    }
}
