package org.fibnuma.fibnic.flows;

import org.fibnuma.core.flow.FlowTuple;

/**
 * A flow at one moment. Packets and bytes are those that workers have forwarded; bytes count from the network header.
 *
 * @param number       of the flow, 1 or more; used again after the flow has ended.
 * @param id           of its entry in conntrack.
 * @param original     tuple of the packets that the initiator sends, before translation.
 * @param reply        tuple of the packets that the responder sends, before translation.
 * @param ingress      number of the interface that receives the packets of the initiator.
 * @param replyIngress number of the interface that receives the packets of the responder.
 * @param packets      of the initiator.
 * @param bytes        of the initiator.
 * @param replyPackets of the responder.
 * @param replyBytes   of the responder.
 * @param ageMs        since the flow was learned.
 * @param refreshedMs  since the timeout of its entry was set last.
 */
public record FlowView(
    int number,
    int id,
    FlowTuple original,
    FlowTuple reply,
    int ingress,
    int replyIngress,
    long packets,
    long bytes,
    long replyPackets,
    long replyBytes,
    long ageMs,
    long refreshedMs)
{
    /** Returns whether addresses or ports are translated. */
    public boolean isTranslated()
    {
        return !translated().equals(original);
    }

    /** Returns the tuple of the packets of the initiator after translation. */
    public FlowTuple translated()
    {
        return reply.inverse();
    }

    /** Returns whether this is a view of the same flow as another one, at another moment. */
    public boolean isSameFlow(final FlowView other)
    {
        return number == other.number && id == other.id && original.equals(other.original);
    }
}
