package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.fate.FateCounters;

/**
 * Removes priority tags (VLAN id 0) from received IP frames, in a router with lossless priorities, before
 * {@code FrameClassifier}. The removed tag is stored before the frame for the egress, see {@link WaitingTag}. All other
 * frames are not modified; the tags of VLANs are removed later. It sets no disposition.
 */
final class PriorityTagInput
{
    private final FateCounters counters;

    PriorityTagInput(final FateCounters counters)
    {
        this.counters = counters;
    }

    /** Removes the priority tags of frames of one port, at least one. */
    void process(final FrameBatch batch)
    {
        final int size = batch.size();
        long removedBytes = 0;
        for (int i = 0; i < size; i++)
        {
            final long frame = batch.address(i);
            final int length = batch.length(i);
            final long tags = VlanTag.read(frame, length);
            if (tags != 0 && VlanInput.isPriorityTagged(batch, i, tags))
            {
                batch.restart(i, VlanTag.remove(frame, tags), length - VlanTag.LENGTH);
                removedBytes += VlanTag.LENGTH;
            }
            else
            {
                WaitingTag.clear(frame, length);
            }
        }
        counters.received(batch.ingressPort(0), 0, removedBytes);
    }
}
