package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fib.Ipv4Fib;

/**
 * Frames of one port with a sound IPv4 header come in; on a port with a reverse-path check those go on whose source
 * passes it, and the others are dropped (RFC 1812 section 5.3.8, RFC 3704 sections 2.2 and 2.4). Strict: the route to
 * the source leaves by the same port. Loose: there is a route to it that leads anywhere, by a port or by an interface
 * of the kernel. As in the kernel, loose is strict on a port without an address (__fib_validate_source).
 */
final class Ipv4ReversePath
{
    private static final int SOURCE_OFFSET = EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.SOURCE_OFFSET;
    private static final int DESTINATION_OFFSET =
        EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.DESTINATION_OFFSET;

    private static final long FAILS = 1;

    private final InterfaceTable interfaces;
    private final Ipv4Fib fib;
    private final AdjacencyTable adjacencies;

    Ipv4ReversePath(final InterfaceTable interfaces, final Ipv4Fib fib, final AdjacencyTable adjacencies)
    {
        this.interfaces = interfaces;
        this.fib = fib;
        this.adjacencies = adjacencies;
    }

    void process(final FrameBatch batch)
    {
        final int port = batch.ingressPort(0);
        final RouterInterface ingress = interfaces.get(port);
        if (ingress.policy().reversePath() == ReversePath.OFF)
        {
            return;
        }
        final boolean strict = isStrict(ingress);
        final int size = batch.size();
        for (int i = 0; i < size; i++)
        {
            if (batch.isForward(i) && batch.fault(i) != 0 &&
                !passes(fib.lookup(FrameMemory.getIntBE(batch.address(i) + SOURCE_OFFSET)), port, strict))
            {
                batch.drop(i, DropReason.IPV4_REVERSE_PATH.id());
            }
        }
    }

    /**
     * Gives a fault to the frames that {@link #process} would drop, for all of a batch with one lookup, so that its
     * accesses to memory overlap. The destinations of the batch are as before.
     *
     * @param batch   with the faults found so far; frames with one are left out, and need not be long enough for a
     *                header.
     * @param ingress interface that they came in by, with a reverse-path check.
     * @return whether any was given a fault.
     */
    boolean mark(final FrameBatch batch, final RouterInterface ingress)
    {
        final int port = batch.ingressPort(0);
        final boolean strict = isStrict(ingress);
        final int size = batch.size();
        for (int i = 0; i < size; i++)
        {
            if (batch.fault(i) == 0)
            {
                batch.destination(i, FrameMemory.getIntBE(batch.address(i) + SOURCE_OFFSET));
            }
        }
        fib.lookup(batch, 0, size);
        boolean any = false;
        for (int i = 0; i < size; i++)
        {
            if (batch.fault(i) == 0)
            {
                final boolean fails = !passes(batch.adjacency(i), port, strict);
                batch.fault(i, fails ? FAILS : 0);
                any |= fails;
                batch.destination(i, FrameMemory.getIntBE(batch.address(i) + DESTINATION_OFFSET));
            }
        }
        return any;
    }

    private static boolean isStrict(final RouterInterface ingress)
    {
        return ingress.policy().reversePath() == ReversePath.STRICT ||
            ingress.address() == RouterInterface.NO_ADDRESS;
    }

    private boolean passes(final int adjacencyIndex, final int ingressPort, final boolean strict)
    {
        final Adjacency adjacency = adjacencies.get(adjacencyIndex);
        return strict ? adjacency.egressPort() == ingressPort :
            adjacency.egressPort() >= 0 || adjacency.kind() == AdjacencyKind.KERNEL;
    }
}
