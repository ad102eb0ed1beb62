package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.VlanTag;

/**
 * A VLAN tag that was removed from a frame and is stored right before it, in {@link FramePool#HEADROOM}, so that it
 * stays with the frame. Frames are native addresses; lengths are in bytes, without the stored tag.
 */
final class WaitingTag
{
    /** Value for no tag; no tag begins with it. */
    private static final int NONE = 0;

    private WaitingTag()
    {
    }

    /** Records that a frame was received without a tag. */
    static void clear(final long frame, final int length)
    {
        open(frame, length);
        FrameMemory.putInt(frame - VlanTag.LENGTH, NONE);
        close(frame, length);
    }

    /**
     * Returns whether a tag is stored before a frame that {@link PriorityTagInput} has processed, or whose tags were
     * removed; false if the frame was received without a tag.
     */
    static boolean isBefore(final long frame, final int length)
    {
        open(frame, length);
        final boolean isTag = FrameMemory.getShortBE(frame - VlanTag.LENGTH) == EtherType.VLAN;
        close(frame, length);
        return isTag;
    }

    /** Inserts the stored tag into its frame; returns the address of the tagged frame, which is longer by the tag. */
    static long putBack(final long frame, final int length)
    {
        return VlanTag.insert(frame, length, VlanTag.stored(frame, length, VlanTag.LENGTH));
    }

    /** Stores the priority of a frame whose tags were removed, in place of the innermost one. */
    static void priorityOf(final long frame, final long tags)
    {
        final int pcp = VlanTag.pcp(VlanTag.outer(tags) == 0 ? tags : VlanTag.outer(tags));
        FrameMemory.putIntBE(frame - VlanTag.LENGTH, (int)VlanTag.of(EtherType.VLAN, pcp, 0));
    }

    /** Copies the stored tag of a frame, or its absence, to a frame in another chunk. */
    static void copy(final long from, final int length, final long to)
    {
        open(from, length);
        FrameMemory.putInt(to - VlanTag.LENGTH, FrameMemory.getInt(from - VlanTag.LENGTH));
        close(from, length);
    }

    private static void open(final long frame, final int length)
    {
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.frame(frame - VlanTag.LENGTH, length + VlanTag.LENGTH);
        }
    }

    private static void close(final long frame, final int length)
    {
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.frame(frame, length);
        }
    }
}
