package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.AddressFilter;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fib.Ipv6Fib;

/**
 * Checks the IPv6 header of exceptions with EtherType IPv6 and shortens them to their payload length, so that Ethernet
 * padding is not forwarded. Extension headers are not examined (RFC 8200 section 4). The disposition becomes
 * <ul>
 * <li>DROP if the frame is shorter than the header or its payload length; if the version is not 6; if the source is
 * multicast, unspecified, loopback or IPv4-mapped, or the destination one of the last three (RFC 4291 section 2.5); if
 * the source is an address of this host; for unicast packets to other hosts in group frames,</li>
 * <li>PUNT for multicast and link-local destinations, which programs of this host may receive: neighbour discovery,
 * router solicitations and multicast listener reports among them,</li>
 * <li>unchanged, FORWARD, for all others.</li>
 * </ul>
 */
final class Ipv6Input
{
    private static final int SOUND = -1;

    /** Shift that leaves the first nine bits of an address. */
    private static final int FIRST_BITS_SHIFT = Long.SIZE - 9;
    /** The first nine bits of the last addresses before {@code fe80::}. */
    private static final long LAST_GLOBAL = 0xFE00 >>> Short.SIZE - 9;

    private final Ipv6Fib fib;
    private final AdjacencyTable adjacencies;
    private final AddressFilter hostAddresses;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Ipv6HeaderFlyweight ip = new Ipv6HeaderFlyweight();

    Ipv6Input(final Ipv6Fib fib, final AdjacencyTable adjacencies, final AddressFilter hostAddresses)
    {
        this.fib = fib;
        this.adjacencies = adjacencies;
        this.hostAddresses = hostAddresses;
    }

    void process(final FrameBatch batch, final FrameList exceptions)
    {
        for (int k = 0; k < exceptions.size(); k++)
        {
            final int i = exceptions.get(k);
            if (batch.isForward(i))
            {
                input(batch, i);
            }
        }
    }

    private void input(final FrameBatch batch, final int i)
    {
        final long header = batch.address(i) + EthernetHeaderFlyweight.LENGTH;
        final int fault = fault(header, batch.length(i) - EthernetHeaderFlyweight.LENGTH);
        if (fault != SOUND)
        {
            batch.drop(i, fault);
            return;
        }
        final int length = EthernetHeaderFlyweight.LENGTH + Ipv6HeaderFlyweight.LENGTH + ip.payloadLength();
        if (length < batch.length(i))
        {
            batch.length(i, length);
        }
        // One branch for nearly all packets.
        if ((special(ip.sourceHigh()) | special(ip.destinationHigh())) < 0 && divertSpecial(batch, i))
        {
            return;
        }
        if (isFromThisHost())
        {
            batch.drop(i, DropReason.IPV6_OWN_SOURCE.id());
        }
        else if (ethernet.wrap(batch.address(i)).isToGroup() && !isLocal(ip.destinationHigh(), ip.destinationLow()))
        {
            batch.drop(i, DropReason.IPV6_LINK_BROADCAST.id());
        }
    }

    private int fault(final long header, final int linkLength)
    {
        if (linkLength < Ipv6HeaderFlyweight.LENGTH)
        {
            return DropReason.IPV6_TOO_SHORT.id();
        }
        if (ip.wrap(header).version() != Ipv6HeaderFlyweight.VERSION_6)
        {
            return DropReason.IPV6_BAD_VERSION.id();
        }
        return Ipv6HeaderFlyweight.LENGTH + ip.payloadLength() > linkLength ?
            DropReason.IPV6_TRUNCATED.id() : SOUND;
    }

    /**
     * Returns a number below 0 if an address with this high half may be unspecified, loopback, IPv4-mapped, link-local
     * or multicast: if it is in {@code ::/64} or not below {@code fe80::}. Without a branch, so that a caller can OR
     * the results.
     */
    static long special(final long high)
    {
        return high - 1 & ~high | LAST_GLOBAL - (high >>> FIRST_BITS_SHIFT);
    }

    /** Drops or punts a packet because of one of its addresses; returns whether it did. */
    private boolean divertSpecial(final FrameBatch batch, final int i)
    {
        final long destinationHigh = ip.destinationHigh();
        if (Ipv6Address.isMulticast(ip.sourceHigh()))
        {
            batch.drop(i, DropReason.IPV6_MARTIAN_SOURCE.id());
        }
        else if (Ipv6Address.isMulticast(destinationHigh))
        {
            // Before the other sources are checked: duplicate address detection and MLD send from "::".
            batch.disposition(i, Disposition.PUNT);
        }
        else if (isMartian(destinationHigh, ip.destinationLow()))
        {
            batch.drop(i, DropReason.IPV6_MARTIAN_DESTINATION.id());
        }
        else if (isMartian(ip.sourceHigh(), ip.sourceLow()))
        {
            batch.drop(i, DropReason.IPV6_MARTIAN_SOURCE.id());
        }
        else if (Ipv6Address.isLinkLocal(destinationHigh))
        {
            batch.disposition(i, Disposition.PUNT);
        }
        else
        {
            return false;
        }
        return true;
    }

    private static boolean isMartian(final long high, final long low)
    {
        return Ipv6Address.isUnspecified(high, low) || Ipv6Address.isLoopback(high, low) ||
            Ipv6Address.isIpv4Mapped(high, low);
    }

    /** The filter has false positives, the FIB has none. */
    private boolean isFromThisHost()
    {
        return hostAddresses.mayContain(ip.sourceHigh(), ip.sourceLow()) &&
            isLocal(ip.sourceHigh(), ip.sourceLow());
    }

    private boolean isLocal(final long high, final long low)
    {
        return adjacencies.get(fib.lookup(high, low)).kind() == AdjacencyKind.LOCAL;
    }
}
