package org.fibnuma.fibnic.lossless;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.VlanTag;

/**
 * A tag that was taken out of a frame and lies right before it, in the room that {@link FramePool#HEADROOM} leaves, so
 * that it goes wherever the frame goes.
 */
public final class WaitingTag
{
    private static final int ADDRESSES = EthernetHeaderFlyweight.ETHER_TYPE_OFFSET;
    /** No tag starts like this. */
    private static final int NONE = 0;

    private WaitingTag()
    {
    }

    /** Takes the tag out of a frame; yields the address of the rest, which is shorter by the tag. */
    static long takeOut(final long tagged)
    {
        final int tag = FrameMemory.getInt(tagged + ADDRESSES);
        move(tagged, tagged + VlanTag.LENGTH);
        FrameMemory.putInt(tagged, tag);
        return tagged + VlanTag.LENGTH;
    }

    /** Says that a frame came without a tag. */
    static void clear(final long frame, final int length)
    {
        open(frame, length);
        FrameMemory.putInt(frame - VlanTag.LENGTH, NONE);
        close(frame, length);
    }

    /**
     * Whether there is one.
     *
     * @param frame  address of a frame that has passed {@link PriorityTagInput}.
     * @param length of the frame.
     * @return false where it came without.
     */
    public static boolean isBefore(final long frame, final int length)
    {
        open(frame, length);
        final boolean isTag = FrameMemory.getShortBE(frame - VlanTag.LENGTH) == EtherType.VLAN;
        close(frame, length);
        return isTag;
    }

    /**
     * Puts it back into its frame.
     *
     * @param frame  address of a frame with a tag before it.
     * @param length of the frame.
     * @return address of the tagged frame, which is longer by the tag.
     */
    public static long putBack(final long frame, final int length)
    {
        open(frame, length);
        final long tagged = frame - VlanTag.LENGTH;
        final int tag = FrameMemory.getInt(tagged);
        move(frame, tagged);
        FrameMemory.putInt(tagged + ADDRESSES, tag);
        return tagged;
    }

    /**
     * Copies what is before a frame, tag or not.
     *
     * @param from   address of a frame.
     * @param length of that.
     * @param to     address of a frame in a chunk of its own.
     */
    public static void copy(final long from, final int length, final long to)
    {
        open(from, length);
        FrameMemory.putInt(to - VlanTag.LENGTH, FrameMemory.getInt(from - VlanTag.LENGTH));
        close(from, length);
    }

    /** Moves both addresses; all is read before anything is written, since the two places overlap. */
    private static void move(final long from, final long to)
    {
        final long first = FrameMemory.getLong(from);
        final int rest = FrameMemory.getInt(from + Long.BYTES);
        FrameMemory.putLong(to, first);
        FrameMemory.putInt(to + Long.BYTES, rest);
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
