package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.InternetChecksum;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.AddressFilter;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fib.Ipv4Fib;

import java.nio.ByteOrder;

/**
 * Frames as a port received them come in and are counted as received. Ordinary ones are rewritten and leave by
 * {@link EgressQueues}, in runs to the same port. All others are added, in their order, to a batch of exceptions,
 * untouched; the stages from {@link EthernetInput} on decide what becomes of those. The stages would treat an ordinary
 * frame just as it is treated here (a test compares).
 * <p>
 * Ordinary is a frame to this station with an IPv4 header without options that fails none of the checks of
 * {@link EthernetInput}, {@link Ipv4Input} and {@link Ipv4ReversePath}, that has a hop left and whose adjacency sends
 * it as it is. A source that {@link AddressFilter} takes for one of this host's addresses is not ordinary, whether it
 * is one or not.
 * <p>
 * Three loops, each with few values to keep, so that all of them stay in registers. The first gathers the faults of all
 * frames in one number, and keeps those of each frame for batches where it is not 0. The second looks up every
 * destination and does nothing else, so that its accesses to memory overlap. The third rewrites; it has a second form
 * for frames among exceptions, which closes the gaps that these leave.
 */
final class Ipv4FastPath
{
    private static final int ETHERNET = EthernetHeaderFlyweight.LENGTH;
    private static final int SHORTEST = ETHERNET + Ipv4HeaderFlyweight.MIN_LENGTH;
    private static final int LAST_TTL = 1;
    private static final long TOO_SHORT = 1;
    private static final long NOT_FORWARDED = 1;
    private static final int MACS_LOW_OFFSET = Long.BYTES;

    /** EtherType, version and header length: the first three of the four bytes from the EtherType on. */
    private static final int IPV4_WITHOUT_OPTIONS =
        EtherType.IPV4 << 2 * Byte.SIZE | Ipv4HeaderFlyweight.VERSION_4_IHL_5 << Byte.SIZE;
    private static final long TYPE_WORD = inMachineOrder(IPV4_WITHOUT_OPTIONS);
    private static final long TYPE_MASK = inMachineOrder(0xFFFF_FF00);

    private final InterfaceTable interfaces;
    private final AddressFilter hostAddresses;
    private final Ipv4Fib fib;
    private final AdjacencyTable adjacencies;
    private final Ipv4ReversePath reversePath;
    private final IcmpRedirects icmpRedirects;
    private final EgressQueues egressQueues;
    private final FateCounters counters;
    private boolean anyFault;
    private boolean isPadded;
    private long runBytes;
    /** Kept, since the control thread may have put another adjacency in the place of the one that was used. */
    private int runEgress;
    private int next;

    Ipv4FastPath(
        final InterfaceTable interfaces,
        final Ipv4Fib fib,
        final AdjacencyTable adjacencies,
        final Ipv4ReversePath reversePath,
        final IcmpRedirects icmpRedirects,
        final EgressQueues egressQueues,
        final FateCounters counters)
    {
        this.interfaces = interfaces;
        this.hostAddresses = interfaces.hostAddresses();
        this.fib = fib;
        this.adjacencies = adjacencies;
        this.reversePath = reversePath;
        this.icmpRedirects = icmpRedirects;
        this.egressQueues = egressQueues;
        this.counters = counters;
    }

    /**
     * Counts, checks and looks up frames; {@link #rewrite} comes next.
     *
     * @param batch of one port, not empty.
     */
    void input(final FrameBatch batch)
    {
        final RouterInterface ingress = interfaces.get(batch.ingressPort(0));
        judge(batch, ingress.macWord());
        if (ingress.policy() != InterfacePolicy.OPEN)
        {
            judgeByPolicy(batch, ingress);
        }
        fib.lookup(batch, 0, batch.size());
    }

    /**
     * Where the last {@link #rewrite} ended.
     *
     * @return index of the first frame that it left as it was: the size of the batch at the end.
     */
    int next()
    {
        return next;
    }

    /**
     * Whether the last batch had frames that {@link EthernetInput}, {@link Ipv4Input} or {@link Ipv4ReversePath} may
     * have to stop.
     *
     * @return false where all of its exceptions are frames that their adjacency does not send as they are.
     */
    boolean hasFaults()
    {
        return anyFault;
    }

    private void judge(final FrameBatch batch, final long ourMac)
    {
        final int size = batch.size();
        long faults = 0;
        int padding = 0;
        long bytes = 0;
        for (int i = 0; i < size; i++)
        {
            final long fault = read(batch, i, ourMac, hostAddresses);
            batch.fault(i, fault);
            faults |= fault;
            padding |= padding(batch, i);
            bytes += batch.length(i);
        }
        counters.received(batch.ingressPort(0), size, bytes);
        isPadded = padding != 0;
        anyFault = faults != 0;
    }

    /** Finds the frames that the host's policy for the interface may stop. */
    private void judgeByPolicy(final FrameBatch batch, final RouterInterface ingress)
    {
        final int size = batch.size();
        for (int i = 0; !ingress.policy().forwarding() && i < size; i++)
        {
            batch.fault(i, NOT_FORWARDED);
            anyFault = true;
        }
        if (ingress.policy().reversePath() != ReversePath.OFF)
        {
            anyFault |= reversePath.mark(batch, ingress);
        }
    }

    /**
     * Stores what the other loops need of a frame. Of one that is too short, what lies behind it in its chunk is read,
     * and its length is found wanting all the same.
     *
     * @return 0 where nothing is wrong with it.
     */
    private static long read(
        final FrameBatch batch, final int i, final long ourMac, final AddressFilter hostAddresses)
    {
        if (FrameMemory.BOUNDS_CHECKS && batch.length(i) < SHORTEST)
        {
            return TOO_SHORT;
        }
        final long frame = batch.address(i);
        final long header = frame + ETHERNET;
        final int packetLength = FrameMemory.getIntBE(header) & 0xFFFF;
        batch.packetLength(i, packetLength);
        batch.destination(i, FrameMemory.getIntBE(header + Ipv4HeaderFlyweight.DESTINATION_OFFSET));
        final int hops = (FrameMemory.getByte(header + Ipv4HeaderFlyweight.TTL_OFFSET) & 0xFF) - LAST_TTL;
        // Below 0 where one of them is.
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

    /**
     * Rewrites the next frames that leave by one port.
     *
     * @param batch      after {@link #input}.
     * @param from       index of the first frame; first 0, then {@link #next()}.
     * @param exceptions receives the frames before {@link #next()} that are not ordinary.
     * @return index after the last frame of the run, which begins at {@code from}; the run may be empty.
     */
    int rewrite(final FrameBatch batch, final int from, final FrameBatch exceptions)
    {
        final int limit = anyFault ? from : batch.size();
        final int egress = adjacencies.get(batch.adjacency(from)).egressPort();
        long bytes = 0;
        int i = FrameBatch.index(from);
        for (; i < limit; i++)
        {
            final Adjacency adjacency = adjacencies.get(batch.adjacency(i));
            final int packetLength = batch.packetLength(i);
            if (packetLength > adjacency.longestPacket() || adjacency.egressPort() != egress)
            {
                break;
            }
            rewrite(batch.address(i), adjacency);
            bytes += packetLength;
        }
        runBytes = bytes + (long)(i - from) * ETHERNET;
        runEgress = egress;
        next = i;
        return i == batch.size() ? i : rewriteAroundExceptions(batch, from, exceptions);
    }

    /** Goes on with the run, and closes the gaps that exceptions leave. */
    private int rewriteAroundExceptions(final FrameBatch batch, final int from, final FrameBatch exceptions)
    {
        final int size = batch.size();
        int egress = runEgress;
        long bytes = runBytes;
        int i = FrameBatch.index(next);
        int end = i;
        for (; i < size; i++)
        {
            final Adjacency adjacency = adjacencies.get(batch.adjacency(i));
            final int packetLength = batch.packetLength(i);
            if (batch.fault(i) != 0 || packetLength > adjacency.longestPacket())
            {
                except(batch, i, exceptions);
                continue;
            }
            if (adjacency.egressPort() != egress)
            {
                if (end > from)
                {
                    break;
                }
                egress = adjacency.egressPort();
            }
            rewrite(batch.address(i), adjacency);
            bytes += packetLength + ETHERNET;
            batch.move(i, end++);
        }
        runBytes = bytes;
        runEgress = egress;
        next = i;
        return end;
    }

    /** A frame without a fault skips {@link Ipv4Input}, so its Ethernet padding is cut here. */
    private static void except(final FrameBatch batch, final int i, final FrameBatch exceptions)
    {
        exceptions.addLookedUp(batch, i);
        if (batch.fault(i) == 0)
        {
            exceptions.length(exceptions.size() - 1, ETHERNET + batch.packetLength(i));
        }
    }

    private static void rewrite(final long frame, final Adjacency adjacency)
    {
        FrameMemory.putLong(frame, adjacency.macsHigh());
        FrameMemory.putInt(frame + MACS_LOW_OFFSET, adjacency.macsLow());
        Ipv4HeaderFlyweight.decrementTtl(frame + ETHERNET);
    }

    /**
     * Sends the frames that {@link #rewrite} has just rewritten.
     *
     * @param batch of them.
     * @param from  index of the first.
     * @param end   index after the last.
     */
    void send(final FrameBatch batch, final int from, final int end)
    {
        for (int i = from; isPadded && i < end; i++)
        {
            batch.length(i, ETHERNET + batch.packetLength(i));
        }
        if (runEgress == batch.ingressPort(from))
        {
            icmpRedirects.process(batch, from, end);
        }
        egressQueues.sendRun(batch, from, end, runEgress, runBytes);
    }
}
