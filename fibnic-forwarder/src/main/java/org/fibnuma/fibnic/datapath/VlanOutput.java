package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.adjacency.EgressLinks;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fate.VlanTraffic;
import org.fibnuma.pfc.priority.PriorityClassifier;

/**
 * Inserts the VLAN tags of rewritten frames that leave by VLAN interfaces, after the stages that read their headers. It
 * sets no disposition. A batch that leaves by ports whose adjacencies have no VLANs costs one test.
 * <p>
 * The tags are those of the egress interface, with its PCP. In a router with lossless priorities the PCP is the
 * priority of the frame instead.
 */
final class VlanOutput
{
    private final InterfaceTable interfaces;
    private final EgressLinks links;
    private final VlanTraffic.Counts traffic;
    /** Null in a router without lossless priorities. */
    private final PriorityClassifier classifier;
    private final int ownIngress;

    VlanOutput(
        final InterfaceTable interfaces,
        final EgressLinks links,
        final VlanTraffic.Counts traffic,
        final PriorityClassifier classifier,
        final int ownIngress)
    {
        this.interfaces = interfaces;
        this.links = links;
        this.traffic = traffic;
        this.classifier = classifier;
        this.ownIngress = ownIngress;
    }

    /** Inserts the tags of all frames with disposition FORWARD. */
    void process(final FrameBatch batch)
    {
        if ((batch.egressPorts() & links.taggedPorts()) == 0)
        {
            return;
        }
        final int size = batch.size();
        for (int i = 0; i < size; i++)
        {
            if (batch.isForward(i) && InterfaceNumber.vlanOf(batch.egressInterface(i)) != 0)
            {
                final int number = batch.egressInterface(i);
                final int length = batch.length(i);
                final long tagged = insert(batch.address(i), length, number, batch.ingressInterface(i));
                batch.restart(i, tagged, length + tagLength(number));
            }
        }
    }

    /** Returns the number of bytes that {@link #insert} adds to a frame which leaves by an interface, 0 to 8. */
    int tagLength(final int number)
    {
        return VlanTag.length(interfaces.get(number).tags());
    }

    /**
     * Inserts the tags of an interface into one frame.
     *
     * @param frame   native address of the frame, with {@link #tagLength} bytes free before it.
     * @param length  of the frame in bytes.
     * @param number  of the egress interface; without tags the frame is not modified.
     * @param ingress number of the ingress interface.
     * @return native address of the tagged frame.
     */
    long insert(final long frame, final int length, final int number, final int ingress)
    {
        final long tags = interfaces.get(number).tags();
        if (tags == 0)
        {
            return frame;
        }
        traffic.sent(number, 1, length);
        return VlanTag.insert(frame, length,
            classifier == null ? tags : VlanTag.withPcp(tags, priority(frame, length, ingress)));
    }

    private int priority(final long frame, final int length, final int ingress)
    {
        if (!classifier.isByPcp())
        {
            return classifier.priority(frame, length);
        }
        return ingress != ownIngress && WaitingTag.isBefore(frame, length) ?
            VlanTag.pcp(VlanTag.stored(frame, length, VlanTag.LENGTH)) : 0;
    }
}
