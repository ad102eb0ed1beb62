package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.InternetChecksum;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.AddressFilter;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.FateCounters;

import java.nio.ByteOrder;

/**
 * Counts the received frames of one interface and divides them into three lists: ordinary IPv4, ordinary IPv6 and
 * exceptions. It sets no disposition.
 * <p>
 * A frame is ordinary IPv4 if it is addressed to the MAC address of the interface and the host forwards IPv4 from the
 * interface. Its IPv4 header has no options and passes all checks of {@link EthernetInput} and {@link Ipv4Input}, and
 * its TTL is above 1. A frame is ordinary IPv6 if the router forwards IPv6 and the same holds for the host,
 * {@link Ipv6Input} and the hop limit. Neither address may be link-local; the next header does not matter. If
 * {@link AddressFilter} cannot exclude that the source is an address of this host, the frame is an exception. A frame
 * that is too short for its headers is an exception too, although the bytes after it in its chunk are read.
 * {@link EthernetInput}, {@link Ipv4Input} and {@link Ipv6Input} check exceptions again, rule by rule, to find what is
 * wrong; a test compares both.
 * <p>
 * Most batches have one family. Therefore a batch is read by the loop for the family of its first frame, and frames
 * that differ are examined again. After a batch with ordinary frames of both families, the next batch is read by a loop
 * that reads the family of each frame.
 * <p>
 * The packet length and the destination of every frame are stored in the batch, for the family of the frame if it is
 * ordinary. Ordinary frames are shortened to their packet length, so that Ethernet padding is not forwarded.
 */
class FrameClassifier
{
    private static final int ETHERNET = EthernetHeaderFlyweight.LENGTH;
    private static final int SHORTEST = ETHERNET + Ipv4HeaderFlyweight.MIN_LENGTH;
    private static final int SHORTEST_IPV6 = ETHERNET + Ipv6HeaderFlyweight.LENGTH;

    /** The low bits of the findings about a frame are its padding in bytes; any higher bit is a failed check. */
    private static final int PADDING_BITS = 16;
    private static final long NOT_ORDINARY = 1L << PADDING_BITS;

    /** EtherType, version and header length: the first three of the four bytes from the EtherType on. */
    private static final int IPV4_WITHOUT_OPTIONS =
        EtherType.IPV4 << 2 * Byte.SIZE | Ipv4HeaderFlyweight.VERSION_4_IHL_5 << Byte.SIZE;
    private static final long TYPE_WORD = inMachineOrder(IPV4_WITHOUT_OPTIONS);
    private static final long TYPE_MASK = inMachineOrder(0xFFFF_FF00);

    /** EtherType and version: the first 20 of the 32 bits from the EtherType on. */
    private static final long IPV6_TYPE_WORD = inMachineOrder(
        EtherType.IPV6 << Short.SIZE | Ipv6HeaderFlyweight.VERSION_6 << Short.SIZE - 4);
    private static final long IPV6_TYPE_MASK = inMachineOrder(0xFFFF_F000);

    private final AddressFilter hostAddresses;
    private final boolean forwardsIpv6;
    private final FateCounters counters;
    /** The OR of the paddings of all ordinary frames. */
    private long padding;
    /** Whether the last batch had ordinary frames of both families. */
    private boolean areMixed;

    FrameClassifier(final ForwarderContext context, final FateCounters counters)
    {
        this.hostAddresses = context.interfaces.hostAddresses();
        this.forwardsIpv6 = context.forwardsIpv6;
        this.counters = counters;
    }

    /**
     * Fills the lists.
     *
     * @param batch      frames of one port, at least one.
     * @param ingress    interface as which all of them are received.
     * @param ipv4       replaced by the ordinary IPv4 frames.
     * @param ipv6       replaced by the ordinary IPv6 frames.
     * @param exceptions replaced by all other frames.
     */
    void process(
        final FrameBatch batch,
        final RouterInterface ingress,
        final FrameList ipv4,
        final FrameList ipv6,
        final FrameList exceptions)
    {
        final long ourMac = ingress.macWord();
        ipv4.clear();
        ipv6.clear();
        exceptions.clear();
        if (areMixed)
        {
            readEach(batch, ourMac, ipv4, ipv6, exceptions);
        }
        else if (mayBeIpv6(batch, 0))
        {
            divide(batch, ourMac, readAllAsIpv6(batch, ourMac), true, ipv6, ipv4, exceptions);
        }
        else
        {
            divide(batch, ourMac, readAllAsIpv4(batch, ourMac), false, ipv4, ipv6, exceptions);
        }
        counters.received(batch.ingressPort(0), batch.size(), batch.bytes());
        areMixed = ipv4.size() > 0 && ipv6.size() > 0;
        if (padding != 0)
        {
            cutPadding(batch, ipv4);
            cutPadding(batch, ipv6);
        }
        if (!ingress.policy().ipv4Forwarding())
        {
            exceptions.takeAll(ipv4);
        }
        if (!ingress.policy().ipv6Forwarding())
        {
            exceptions.takeAll(ipv6);
        }
    }

    private boolean mayBeIpv6(final FrameBatch batch, final int i)
    {
        return forwardsIpv6 && batch.length(i) >= SHORTEST_IPV6 &&
            EthernetHeaderFlyweight.etherType(batch.address(i)) == EtherType.IPV6;
    }

    /** Stores the findings about each frame as an IPv4 frame, and returns the OR of all. */
    private long readAllAsIpv4(final FrameBatch batch, final long ourMac)
    {
        final int size = batch.size();
        long any = 0;
        for (int i = 0; i < size; i++)
        {
            final long findings = readIpv4(batch, i, batch.length(i), ourMac, hostAddresses);
            batch.findings(i, findings);
            any |= findings;
        }
        return any;
    }

    /** Stores the findings about each frame as an IPv6 frame, and returns the OR of all. */
    private long readAllAsIpv6(final FrameBatch batch, final long ourMac)
    {
        final int size = batch.size();
        long any = 0;
        for (int i = 0; i < size; i++)
        {
            final long findings = readIpv6(batch, i, batch.length(i), ourMac, hostAddresses);
            batch.findings(i, findings);
            any |= findings;
        }
        return any;
    }

    private void readEach(
        final FrameBatch batch,
        final long ourMac,
        final FrameList ipv4,
        final FrameList ipv6,
        final FrameList exceptions)
    {
        final int size = batch.size();
        long any = 0;
        for (int i = 0; i < size; i++)
        {
            final int length = batch.length(i);
            final boolean isIpv6 = mayBeIpv6(batch, i);
            final long findings = isIpv6 ?
                readIpv6(batch, i, length, ourMac, hostAddresses) : readIpv4(batch, i, length, ourMac, hostAddresses);
            if (isOrdinary(findings))
            {
                (isIpv6 ? ipv6 : ipv4).add(i);
                any |= findings;
            }
            else
            {
                exceptions.add(i);
            }
        }
        padding = any;
    }

    /**
     * Fills the lists after one of the loops for one family.
     *
     * @param any the OR of the findings about all frames.
     */
    private void divide(
        final FrameBatch batch,
        final long ourMac,
        final long any,
        final boolean isIpv6First,
        final FrameList expected,
        final FrameList other,
        final FrameList exceptions)
    {
        final int size = batch.size();
        if (isOrdinary(any))
        {
            expected.setAll(size);
            padding = any;
            return;
        }
        padding = 0;
        for (int i = 0; i < size; i++)
        {
            final long findings = batch.findings(i);
            if (isOrdinary(findings))
            {
                expected.add(i);
                padding |= findings;
                continue;
            }
            final long asOther = readAsOther(batch, i, ourMac, isIpv6First);
            if (isOrdinary(asOther))
            {
                other.add(i);
                padding |= asOther;
            }
            else
            {
                exceptions.add(i);
            }
        }
    }

    /** Returns the findings about a frame as one of the family that the first frame does not have. */
    private long readAsOther(final FrameBatch batch, final int i, final long ourMac, final boolean isIpv6First)
    {
        if (isIpv6First)
        {
            return readIpv4(batch, i, batch.length(i), ourMac, hostAddresses);
        }
        return mayBeIpv6(batch, i) ? readIpv6(batch, i, batch.length(i), ourMac, hostAddresses) : NOT_ORDINARY;
    }

    /**
     * Stores the packet length and the IPv4 destination of a frame, after all reads: then the JIT keeps what it has
     * read in registers.
     *
     * @return the padding of an ordinary IPv4 frame in bytes; a number with higher bits of any other frame.
     */
    private static long readIpv4(
        final FrameBatch batch, final int i, final int length, final long ourMac, final AddressFilter hostAddresses)
    {
        if (FrameMemory.BOUNDS_CHECKS && length < SHORTEST)
        {
            batch.packetLength(i, 0);
            batch.destination(i, 0);
            return NOT_ORDINARY;
        }
        final long frame = batch.address(i);
        final long header = frame + ETHERNET;
        final int packetLength = FrameMemory.getIntBE(header) & 0xFFFF;
        final int destination = FrameMemory.getIntBE(header + Ipv4HeaderFlyweight.DESTINATION_OFFSET);
        final int hops =
            (FrameMemory.getByte(header + Ipv4HeaderFlyweight.TTL_OFFSET) & 0xFF) - Ipv4HeaderFlyweight.LAST_TTL;
        // The sign bit is set if one of these is negative.
        final int fields = packetLength - Ipv4HeaderFlyweight.MIN_LENGTH | hops - 1 |
            Ipv4Input.notBetweenHosts(header) |
            hostAddresses.sign(FrameMemory.getIntBE(header + Ipv4HeaderFlyweight.SOURCE_OFFSET));
        final long type =
            FrameMemory.getInt(frame + EthernetHeaderFlyweight.ETHER_TYPE_OFFSET) & TYPE_MASK ^ TYPE_WORD;
        final long findings = padding(length, packetLength) | type << PADDING_BITS |
            RouterInterface.macFault(FrameMemory.getLong(frame), ourMac) |
            InternetChecksum.faultOver20(header) | fields >> Integer.SIZE - 1;
        batch.packetLength(i, packetLength);
        batch.destination(i, destination);
        return findings;
    }

    /**
     * Stores the packet length and the IPv6 destination of a frame, after all reads as {@link #readIpv4} does.
     *
     * @return the padding of an ordinary IPv6 frame in bytes; a number with higher bits of any other frame.
     */
    private static long readIpv6(
        final FrameBatch batch, final int i, final int length, final long ourMac, final AddressFilter hostAddresses)
    {
        if (FrameMemory.BOUNDS_CHECKS && length < SHORTEST_IPV6)
        {
            batch.packetLength(i, 0);
            batch.destinationHigh(i, 0);
            batch.destinationLow(i, 0);
            return NOT_ORDINARY;
        }
        final long frame = batch.address(i);
        final long header = frame + ETHERNET;
        final int packetLength = Ipv6HeaderFlyweight.LENGTH +
            FrameMemory.getShortBE(header + Ipv6HeaderFlyweight.PAYLOAD_LENGTH_OFFSET);
        final long sourceHigh = FrameMemory.getLongBE(header + Ipv6HeaderFlyweight.SOURCE_OFFSET);
        final long sourceLow = FrameMemory.getLongBE(header + Ipv6HeaderFlyweight.SOURCE_OFFSET + Long.BYTES);
        final long destinationHigh = FrameMemory.getLongBE(header + Ipv6HeaderFlyweight.DESTINATION_OFFSET);
        final long destinationLow =
            FrameMemory.getLongBE(header + Ipv6HeaderFlyweight.DESTINATION_OFFSET + Long.BYTES);
        final int hops = (FrameMemory.getByte(header + Ipv6HeaderFlyweight.HOP_LIMIT_OFFSET) & 0xFF) -
            Ipv6HeaderFlyweight.LAST_HOP_LIMIT;
        // The sign bit is set if one of these is negative.
        final long fields = hops - 1 |
            Ipv6Input.special(sourceHigh) | Ipv6Input.special(destinationHigh) |
            hostAddresses.sign(sourceHigh, sourceLow);
        final long type =
            FrameMemory.getInt(frame + EthernetHeaderFlyweight.ETHER_TYPE_OFFSET) & IPV6_TYPE_MASK ^ IPV6_TYPE_WORD;
        final long findings = padding(length, packetLength) | type << PADDING_BITS |
            RouterInterface.macFault(FrameMemory.getLong(frame), ourMac) | fields >> Long.SIZE - 1;
        batch.packetLength(i, packetLength);
        batch.destinationHigh(i, destinationHigh);
        batch.destinationLow(i, destinationLow);
        return findings;
    }

    private static long inMachineOrder(final int bytes)
    {
        final boolean littleEndian = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
        return Integer.toUnsignedLong(littleEndian ? Integer.reverseBytes(bytes) : bytes);
    }

    /** Returns the padding of a frame in bytes; a number with higher bits if the packet is longer than its frame. */
    private static long padding(final int length, final int packetLength)
    {
        return length - ETHERNET - packetLength & 0xFFFF_FFFFL;
    }

    private static boolean isOrdinary(final long findings)
    {
        return findings >>> PADDING_BITS == 0;
    }

    private static void cutPadding(final FrameBatch batch, final FrameList ordinary)
    {
        final int count = ordinary.size();
        for (int k = 0; k < count; k++)
        {
            final int i = ordinary.get(k);
            batch.length(i, ETHERNET + batch.packetLength(i));
        }
    }
}
