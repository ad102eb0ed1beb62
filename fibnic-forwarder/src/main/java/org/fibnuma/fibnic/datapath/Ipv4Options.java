package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.EpochClock;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.Ipv4OptionsFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fib.Ipv4Fib;

import java.util.concurrent.TimeUnit;

/**
 * Processes the IPv4 options of exceptions that will be forwarded or held (RFC 1812 section 5.3.13). A frame with an
 * octet in error gets disposition DROP, and so does a frame with a source route. A loose source route is followed if
 * the context permits it. All other frames are left to {@link Ipv4Rewrite}.
 * <p>
 * Record route and timestamp options (RFC 791 section 3.1) get the egress address and the time, and the header checksum
 * is updated. All other options and full route records are not modified. A frame that will be held is only checked: it
 * passes this stage again when its neighbour is resolved.
 */
final class Ipv4Options
{
    private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

    private final Ipv4Fib fib;
    private final AdjacencyTable adjacencies;
    private final InterfaceTable interfaces;
    private final EpochClock clock;
    private final boolean forwardsLooseSourceRoutes;
    private final Ipv4HeaderFlyweight ip = new Ipv4HeaderFlyweight();
    private final Ipv4OptionsFlyweight options = new Ipv4OptionsFlyweight();

    Ipv4Options(final ForwarderContext context)
    {
        this.fib = context.fib;
        this.adjacencies = context.adjacencies;
        this.interfaces = context.interfaces;
        this.clock = context.epochClock;
        this.forwardsLooseSourceRoutes = context.forwardLooseSourceRoutes;
    }

    void process(final FrameBatch batch, final FrameList frames)
    {
        for (int k = 0; k < frames.size(); k++)
        {
            final int i = frames.get(k);
            if (batch.isForward(i) && ip.wrap(batch.address(i) + EthernetHeaderFlyweight.LENGTH).versionAndIhl() !=
                Ipv4HeaderFlyweight.VERSION_4_IHL_5)
            {
                process(batch, i, adjacencies.get(batch.adjacency(i)));
            }
        }
    }

    private void process(final FrameBatch batch, final int i, final Adjacency adjacency)
    {
        final AdjacencyKind kind = adjacency.kind();
        if (kind == AdjacencyKind.LOCAL || kind == AdjacencyKind.BROADCAST || kind == AdjacencyKind.KERNEL ||
            kind == AdjacencyKind.PUNT)
        {
            return;
        }
        final boolean hasNextHop =
            kind == AdjacencyKind.FORWARD || kind == AdjacencyKind.UNRESOLVED || kind == AdjacencyKind.GLEAN;
        final long header = batch.address(i) + EthernetHeaderFlyweight.LENGTH;
        options.wrap(header);
        if (options.octetInError() != Ipv4OptionsFlyweight.NONE)
        {
            batch.drop(i, DropReason.IPV4_BAD_OPTION.id());
        }
        else if (hasNextHop && options.sourceRoute() != Ipv4OptionsFlyweight.NONE &&
            !isFollowed(header + options.sourceRoute()))
        {
            batch.drop(i, DropReason.IPV4_SOURCE_ROUTE.id());
        }
        else if (kind == AdjacencyKind.FORWARD && ip.ttl() > Ipv4HeaderFlyweight.LAST_TTL &&
            (options.recordRoute() != Ipv4OptionsFlyweight.NONE || options.timestamp() != Ipv4OptionsFlyweight.NONE))
        {
            register(header, adjacency);
        }
    }

    /**
     * A strict source route is never followed: a frame that is not addressed to this router has left its route already
     * (RFC 791), and a frame to this router is punted.
     */
    private boolean isFollowed(final long sourceRoute)
    {
        return forwardsLooseSourceRoutes &&
            (FrameMemory.getByte(sourceRoute) & 0xFF) == Ipv4OptionsFlyweight.LOOSE_SOURCE_ROUTE;
    }

    private void register(final long header, final Adjacency adjacency)
    {
        final int own = interfaces.sourceBy(adjacency);
        boolean changed = false;
        if (options.recordRoute() != Ipv4OptionsFlyweight.NONE && own != RouterInterface.NO_ADDRESS)
        {
            changed = recordRoute(header, options.recordRoute(), own);
        }
        if (options.timestamp() != Ipv4OptionsFlyweight.NONE)
        {
            changed |= timestamp(header, options.timestamp(), own);
        }
        if (changed)
        {
            ip.computeChecksum();
        }
    }

    private boolean recordRoute(final long header, final int option, final int own)
    {
        if (!options.hasRoom(option))
        {
            return false;
        }
        FrameMemory.putIntBE(header + options.slot(option), own);
        advance(header + option, Integer.BYTES);
        return true;
    }

    private boolean timestamp(final long header, final int option, final int own)
    {
        final long overflowAndFlag = header + option + Ipv4OptionsFlyweight.OVERFLOW_FLAG_OFFSET;
        final int flag = FrameMemory.getByte(overflowAndFlag) & Ipv4OptionsFlyweight.FLAG_MASK;
        final int slotLength = Ipv4OptionsFlyweight.timestampSlotLength(flag);
        if (slotLength == 0)
        {
            return false;
        }
        if (!options.hasRoom(option))
        {
            FrameMemory.putByte(
                overflowAndFlag,
                FrameMemory.getByte(overflowAndFlag) + (1 << Ipv4OptionsFlyweight.OVERFLOW_SHIFT));
            return true;
        }
        final long slot = header + options.slot(option);
        if (flag == Ipv4OptionsFlyweight.FLAG_PRESPECIFIED && !isOurs(FrameMemory.getIntBE(slot)))
        {
            return false;
        }
        if (flag == Ipv4OptionsFlyweight.FLAG_ADDRESSES)
        {
            FrameMemory.putIntBE(slot, own);
        }
        FrameMemory.putIntBE(slot + slotLength - Integer.BYTES, (int)(clock.time() % DAY_MS));
        advance(header + option, slotLength);
        return true;
    }

    private boolean isOurs(final int address)
    {
        return adjacencies.get(fib.lookup(address)).kind() == AdjacencyKind.LOCAL;
    }

    private static void advance(final long option, final int slotLength)
    {
        final long pointer = option + Ipv4OptionsFlyweight.POINTER_OFFSET;
        FrameMemory.putByte(pointer, FrameMemory.getByte(pointer) + slotLength);
    }
}
