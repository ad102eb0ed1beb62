package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.InternetChecksum;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fib.Ipv4Fib;

/**
 * Frames as a port received them come in; the ordinary ones leave by {@link EgressQueues}, up to the first that is
 * anything else. That one, and those behind it, are for the stages, which say of every frame what becomes of it; of an
 * ordinary one they would say the same as is done here (a test compares).
 * <p>
 * Ordinary is a frame to this station with an IPv4 header without options that fails none of the checks of
 * {@link EthernetInput} and {@link Ipv4Input}, that has a hop left and whose adjacency sends it as it is. What is wrong
 * with a frame is gathered in one number and asked for once; a loop has little to remember, so that all of it stays in
 * registers; and the table is asked in a loop of its own, whose accesses to memory overlap.
 */
final class Ipv4FastPath
{
    private static final int ETHERNET = EthernetHeaderFlyweight.LENGTH;
    private static final int SHORTEST = ETHERNET + Ipv4HeaderFlyweight.MIN_LENGTH;
    private static final int LAST_TTL = 1;
    private static final int MACS_LOW_OFFSET = Long.BYTES;

    /** EtherType, version and header length in the 24 high bits of the four bytes from the EtherType on. */
    private static final int IPV4_WITHOUT_OPTIONS =
        EtherType.IPV4 << Byte.SIZE | Ipv4HeaderFlyweight.VERSION_4_IHL_5;

    private final InterfaceTable interfaces;
    private final Ipv4Fib fib;
    private final AdjacencyTable adjacencies;
    private final EgressQueues egressQueues;
    private final FateCounters counters;
    private final int[] packetLengths = new int[FrameBatch.CAPACITY];
    private final int[] destinations = new int[FrameBatch.CAPACITY];
    private final int[] found = new int[FrameBatch.CAPACITY];
    private boolean isPadded;
    private long runBytes;
    /** Remembered, since the control thread may have put another adjacency in the place of the one that was used. */
    private int runEgress;

    Ipv4FastPath(
        final InterfaceTable interfaces,
        final Ipv4Fib fib,
        final AdjacencyTable adjacencies,
        final EgressQueues egressQueues,
        final FateCounters counters)
    {
        this.interfaces = interfaces;
        this.fib = fib;
        this.adjacencies = adjacencies;
        this.egressQueues = egressQueues;
        this.counters = counters;
    }

    /**
     * Forwards ordinary frames and counts them as received.
     *
     * @param batch of one port.
     * @param from  index of the first frame to look at.
     * @return index of the first frame that is not ordinary: nobody has touched it.
     */
    int process(final FrameBatch batch, final int from)
    {
        final int sound = input(batch, from, interfaces.get(batch.ingressPort(from)).macWord());
        fib.lookup(destinations, found, sound);
        int i = from;
        int end = from;
        do
        {
            i = end;
            end = i < sound ? rewrite(batch, i, sound) : i;
            if (end > i)
            {
                send(batch, i, end);
            }
        }
        while (end > i);
        return end;
    }

    private int input(final FrameBatch batch, final int from, final long ourMac)
    {
        final int size = batch.size();
        int padding = 0;
        int i = from;
        for (; i < size; i++)
        {
            final int length = batch.length(i);
            if (length < SHORTEST)
            {
                break;
            }
            final long frame = batch.address(i);
            final long header = frame + ETHERNET;
            final int packetLength = FrameMemory.getIntBE(header) & 0xFFFF;
            final int pad = length - ETHERNET - packetLength;
            final int hops = (FrameMemory.getByte(header + Ipv4HeaderFlyweight.TTL_OFFSET) & 0xFF) - LAST_TTL;
            // Below 0 where one of them is.
            final int fields = pad | packetLength - Ipv4HeaderFlyweight.MIN_LENGTH | hops - 1 |
                Ipv4Input.notBetweenHosts(header);
            final int type = FrameMemory.getIntBE(frame + EthernetHeaderFlyweight.ETHER_TYPE_OFFSET) >>> Byte.SIZE ^
                IPV4_WITHOUT_OPTIONS;
            if (((FrameMemory.getLong(frame) ^ ourMac) & RouterInterface.MAC_WORD_MASK |
                InternetChecksum.faultOver20(header) | type | fields >> Integer.SIZE - 1) != 0)
            {
                break;
            }
            packetLengths[i] = packetLength;
            destinations[i] = FrameMemory.getIntBE(header + Ipv4HeaderFlyweight.DESTINATION_OFFSET);
            padding |= pad;
        }
        isPadded = padding != 0;
        return i;
    }

    /** Rewrites frames as long as they are sent as they are and leave by the same port; yields where that ends. */
    private int rewrite(final FrameBatch batch, final int from, final int sound)
    {
        final int egress = adjacencies.get(found[from]).egressPort();
        long bytes = 0;
        int i = from;
        for (; i < sound; i++)
        {
            final Adjacency adjacency = adjacencies.get(found[i]);
            final int packetLength = packetLengths[i];
            if (packetLength > adjacency.longestPacket() || adjacency.egressPort() != egress)
            {
                break;
            }
            final long frame = batch.address(i);
            FrameMemory.putLong(frame, adjacency.macsHigh());
            FrameMemory.putInt(frame + MACS_LOW_OFFSET, adjacency.macsLow());
            Ipv4HeaderFlyweight.decrementTtl(frame + ETHERNET);
            bytes += packetLength;
        }
        runBytes = bytes + (long)(i - from) * ETHERNET;
        runEgress = egress;
        return i;
    }

    private void send(final FrameBatch batch, final int from, final int end)
    {
        long received = runBytes;
        if (isPadded)
        {
            received = EgressQueues.bytes(batch, from, end);
            for (int i = from; i < end; i++)
            {
                batch.length(i, ETHERNET + packetLengths[i]);
            }
        }
        counters.received(batch.ingressPort(from), end - from, received);
        egressQueues.sendRun(batch, from, end, runEgress, runBytes);
    }
}
