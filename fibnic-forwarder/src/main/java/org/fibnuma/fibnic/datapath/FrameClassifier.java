package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.InternetChecksum;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.AddressFilter;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.FateCounters;

import java.nio.ByteOrder;

/**
 * Counts the received frames of one port and divides them into two lists: ordinary IPv4 and exceptions. It sets no
 * disposition.
 * <p>
 * A frame is ordinary IPv4 if it is addressed to the MAC address of the port, the port forwards, the IPv4 header has no
 * options and passes all checks of {@link EthernetInput} and {@link Ipv4Input}, and the TTL is above 1. If
 * {@link AddressFilter} cannot exclude that the source is an address of this host, the frame is an exception.
 * {@link EthernetInput} and {@link Ipv4Input} check exceptions again, rule by rule, to find what is wrong; a test
 * compares both. Ethernet and IPv4 header are read from every frame; a frame that is too short for both is an
 * exception, whatever follows it in its chunk.
 * <p>
 * The packet length and the destination of every frame are stored in the batch. Ordinary frames are shortened to their
 * packet length, so that Ethernet padding is not forwarded.
 * <p>
 * A list of ordinary IPv6 frames belongs here once IPv6 is forwarded.
 */
class FrameClassifier
{
    private static final int ETHERNET = EthernetHeaderFlyweight.LENGTH;
    private static final int SHORTEST = ETHERNET + Ipv4HeaderFlyweight.MIN_LENGTH;
    private static final int LAST_TTL = 1;
    private static final long TOO_SHORT = 1;

    /** EtherType, version and header length: the first three of the four bytes from the EtherType on. */
    private static final int IPV4_WITHOUT_OPTIONS =
        EtherType.IPV4 << 2 * Byte.SIZE | Ipv4HeaderFlyweight.VERSION_4_IHL_5 << Byte.SIZE;
    private static final long TYPE_WORD = inMachineOrder(IPV4_WITHOUT_OPTIONS);
    private static final long TYPE_MASK = inMachineOrder(0xFFFF_FF00);

    private final InterfaceTable interfaces;
    private final AddressFilter hostAddresses;
    private final FateCounters counters;
    private final long[] faults = new long[FrameBatch.CAPACITY];

    FrameClassifier(final InterfaceTable interfaces, final FateCounters counters)
    {
        this.interfaces = interfaces;
        this.hostAddresses = interfaces.hostAddresses();
        this.counters = counters;
    }

    /**
     * Fills both lists.
     *
     * @param batch      frames of one port, at least one.
     * @param ordinary   replaced by the ordinary frames.
     * @param exceptions replaced by all other frames.
     */
    void process(final FrameBatch batch, final FrameList ordinary, final FrameList exceptions)
    {
        final RouterInterface ingress = interfaces.get(batch.ingressPort(0));
        final long ourMac = ingress.macWord();
        final int size = batch.size();
        int padding = 0;
        long bytes = 0;
        long anyFault = 0;
        for (int i = 0; i < size; i++)
        {
            final long fault = read(batch, i, ourMac, hostAddresses);
            faults[i] = fault;
            anyFault |= fault;
            padding |= padding(batch, i);
            bytes += batch.length(i);
        }
        counters.received(batch.ingressPort(0), size, bytes);
        batch.bytes(bytes);
        exceptions.clear();
        if (anyFault == 0)
        {
            ordinary.setAll(size);
        }
        else
        {
            divide(size, ordinary, exceptions);
        }
        if (padding != 0)
        {
            cutPadding(batch, ordinary);
        }
        if (!ingress.policy().forwarding())
        {
            exceptions.takeAll(ordinary);
        }
    }

    private void divide(final int size, final FrameList ordinary, final FrameList exceptions)
    {
        ordinary.clear();
        for (int i = 0; i < size; i++)
        {
            (faults[i] == 0 ? ordinary : exceptions).add(i);
        }
    }

    /**
     * Stores the packet length and the destination of a frame.
     *
     * @return 0 for an ordinary frame, otherwise another number.
     */
    private static long read(
        final FrameBatch batch, final int i, final long ourMac, final AddressFilter hostAddresses)
    {
        if (FrameMemory.BOUNDS_CHECKS && batch.length(i) < SHORTEST)
        {
            batch.packetLength(i, 0);
            batch.destination(i, 0);
            return TOO_SHORT;
        }
        final long frame = batch.address(i);
        final long header = frame + ETHERNET;
        final int packetLength = FrameMemory.getIntBE(header) & 0xFFFF;
        batch.packetLength(i, packetLength);
        batch.destination(i, FrameMemory.getIntBE(header + Ipv4HeaderFlyweight.DESTINATION_OFFSET));
        final int hops = (FrameMemory.getByte(header + Ipv4HeaderFlyweight.TTL_OFFSET) & 0xFF) - LAST_TTL;
        // The sign bit is set if one of these is negative.
        final int fields = padding(batch, i) | packetLength - Ipv4HeaderFlyweight.MIN_LENGTH | hops - 1 |
            Ipv4Input.notBetweenHosts(header);
        final long type =
            FrameMemory.getInt(frame + EthernetHeaderFlyweight.ETHER_TYPE_OFFSET) & TYPE_MASK ^ TYPE_WORD;
        return RouterInterface.macFault(FrameMemory.getLong(frame), ourMac) |
            hostAddresses.mayContain(FrameMemory.getIntBE(header + Ipv4HeaderFlyweight.SOURCE_OFFSET)) |
            InternetChecksum.faultOver20(header) | type | fields >> Integer.SIZE - 1;
    }

    private static long inMachineOrder(final int bytes)
    {
        final boolean littleEndian = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
        return Integer.toUnsignedLong(littleEndian ? Integer.reverseBytes(bytes) : bytes);
    }

    private static int padding(final FrameBatch batch, final int i)
    {
        return batch.length(i) - ETHERNET - batch.packetLength(i);
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
