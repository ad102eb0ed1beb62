package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyGroup;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fib.Ipv4Fib;

/**
 * Checks the route to the source of received frames on a port with a reverse-path check (RFC 1812 section 5.3.8, RFC
 * 3704 sections 2.2 and 2.4). Frames that fail get disposition DROP, those that only the kernel can check PUNT; all
 * others are not modified.
 * <p>
 * Strict: the route to the source leaves by the ingress port. Loose: a route to the source leaves by any interface. Of
 * several next hops one is sufficient. As in the kernel, loose is strict on a port without an address
 * (__fib_validate_source). Policy: nothing fails.
 * <p>
 * If the adjacency of the source is of kind PUNT, the kernel decides in every mode. If it is of kind KERNEL, the kernel
 * decides in strict mode, because its route may leave by the ingress port. A frame that would enter the kernel by
 * another interface fails then.
 */
final class Ipv4ReversePath
{
    private static final int SOURCE_OFFSET = EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.SOURCE_OFFSET;
    private static final int DESTINATION_OFFSET =
        EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.DESTINATION_OFFSET;

    private final Ipv4Fib fib;
    private final AdjacencyTable adjacencies;
    private final RuleLookup ruleLookup;
    private final PuntOutput puntOutput;

    Ipv4ReversePath(
        final Ipv4Fib fib,
        final AdjacencyTable adjacencies,
        final RuleLookup ruleLookup,
        final PuntOutput puntOutput)
    {
        this.ruleLookup = ruleLookup;
        this.puntOutput = puntOutput;
        this.fib = fib;
        this.adjacencies = adjacencies;
    }

    /**
     * Drops the frames whose source fails the check. All sources of the batch are looked up together, so that the
     * memory accesses overlap; then the destinations in the batch are restored.
     *
     * @param batch      frames of one port, at least one.
     * @param ingress    interface as which all of them are received.
     * @param ordinary   checked frames; those that fail are removed.
     * @param exceptions checked if their disposition is FORWARD; receives the ordinary frames that fail.
     */
    void process(
        final FrameBatch batch, final RouterInterface ingress, final FrameList ordinary, final FrameList exceptions)
    {
        if (!checks(ingress))
        {
            return;
        }
        final ReversePath mode = modeOf(ingress);
        readDestinations(batch, ordinary, SOURCE_OFFSET);
        readDestinations(batch, exceptions, SOURCE_OFFSET);
        fib.lookup(batch, 0, batch.size());
        final int count = exceptions.size();
        for (int k = 0; k < count; k++)
        {
            final int i = exceptions.get(k);
            if (batch.isForward(i))
            {
                check(batch, i, mode);
            }
        }
        final int ordinaryCount = ordinary.size();
        ordinary.clear();
        for (int k = 0; k < ordinaryCount; k++)
        {
            final int i = ordinary.get(k);
            if (check(batch, i, mode))
            {
                ordinary.add(i);
            }
            else
            {
                exceptions.insert(i);
            }
        }
        readDestinations(batch, ordinary, DESTINATION_OFFSET);
        readDestinations(batch, exceptions, DESTINATION_OFFSET);
    }

    /** Returns whether the sources of frames that an interface receives are checked. */
    static boolean checks(final RouterInterface ingress)
    {
        return ingress.policy().reversePath() != ReversePath.OFF;
    }

    private static void readDestinations(final FrameBatch batch, final FrameList frames, final int offset)
    {
        for (int k = 0; k < frames.size(); k++)
        {
            final int i = frames.get(k);
            if (batch.isForward(i))
            {
                batch.destination(i, FrameMemory.getIntBE(batch.address(i) + offset));
            }
        }
    }

    private boolean check(final FrameBatch batch, final int i, final ReversePath mode)
    {
        final int route = ruleLookup.routeBack(batch.address(i), batch.adjacency(i));
        if (passes(route, batch.ingressInterface(i), mode) || !isChecked(batch, i))
        {
            return true;
        }
        if (adjacencies.has(route, AdjacencyKind.PUNT) ||
            adjacencies.has(route, AdjacencyKind.KERNEL) && puntOutput.isByPort(batch, i))
        {
            batch.disposition(i, Disposition.PUNT);
        }
        else
        {
            batch.drop(i, DropReason.IPV4_REVERSE_PATH.id());
        }
        return false;
    }

    /**
     * Returns whether the source of a frame is checked here. As in the kernel it is not if the destination has no next
     * hop: the sender gets an error (ip_route_input_slow in net/ipv4/route.c, Linux 6.1). Frames that the kernel
     * forwards are checked by the kernel if they enter it by the interface with the check.
     */
    private boolean isChecked(final FrameBatch batch, final int i)
    {
        final int route = ruleLookup.route(batch.address(i), batch.ingressInterface(i), false);
        return switch (adjacencies.get(route).kind())
        {
            case NO_ROUTE, UNREACHABLE, PROHIBIT, BLACKHOLE -> false;
            case KERNEL, PUNT -> !puntOutput.isByPort(batch, i);
            default -> true;
        };
    }

    private static ReversePath modeOf(final RouterInterface ingress)
    {
        final ReversePath mode = ingress.policy().reversePath();
        return mode == ReversePath.LOOSE && ingress.address() == RouterInterface.NO_ADDRESS ?
            ReversePath.STRICT : mode;
    }

    private boolean passes(final int adjacencyIndex, final int ingress, final ReversePath mode)
    {
        final Adjacency adjacency = adjacencies.get(adjacencyIndex);
        final AdjacencyGroup group = adjacency.group();
        if (group == null)
        {
            return passes(adjacency, ingress, mode);
        }
        for (int member = 0; member < group.size(); member++)
        {
            if (passes(adjacencies.get(group.member(member)), ingress, mode))
            {
                return true;
            }
        }
        return false;
    }

    private static boolean passes(final Adjacency adjacency, final int ingress, final ReversePath mode)
    {
        return switch (mode)
        {
            case STRICT -> adjacency.egressInterface() == ingress;
            case LOOSE -> adjacency.egressInterface() >= 0 || adjacency.kind() == AdjacencyKind.KERNEL;
            default -> adjacency.kind() != AdjacencyKind.PUNT;
        };
    }
}
