package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.fate.FateCounters;

/**
 * Removes priority tags (VLAN id 0) from received IPv4 frames, in a router with lossless priorities, before
 * {@code FrameClassifier}. The removed tag is stored before the frame for the egress, see {@link WaitingTag}. All other
 * frames are not modified; the tags of VLANs are removed later. It sets no disposition.
 */
final class PriorityTagInput
{
    private static final int LEAST_LENGTH = EthernetHeaderFlyweight.LENGTH + VlanTag.LENGTH;

    private final FateCounters counters;

    /**
     * Creates the stage of one worker.
     *
     * @param counters counters of the worker.
     */
    PriorityTagInput(final FateCounters counters)
    {
        this.counters = counters;
    }

    /**
     * Removes the priority tags.
     *
     * @param batch frames of one port, at least one.
     */
    void process(final FrameBatch batch)
    {
        final int size = batch.size();
        long takenOut = 0;
        for (int i = 0; i < size; i++)
        {
            final long frame = batch.address(i);
            final int length = batch.length(i);
            if (isPriorityTagged(frame, length))
            {
                batch.restart(i, VlanTag.remove(frame, VlanTag.read(frame, length)), length - VlanTag.LENGTH);
                takenOut += VlanTag.LENGTH;
            }
            else
            {
                WaitingTag.clear(frame, length);
            }
        }
        counters.received(batch.ingressPort(0), 0, takenOut);
    }

    private static boolean isPriorityTagged(final long frame, final int length)
    {
        return length >= LEAST_LENGTH &&
            FrameMemory.getShortBE(frame + EthernetHeaderFlyweight.ETHER_TYPE_OFFSET) == EtherType.VLAN &&
            (FrameMemory.getShortBE(frame + VlanTag.CONTROL_OFFSET) & VlanTag.VID_MASK) == 0 &&
            FrameMemory.getShortBE(frame + VlanTag.INNER_ETHER_TYPE_OFFSET) == EtherType.IPV4;
    }
}
