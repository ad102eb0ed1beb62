package org.fibnuma.fibnic.warmup;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv4OptionsFlyweight;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.core.wire.MacAddress;

/**
 * Writes frames as a router receives them. Most are ordinary, and one in {@link #EXCEPTION_INTERVAL} is an exception,
 * of each kind in turn. So the JIT does not compile the stages for ordinary frames only. Of four batches two are IPv4,
 * one is IPv6, and one has both in turn.
 */
final class RehearsalFrames
{
    static final long ROUTER_MAC = MacAddress.parse("02:00:00:00:00:01");
    static final long HOST_MAC = MacAddress.parse("02:00:00:00:00:02");
    static final int HOST = Ipv4Address.parse("198.18.0.2");
    static final int NETWORK = Ipv4Address.parse("198.18.1.0");
    static final int LONGER = Ipv4Address.parse("198.18.1.64");
    static final int UNRESOLVED_NETWORK = Ipv4Address.parse("198.18.2.0");
    /** In the network for measurements of RFC 5180. */
    static final Ipv6Address IPV6_HOST = Ipv6Address.parse("2001:2::2");
    static final Ipv6Address IPV6_NETWORK = Ipv6Address.parse("2001:2:1::");
    static final Ipv6Address IPV6_UNRESOLVED_NETWORK = Ipv6Address.parse("2001:2:2::");
    static final int MTU = 1500;

    private static final int NO_ROUTE = Ipv4Address.parse("198.19.0.1");
    private static final int EXCEPTION_INTERVAL = 50;
    private static final int IP = EthernetHeaderFlyweight.LENGTH;
    private static final int SHORTEST = EthernetHeaderFlyweight.MIN_FRAME_LENGTH;
    private static final int TOO_LONG = IP + MTU + 100;
    private static final int TTL = 64;
    private static final long LINK_LOCAL = Ipv6Address.parse("fe80::").high();
    private static final int VERSION_4_IHL_7 = Ipv4HeaderFlyweight.VERSION_4_IHL_5 + 2;
    /** Type, length and pointer of an option with one empty slot. */
    private static final int RECORD_ROUTE = Ipv4OptionsFlyweight.RECORD_ROUTE << 24 | 0x070400;
    private static final int SOURCE_ROUTE = Ipv4OptionsFlyweight.LOOSE_SOURCE_ROUTE << 24 | 0x070400;

    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ip = new Ipv4HeaderFlyweight();
    private final Ipv6HeaderFlyweight ipv6 = new Ipv6HeaderFlyweight();

    /** Writes a frame and returns its length. */
    int write(final long frame, final int number)
    {
        final boolean isException = number % EXCEPTION_INTERVAL == 0;
        if (isIpv6(number))
        {
            ordinaryIpv6(frame, number);
            return isException ? exceptionalIpv6(number / EXCEPTION_INTERVAL) : SHORTEST;
        }
        ordinary(frame, number);
        return isException ? exceptional(frame, number / EXCEPTION_INTERVAL) : SHORTEST;
    }

    private static boolean isIpv6(final int number)
    {
        final int turn = number / FrameBatch.CAPACITY & 3;
        return turn == 2 || turn == 3 && (number & 1) == 0;
    }

    private void ordinaryIpv6(final long frame, final int number)
    {
        ethernet.wrap(frame).destination(ROUTER_MAC).source(HOST_MAC).etherType(EtherType.IPV6);
        ipv6.wrap(frame + IP)
            .versionClassFlow(0, 0)
            .payloadLength(SHORTEST - IP - Ipv6HeaderFlyweight.LENGTH)
            .nextHeader(IpProtocol.UDP)
            .hopLimit(TTL)
            .source(IPV6_HOST.high(), IPV6_HOST.low())
            .destination(IPV6_NETWORK.high() + (number & 0xFF), number);
    }

    private int exceptionalIpv6(final int kind)
    {
        switch (kind % 7)
        {
            case 0 -> ipv6.hopLimit(1);
            case 1 -> ipv6.destination(IPV6_UNRESOLVED_NETWORK.high(), kind & 1);
            case 2 -> ipv6.destination(IPV6_HOST.high() + (1L << Integer.SIZE), 1);
            case 3 ->
            {
                ipv6.payloadLength(TOO_LONG - IP - Ipv6HeaderFlyweight.LENGTH);
                return TOO_LONG;
            }
            case 4 -> ipv6.source(LINK_LOCAL, 2);
            case 5 -> ipv6.destination(LINK_LOCAL, 1);
            default -> ipv6.payloadLength(SHORTEST);
        }
        return SHORTEST;
    }

    private void ordinary(final long frame, final int number)
    {
        ethernet.wrap(frame).destination(ROUTER_MAC).source(HOST_MAC).etherType(EtherType.IPV4);
        ip.wrap(frame + IP)
            .versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5)
            .trafficClass(0)
            .totalLength(SHORTEST - IP)
            .identification(number)
            .flagsAndFragmentOffset(0)
            .ttl(TTL)
            .protocol(IpProtocol.UDP)
            .source(HOST)
            .destination(NETWORK + (number & 0xFF))
            .computeChecksum();
    }

    private int exceptional(final long frame, final int kind)
    {
        int length = SHORTEST;
        switch (kind % 9)
        {
            case 0 -> ip.ttl(1);
            case 1 -> ip.destination(UNRESOLVED_NETWORK);
            case 2 -> ip.destination(NO_ROUTE);
            case 3 ->
            {
                length = TOO_LONG;
                ip.totalLength(length - IP);
            }
            case 4 ->
            {
                length = TOO_LONG;
                ip.totalLength(length - IP).flagsAndFragmentOffset(Ipv4HeaderFlyweight.FLAG_DF);
            }
            case 5 -> ethernet.etherType(EtherType.ARP);
            case 6 -> options(frame, RECORD_ROUTE);
            case 7 -> options(frame, SOURCE_ROUTE);
            default ->
            {
                ip.checksum(~ip.checksum());
                return length;
            }
        }
        ip.computeChecksum();
        return length;
    }

    private void options(final long frame, final int option)
    {
        ip.versionAndIhl(VERSION_4_IHL_7);
        FrameMemory.putIntBE(frame + IP + Ipv4HeaderFlyweight.MIN_LENGTH, option);
        FrameMemory.putIntBE(frame + IP + Ipv4HeaderFlyweight.MIN_LENGTH + Integer.BYTES, 0);
    }
}
