package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv4OptionsFlyweight;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.ForwarderCounter;

/**
 * Fragments rewritten frames with disposition FRAGMENT, as in RFC 791 section 3.2, "An Example Fragmentation
 * Procedure", and sends the fragments. The disposition becomes SETTLED: the frame is counted as forwarded, once, if its
 * first fragment was sent. It is counted as dropped if the MTU is too small, the pool has too few chunks, or the egress
 * has no room for the first fragment. If the egress is full after some fragments, the others are counted as lost.
 * Frames before a fragmented one are sent first, so that every flow stays in order. All other frames are left to the
 * caller.
 * <p>
 * Every fragment gets the tags of the egress interface. The first fragment stays in the chunk of the frame; the others
 * take chunks of the pool.
 */
final class Ipv4Fragmenter
{
    /** More than a chunk of 4,096 bytes yields on the narrowest link, with 8 bytes of data in each fragment. */
    private static final int MAX_FRAGMENTS = 512;
    private static final int UNIT = 1 << Ipv4HeaderFlyweight.FRAGMENT_UNIT_SHIFT;

    private final AdjacencyTable adjacencies;
    private final FramePool pool;
    private final EgressQueues egress;
    private final VlanOutput vlanOutput;
    private final DropOutput drops;
    private final FateCounters counters;
    private final long[] laterChunks = new long[MAX_FRAGMENTS];
    private final int[] laterLengths = new int[MAX_FRAGMENTS];
    private final byte[] copiedOptions = new byte[Ipv4HeaderFlyweight.MAX_LENGTH - Ipv4HeaderFlyweight.MIN_LENGTH];
    private final Ipv4HeaderFlyweight ip = new Ipv4HeaderFlyweight();

    Ipv4Fragmenter(
        final AdjacencyTable adjacencies,
        final FramePool pool,
        final EgressQueues egress,
        final DropOutput drops,
        final FateCounters counters)
    {
        this.adjacencies = adjacencies;
        this.pool = pool;
        this.egress = egress;
        this.vlanOutput = egress.vlanOutput();
        this.drops = drops;
        this.counters = counters;
    }

    /**
     * Fragments and sends every frame of a range with disposition FRAGMENT, and sends the frames before it.
     *
     * @return index of the first frame of the range that is still to be sent, {@code from} if none was fragmented.
     */
    int process(final FrameBatch batch, final int from, final int to)
    {
        return batch.has(Disposition.FRAGMENT) ? fragment(batch, from, to) : from;
    }

    private int fragment(final FrameBatch batch, final int from, final int to)
    {
        int next = from;
        for (int i = from; i < to; i++)
        {
            if (batch.disposition(i) == Disposition.FRAGMENT)
            {
                egress.process(batch, next, i);
                fragment(batch, i);
                next = i + 1;
            }
        }
        return next;
    }

    private void fragment(final FrameBatch batch, final int i)
    {
        final int mtu = adjacencies.get(batch.adjacency(i)).mtu();
        if (mtu < RouterInterface.MIN_MTU)
        {
            drops.drop(batch, i, DropReason.IPV4_TOO_BIG.id());
            return;
        }
        final long frame = batch.address(i);
        ip.wrap(frame + EthernetHeaderFlyweight.LENGTH);
        final int headerLength = ip.headerLength();
        final int firstData = mtu - headerLength & -UNIT;
        final int laterHeaderLength = Ipv4HeaderFlyweight.MIN_LENGTH + collectCopiedOptions(headerLength, frame);
        final int laterData = mtu - laterHeaderLength & -UNIT;
        final int left = ip.totalLength() - headerLength - firstData;
        final int later = (left + laterData - 1) / laterData;
        if (pool.available() < later)
        {
            drops.drop(batch, i, DropReason.FRAGMENT_NO_BUFFER.id());
            return;
        }
        for (int k = 0; k < later; k++)
        {
            final int start = firstData + k * laterData;
            makeLater(k, frame, laterHeaderLength, start, Math.min(laterData, left - k * laterData));
        }
        makeFirst(batch, i, headerLength, firstData);
        send(batch, i, later);
    }

    private int collectCopiedOptions(final int headerLength, final long frame)
    {
        final long header = frame + EthernetHeaderFlyweight.LENGTH;
        int copied = 0;
        int at = Ipv4HeaderFlyweight.MIN_LENGTH;
        while (at + Ipv4OptionsFlyweight.LENGTH_OFFSET < headerLength)
        {
            final int type = FrameMemory.getByte(header + at) & 0xFF;
            if (type == Ipv4OptionsFlyweight.END_OF_LIST)
            {
                break;
            }
            final int length = type == Ipv4OptionsFlyweight.NO_OPERATION ?
                1 : FrameMemory.getByte(header + at + Ipv4OptionsFlyweight.LENGTH_OFFSET) & 0xFF;
            if (type != Ipv4OptionsFlyweight.NO_OPERATION && length < Ipv4OptionsFlyweight.MIN_LENGTH ||
                at + length > headerLength)
            {
                break;
            }
            if ((type & Ipv4OptionsFlyweight.COPIED) != 0)
            {
                for (int k = 0; k < length; k++)
                {
                    copiedOptions[copied++] = FrameMemory.getByte(header + at + k);
                }
            }
            at += length;
        }
        while ((copied & Integer.BYTES - 1) != 0)
        {
            copiedOptions[copied++] = Ipv4OptionsFlyweight.END_OF_LIST;
        }
        return copied;
    }

    private void makeLater(final int k, final long frame, final int headerLength, final int start, final int dataLength)
    {
        final long chunk = pool.allocate();
        final long fragment = chunk + FramePool.HEADROOM;
        final long header = fragment + EthernetHeaderFlyweight.LENGTH;
        final long whole = frame + EthernetHeaderFlyweight.LENGTH;
        FrameMemory.copy(frame, fragment, EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.MIN_LENGTH);
        WaitingTag.copy(frame, EthernetHeaderFlyweight.LENGTH + ip.wrap(whole).totalLength(), fragment);
        for (int at = Ipv4HeaderFlyweight.MIN_LENGTH; at < headerLength; at++)
        {
            FrameMemory.putByte(header + at, copiedOptions[at - Ipv4HeaderFlyweight.MIN_LENGTH]);
        }
        ip.wrap(whole);
        FrameMemory.copy(whole + ip.headerLength() + start, header + headerLength, dataLength);
        final boolean last = ip.headerLength() + start + dataLength == ip.totalLength();
        final int word = flagsAndOffset() + (start >> Ipv4HeaderFlyweight.FRAGMENT_UNIT_SHIFT);
        ip.wrap(header)
            .versionAndIhl(Ipv4HeaderFlyweight.VERSION_4_IHL_5 & 0xF0 | headerLength >> 2)
            .totalLength(headerLength + dataLength)
            .flagsAndFragmentOffset(last ? word : word | Ipv4HeaderFlyweight.FLAG_MF)
            .computeChecksum();
        laterChunks[k] = chunk;
        laterLengths[k] = EthernetHeaderFlyweight.LENGTH + headerLength + dataLength;
    }

    /** Leaves out the reserved flag, which must be 0 (RFC 791 section 3.1). Linux clears it too. */
    private int flagsAndOffset()
    {
        return ip.flagsAndFragmentOffset() & (Ipv4HeaderFlyweight.FLAG_MF | Ipv4HeaderFlyweight.FRAGMENT_OFFSET_MASK);
    }

    private void makeFirst(final FrameBatch batch, final int i, final int headerLength, final int dataLength)
    {
        ip.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH);
        ip.totalLength(headerLength + dataLength)
            .flagsAndFragmentOffset(flagsAndOffset() | Ipv4HeaderFlyweight.FLAG_MF)
            .computeChecksum();
        batch.length(i, EthernetHeaderFlyweight.LENGTH + headerLength + dataLength);
    }

    private void send(final FrameBatch batch, final int i, final int later)
    {
        int sent = 0;
        if (send(batch, i, batch.handle(i), batch.address(i), batch.length(i)))
        {
            batch.disposition(i, Disposition.SETTLED);
            counters.forwarded(batch.ingressPort(i), 1);
            while (sent < later && sendLater(batch, i, sent))
            {
                sent++;
            }
            counters.add(ForwarderCounter.FRAGMENTS, 1 + sent);
            counters.add(ForwarderCounter.FRAGMENTS_LOST, later - sent);
        }
        else
        {
            drops.drop(batch, i, DropReason.EGRESS_FULL.id());
        }
        for (int k = sent; k < later; k++)
        {
            pool.release(laterChunks[k]);
        }
    }

    private boolean sendLater(final FrameBatch batch, final int i, final int k)
    {
        return send(batch, i, laterChunks[k], laterChunks[k] + FramePool.HEADROOM, laterLengths[k]);
    }

    private boolean send(final FrameBatch batch, final int i, final long handle, final long fragment, final int length)
    {
        final int number = batch.egressInterface(i);
        final long frame = vlanOutput.insert(fragment, length, number, batch.ingressInterface(i));
        return egress.send(
            batch.egressPort(i), batch.ingressPort(i), handle, frame, length + vlanOutput.tagLength(number));
    }
}
