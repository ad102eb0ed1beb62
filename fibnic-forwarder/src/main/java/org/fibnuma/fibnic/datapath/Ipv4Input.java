package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.InternetChecksum;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.AddressFilter;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fib.Ipv4Fib;

import java.util.Arrays;

/**
 * Checks the IPv4 header of exceptions with EtherType IPv4 and shortens them to their total length, so that Ethernet
 * padding is not forwarded. The disposition becomes
 * <ul>
 * <li>DROP if the header fails RFC 1812 section 5.2.2; if an address is martian (section 5.3.7; by the kernel's rule
 * addresses of 0/8 and 240/4 are not); if the source is an address of this host (section 5.3.7) or the broadcast
 * address of a connected network (section 4.2.2.11); for unicast packets in broadcast or multicast frames (section
 * 5.3.4),</li>
 * <li>PUNT for multicast, limited broadcast, and broadcast on a connected network in a group frame, which programs of
 * this host may receive,</li>
 * <li>unchanged, FORWARD, for all others.</li>
 * </ul>
 */
final class Ipv4Input
{
    private static final int SOUND = -1;

    private static final int OCTET_SHIFT = 24;
    private static final int THIS_NETWORK = 0;
    private static final int LOOPBACK = 127;
    private static final int MULTICAST_FIRST = 224;
    private static final int RESERVED_FIRST = 240;
    private static final int LIMITED_BROADCAST = -1;
    private static final int UNSPECIFIED = 0;

    /**
     * By first octet of an address: 0 if it is a unicast address, otherwise -1. It is -1 for 0/8 and 240/4, about which
     * RFC 1812 and the kernel differ: {@link #isMartian} decides.
     */
    private static final int[] NOT_UNICAST = new int[1 << Byte.SIZE];

    static
    {
        Arrays.fill(NOT_UNICAST, -1);
        Arrays.fill(NOT_UNICAST, THIS_NETWORK + 1, MULTICAST_FIRST, 0);
        NOT_UNICAST[LOOPBACK] = -1;
    }

    private final Ipv4Fib fib;
    private final AdjacencyTable adjacencies;
    private final AddressFilter hostAddresses;
    private final boolean kernelMartians;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv4HeaderFlyweight ip = new Ipv4HeaderFlyweight();

    Ipv4Input(final ForwarderContext context)
    {
        this.fib = context.fib;
        this.adjacencies = context.adjacencies;
        this.hostAddresses = context.interfaces.hostAddresses();
        this.kernelMartians = context.kernelMartians;
    }

    /** Checks the exceptions whose disposition is FORWARD and returns their number. */
    int process(final FrameBatch batch, final FrameList exceptions)
    {
        int count = 0;
        for (int k = 0; k < exceptions.size(); k++)
        {
            final int i = exceptions.get(k);
            if (batch.isForward(i))
            {
                input(batch, i);
                count++;
            }
        }
        return count;
    }

    private void input(final FrameBatch batch, final int i)
    {
        final long header = batch.address(i) + EthernetHeaderFlyweight.LENGTH;
        final int linkLength = batch.length(i) - EthernetHeaderFlyweight.LENGTH;
        final int fault = fault(header, linkLength);
        if (fault != SOUND)
        {
            batch.drop(i, fault);
            return;
        }
        ip.wrap(header);
        final int totalLength = ip.totalLength();
        if (totalLength < linkLength)
        {
            batch.length(i, EthernetHeaderFlyweight.LENGTH + totalLength);
        }
        // One branch for nearly all packets.
        if (notBetweenHosts(header) != 0 && divertSpecial(batch, i))
        {
            return;
        }
        if (!dropFromThisHost(batch, i) && ethernet.wrap(batch.address(i)).isToGroup())
        {
            toHostInGroupFrame(batch, i);
        }
    }

    private int fault(final long header, final int linkLength)
    {
        if (linkLength < Ipv4HeaderFlyweight.MIN_LENGTH)
        {
            return DropReason.IPV4_TOO_SHORT.id();
        }
        ip.wrap(header);
        if (ip.versionAndIhl() != Ipv4HeaderFlyweight.VERSION_4_IHL_5)
        {
            return faultOfUnusualHeader(header, linkLength);
        }
        if (!InternetChecksum.isRightOver20(header))
        {
            return DropReason.IPV4_BAD_CHECKSUM.id();
        }
        return faultOfTotalLength(Ipv4HeaderFlyweight.MIN_LENGTH, linkLength);
    }

    private int faultOfUnusualHeader(final long header, final int linkLength)
    {
        final int headerLength = ip.headerLength();
        if (ip.versionAndIhl() >> Ipv4HeaderFlyweight.VERSION_SHIFT != Ipv4HeaderFlyweight.VERSION_4)
        {
            return DropReason.IPV4_BAD_VERSION.id();
        }
        if (headerLength < Ipv4HeaderFlyweight.MIN_LENGTH)
        {
            return DropReason.IPV4_BAD_HEADER_LENGTH.id();
        }
        if (headerLength > linkLength)
        {
            return DropReason.IPV4_HEADER_TRUNCATED.id();
        }
        if (InternetChecksum.of(header, headerLength) != 0)
        {
            return DropReason.IPV4_BAD_CHECKSUM.id();
        }
        return faultOfTotalLength(headerLength, linkLength);
    }

    private int faultOfTotalLength(final int headerLength, final int linkLength)
    {
        final int totalLength = ip.totalLength();
        if (totalLength < headerLength)
        {
            return DropReason.IPV4_BAD_TOTAL_LENGTH.id();
        }
        return totalLength > linkLength ? DropReason.IPV4_TRUNCATED.id() : SOUND;
    }

    /** Returns 0 if source and destination are unicast addresses by every rule, otherwise -1. */
    static int notBetweenHosts(final long header)
    {
        return NOT_UNICAST[FrameMemory.getByte(header + Ipv4HeaderFlyweight.SOURCE_OFFSET) & 0xFF] |
            NOT_UNICAST[FrameMemory.getByte(header + Ipv4HeaderFlyweight.DESTINATION_OFFSET) & 0xFF];
    }

    /** Drops or punts a packet because of one of its addresses; returns whether it did. */
    private boolean divertSpecial(final FrameBatch batch, final int i)
    {
        final int destination = ip.destination();
        final int octet = destination >>> OCTET_SHIFT;
        if (octet >= MULTICAST_FIRST && octet < RESERVED_FIRST || destination == LIMITED_BROADCAST)
        {
            // Before the source is checked, because DHCP and IGMP send to these from 0.0.0.0.
            batch.disposition(i, Disposition.PUNT);
        }
        else if (isMartian(destination))
        {
            batch.drop(i, DropReason.IPV4_MARTIAN_DESTINATION.id());
        }
        else if (isMartian(ip.source()))
        {
            batch.drop(i, DropReason.IPV4_MARTIAN_SOURCE.id());
        }
        else
        {
            return false;
        }
        return true;
    }

    /**
     * Of 0/8 and 240/4, the kernel's rule has only 0.0.0.0 and the limited broadcast as martians (ip_route_input_slow
     * in net/ipv4/route.c, Linux 6.1).
     */
    private boolean isMartian(final int address)
    {
        final int octet = address >>> OCTET_SHIFT;
        return NOT_UNICAST[octet] != 0 && (!kernelMartians || address == UNSPECIFIED || address == LIMITED_BROADCAST ||
            octet != THIS_NETWORK && octet < RESERVED_FIRST);
    }

    /** Drops frames from this host; returns whether it did. The filter has false positives, the FIB has none. */
    private boolean dropFromThisHost(final FrameBatch batch, final int i)
    {
        if (!hostAddresses.mayContain(ip.source()))
        {
            return false;
        }
        switch (adjacencies.get(fib.lookup(ip.source())).kind())
        {
            case LOCAL:
                batch.drop(i, DropReason.IPV4_OWN_SOURCE.id());
                return true;
            case BROADCAST:
                batch.drop(i, DropReason.IPV4_BROADCAST_SOURCE.id());
                return true;
            default:
                return false;
        }
    }

    private void toHostInGroupFrame(final FrameBatch batch, final int i)
    {
        if (adjacencies.get(fib.lookup(ip.destination())).kind() == AdjacencyKind.BROADCAST)
        {
            batch.disposition(i, Disposition.PUNT);
        }
        else
        {
            batch.drop(i, DropReason.IPV4_LINK_BROADCAST.id());
        }
    }
}
