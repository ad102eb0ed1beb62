package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.NanoClock;
import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv6HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.NeighborResolveProxy;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;

import java.util.concurrent.TimeUnit;

/**
 * Holds IPv4 and IPv6 frames with disposition HOLD until the MAC address of their neighbour is resolved. A held frame
 * becomes SETTLED. A frame beyond the limit for its neighbour or for all neighbours gets disposition DROP. The stage
 * requests the resolution of each neighbour from the control thread, once per second.
 * <p>
 * {@link #release} is called in idle duty cycles and in every 32nd one under load. It returns frames in the order of
 * arrival: with disposition FORWARD if the neighbour was resolved, to be processed from the lookup on, or with DROP if
 * they have waited too long. {@link #releaseAhead} returns frames that others would overtake.
 * <p>
 * A neighbour is an interface and an address of either family, as two {@code long}s in the form of {@link IpAddress}.
 * Packets of both families may wait for the same neighbour (RFC 8950).
 */
final class NeighborHold
{
    /** Limits the time of a duty cycle for held frames while an address scan causes many unresolved neighbours. */
    private static final int CHECKS_PER_CYCLE = 8;
    /** RFC 1122 section 2.3.2.1: at most one request for a neighbour in a second. */
    private static final long RESOLVE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int NONE = -1;
    private static final int HASHES = 256;
    private static final long NEVER_COMPARED = -1;

    private final RuleLookup ruleLookup;
    private final AdjacencyTable adjacencies;
    private final MultipathSelection multipathSelection;
    private final NeighborResolveProxy resolveProxy;
    private final FateCounters counters;
    private final NanoClock clock;
    private final int framesPerNeighbor;
    private final long timeoutNs;

    private final int[] neighborInterfaces;
    private final long[] neighborsHigh;
    private final long[] neighborsLow;
    private final int[] firstFrames;
    private final int[] lastFrames;
    private final int[] frameCounts;
    private final long[] deadlinesNs;
    private final long[] nextRequestsNs;
    private int neighborCount;
    private int nextCheck;
    /** {@link AdjacencyTable#changes()} when every neighbour of a held frame was last unresolved. */
    private long changesCompared;
    /** Number of neighbours with each hash; 0 for most frames whose neighbour is not held. */
    private final int[] neighborsOfHash = new int[HASHES];

    private final long[] handles;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] ingresses;
    private final int[] followers;
    private int freeFrame;
    /** A held frame, to look it up again. */
    private final FrameBatch one = new FrameBatch();
    private final FrameList first = new FrameList();

    private final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight();
    private final Ipv6HeaderFlyweight ipv6 = new Ipv6HeaderFlyweight();

    NeighborHold(
        final ForwarderContext context,
        final RuleLookup ruleLookup,
        final MultipathSelection multipathSelection,
        final NanoClock clock,
        final FateCounters counters)
    {
        this.multipathSelection = multipathSelection;
        this.ruleLookup = ruleLookup;
        this.adjacencies = context.adjacencies;
        this.resolveProxy = context.neighborResolveProxy;
        this.counters = counters;
        this.clock = clock;
        this.framesPerNeighbor = context.holdFramesPerNeighbor;
        this.timeoutNs = context.holdTimeoutNs;
        first.setAll(1);
        final int frames = context.holdFrames;
        neighborInterfaces = new int[frames];
        neighborsHigh = new long[frames];
        neighborsLow = new long[frames];
        firstFrames = new int[frames];
        lastFrames = new int[frames];
        frameCounts = new int[frames];
        deadlinesNs = new long[frames];
        nextRequestsNs = new long[frames];
        handles = new long[frames];
        addresses = new long[frames];
        lengths = new int[frames];
        ingresses = new int[frames];
        followers = new int[frames];
        for (int i = 0; i < frames; i++)
        {
            followers[i] = i + 1 < frames ? i + 1 : NONE;
        }
    }

    boolean isHolding()
    {
        return neighborCount > 0;
    }

    void process(final FrameBatch batch, final FrameList frames)
    {
        for (int k = 0; k < frames.size(); k++)
        {
            final int i = frames.get(k);
            if (batch.disposition(i) == Disposition.HOLD)
            {
                hold(batch, i);
            }
        }
    }

    private void hold(final FrameBatch batch, final int i)
    {
        final Adjacency adjacency = adjacencies.get(batch.adjacency(i));
        final int egress = adjacency.egressInterface();
        final IpAddress nextHop = adjacency.nextHop();
        if (!nextHop.isNone())
        {
            hold(batch, i, egress, nextHop.high(), nextHop.low());
        }
        else if (isIpv6(batch.address(i)))
        {
            ipv6.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH);
            hold(batch, i, egress, ipv6.destinationHigh(), ipv6.destinationLow());
        }
        else
        {
            ipv4.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH);
            hold(batch, i, egress, 0, IpAddress.mappedLow(ipv4.destination()));
        }
    }

    private static boolean isIpv6(final long frame)
    {
        return EthernetHeaderFlyweight.etherType(frame) == EtherType.IPV6;
    }

    private void hold(final FrameBatch batch, final int i, final int egress, final long high, final long low)
    {
        int n = find(egress, high, low);
        if (freeFrame == NONE || n != NONE && frameCounts[n] == framesPerNeighbor)
        {
            batch.drop(i, DropReason.HOLD_FULL.id());
            return;
        }
        if (n == NONE)
        {
            n = begin(egress, high, low);
        }
        append(n, batch, i);
        batch.disposition(i, Disposition.SETTLED);
        counters.held(batch.ingressPort(i), 1);
    }

    private static int hash(final int egress, final long high, final long low)
    {
        final long mixed = high ^ low ^ (long)egress << Integer.SIZE;
        return (int)(mixed ^ mixed >>> Byte.SIZE ^ mixed >>> Integer.SIZE) & HASHES - 1;
    }

    private int find(final int egress, final long high, final long low)
    {
        for (int n = 0; n < neighborCount; n++)
        {
            if (neighborsLow[n] == low && neighborsHigh[n] == high && neighborInterfaces[n] == egress)
            {
                return n;
            }
        }
        return NONE;
    }

    private int begin(final int egress, final long high, final long low)
    {
        final long now = clock.nanoTime();
        final int n = neighborCount++;
        neighborsOfHash[hash(egress, high, low)]++;
        neighborInterfaces[n] = egress;
        neighborsHigh[n] = high;
        neighborsLow[n] = low;
        firstFrames[n] = NONE;
        frameCounts[n] = 0;
        deadlinesNs[n] = now + timeoutNs;
        nextRequestsNs[n] = now;
        // The neighbour may have been resolved after the frame was looked up.
        changesCompared = NEVER_COMPARED;
        request(n, now);
        return n;
    }

    private void append(final int n, final FrameBatch batch, final int i)
    {
        final int frame = freeFrame;
        freeFrame = followers[frame];
        handles[frame] = batch.handle(i);
        addresses[frame] = batch.address(i);
        lengths[frame] = batch.length(i);
        ingresses[frame] = batch.ingressInterface(i);
        followers[frame] = NONE;
        if (firstFrames[n] == NONE)
        {
            firstFrames[n] = frame;
        }
        else
        {
            followers[lastFrames[n]] = frame;
        }
        lastFrames[n] = frame;
        frameCounts[n]++;
    }

    private void request(final int n, final long now)
    {
        final int egress = neighborInterfaces[n];
        // Below 0 if the route changed its kind between the rewrite and the hold: there is no neighbour to resolve.
        if (egress >= 0 && now - nextRequestsNs[n] >= 0 &&
            resolveProxy.resolve(egress, neighborsHigh[n], neighborsLow[n]))
        {
            nextRequestsNs[n] = now + RESOLVE_INTERVAL_NS;
        }
    }

    /** Returns false if no neighbour has become resolved since held frames were last compared with the tables. */
    boolean isOvertakingPossible()
    {
        return adjacencies.changes() != changesCompared;
    }

    /**
     * Checks some neighbours in rotation and moves the frames of those that were resolved or have timed out into a
     * batch. The rotation delays no frame under load, because {@link #releaseAhead} releases held frames when their
     * neighbour is resolved and another frame is sent.
     *
     * @param batch empty; receives frames to be forwarded, and dropped ones.
     */
    void release(final FrameBatch batch)
    {
        final long now = clock.nanoTime();
        final int checks = Math.min(neighborCount, CHECKS_PER_CYCLE);
        for (int k = 0; k < checks && neighborCount > 0; k++)
        {
            nextCheck = nextCheck < neighborCount ? nextCheck : 0;
            if (frameCounts[nextCheck] > batch.room())
            {
                return;
            }
            check(nextCheck, now, batch);
        }
    }

    /**
     * Releases the held frames that a batch of rewritten frames would overtake, and those of all other resolved
     * neighbours; called before the batch is sent. A neighbour may have been resolved since {@link #release}. If it has
     * become unresolved again before this call, its frames stay held, and the frames of the batch overtake them.
     *
     * @param ahead empty; receives the frames to be forwarded first.
     * @return true if {@code ahead} has no room for all; call again.
     */
    boolean releaseAhead(final FrameBatch batch, final FrameBatch ahead)
    {
        final int size = batch.size();
        for (int i = 0; i < size; i++)
        {
            final int n = batch.isToBeSent(i) ? findResolved(adjacencies.get(batch.adjacency(i))) : NONE;
            if (n != NONE)
            {
                if (frameCounts[n] > ahead.room())
                {
                    return true;
                }
                end(n, ahead, NONE);
            }
        }
        return releaseResolved(ahead);
    }

    /** Compares every neighbour with the tables, unless these are unchanged since the last time or change now. */
    private boolean releaseResolved(final FrameBatch ahead)
    {
        final long changes = adjacencies.changes();
        if (changes == changesCompared || (changes & 1) != 0)
        {
            return false;
        }
        for (int n = neighborCount - 1; n >= 0; n--)
        {
            if (!isUnresolved(n))
            {
                if (frameCounts[n] > ahead.room())
                {
                    return true;
                }
                end(n, ahead, NONE);
            }
        }
        changesCompared = changes;
        return false;
    }

    private int findResolved(final Adjacency adjacency)
    {
        if (adjacency.kind() != AdjacencyKind.FORWARD)
        {
            return NONE;
        }
        final int egress = adjacency.egressInterface();
        final IpAddress nextHop = adjacency.nextHop();
        return neighborsOfHash[hash(egress, nextHop.high(), nextHop.low())] == 0 ?
            NONE : find(egress, nextHop.high(), nextHop.low());
    }

    private void check(final int n, final long now, final FrameBatch batch)
    {
        if (!isUnresolved(n))
        {
            end(n, batch, NONE);
        }
        else if (now - deadlinesNs[n] >= 0)
        {
            end(n, batch, DropReason.NEIGHBOR_UNRESOLVED.id());
        }
        else
        {
            request(n, now);
            nextCheck++;
        }
    }

    private boolean isUnresolved(final int n)
    {
        final AdjacencyKind kind = adjacencies.get(lookup(firstFrames[n])).kind();
        return kind == AdjacencyKind.UNRESOLVED || kind == AdjacencyKind.GLEAN;
    }

    /** Returns the index of the adjacency that a held frame has now. */
    private int lookup(final int frame)
    {
        final boolean isIpv6 = isIpv6(addresses[frame]);
        one.clear();
        one.add(handles[frame], addresses[frame], lengths[frame], ingresses[frame]);
        one.adjacency(0, ruleLookup.route(addresses[frame], ingresses[frame], isIpv6));
        multipathSelection.process(one, first, isIpv6);
        return one.adjacency(0);
    }

    private void end(final int n, final FrameBatch batch, final int dropReason)
    {
        int frame = firstFrames[n];
        while (frame != NONE)
        {
            final int i = batch.size();
            batch.add(handles[frame], addresses[frame], lengths[frame], ingresses[frame]);
            if (dropReason != NONE)
            {
                batch.drop(i, dropReason);
            }
            counters.held(InterfaceNumber.portOf(ingresses[frame]), -1);
            final int follower = followers[frame];
            followers[frame] = freeFrame;
            freeFrame = frame;
            frame = follower;
        }
        neighborsOfHash[hash(neighborInterfaces[n], neighborsHigh[n], neighborsLow[n])]--;
        final int last = --neighborCount;
        neighborInterfaces[n] = neighborInterfaces[last];
        neighborsHigh[n] = neighborsHigh[last];
        neighborsLow[n] = neighborsLow[last];
        firstFrames[n] = firstFrames[last];
        lastFrames[n] = lastFrames[last];
        frameCounts[n] = frameCounts[last];
        deadlinesNs[n] = deadlinesNs[last];
        nextRequestsNs[n] = nextRequestsNs[last];
    }
}
