package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;

/**
 * IEEE 802.1Q tag between the MAC addresses and the EtherType of a frame (clause 9): EtherType, then PCP, DEI and VID.
 * <p>
 * The VLAN tags of a frame are also a number: one tag is its four bytes; two tags are eight bytes, the outer one in the
 * upper half; 0 is no tag. Lengths are in bytes. A frame is the native address of its Ethernet header.
 */
public final class VlanTag
{
    public static final int LENGTH = 4;
    /** Length of both tags of a QinQ frame in bytes. */
    public static final int DOUBLE_LENGTH = 2 * LENGTH;
    /** Offset of PCP, DEI and VID in a tagged frame. */
    public static final int CONTROL_OFFSET = EthernetHeaderFlyweight.LENGTH;
    /** Offset of the EtherType of the payload in a tagged frame. */
    public static final int INNER_ETHER_TYPE_OFFSET = CONTROL_OFFSET + Short.BYTES;
    /** Shift of the priority code point in the control field. */
    public static final int PCP_SHIFT = 13;
    /** Mask of the VLAN identifier in the control field; VID 0 marks a tag that has a priority only. */
    public static final int VID_MASK = 0xFFF;
    /** Highest identifier of a VLAN. */
    public static final int MAX_VID = 4094;
    /** Identifier that no frame may have on the wire (IEEE 802.1Q table 9-2). */
    public static final int RESERVED_VID = 4095;

    private static final int IDENTITY_MASK = 0xFFFF_0000 | VID_MASK;
    private static final long IDENTITIES_MASK = (long)IDENTITY_MASK << Integer.SIZE | IDENTITY_MASK & 0xFFFF_FFFFL;

    private VlanTag()
    {
    }

    /** Returns whether an EtherType begins a customer or service tag. */
    public static boolean isTag(final int etherType)
    {
        return etherType == EtherType.VLAN || etherType == EtherType.SERVICE_VLAN;
    }

    /**
     * Returns a VLAN tag with DEI 0 as a number.
     *
     * @param etherType {@link EtherType#VLAN} or {@link EtherType#SERVICE_VLAN}.
     * @param pcp       priority code point, 0 to 7.
     * @param vid       VLAN identifier, 0 to 4,095.
     */
    public static long of(final int etherType, final int pcp, final int vid)
    {
        return (long)etherType << Short.SIZE | (long)pcp << PCP_SHIFT | vid;
    }

    /** Returns two VLAN tags as a number. */
    public static long stacked(final long outer, final long inner)
    {
        return outer << Integer.SIZE | inner;
    }

    /** Returns VLAN tags without PCP and DEI. The result identifies the VLAN. */
    public static long identity(final long tags)
    {
        return tags & IDENTITIES_MASK;
    }

    /** Returns the PCP and DEI of VLAN tags, the bits that {@link #identity} removes. */
    public static long priorities(final long tags)
    {
        return tags & ~IDENTITIES_MASK;
    }

    /** Returns the length of VLAN tags: 0, {@link #LENGTH} or {@link #DOUBLE_LENGTH}. */
    public static int length(final long tags)
    {
        return tags == 0 ? 0 : tags >>> Integer.SIZE == 0 ? LENGTH : DOUBLE_LENGTH;
    }

    /** Returns VLAN tags without the outer one. */
    public static long inner(final long tags)
    {
        return tags & 0xFFFF_FFFFL;
    }

    /** Returns the outer one of two VLAN tags, or 0. */
    public static long outer(final long tags)
    {
        return tags >>> Integer.SIZE;
    }

    /** Returns the EtherType of one tag. */
    public static int etherType(final long tag)
    {
        return (int)(tag >>> Short.SIZE) & 0xFFFF;
    }

    /** Returns the VLAN identifier of one tag. */
    public static int vid(final long tag)
    {
        return (int)tag & VID_MASK;
    }

    /** Returns the priority code point of one tag, or of the inner one. */
    public static int pcp(final long tag)
    {
        return (int)tag >>> PCP_SHIFT & 7;
    }

    /** Returns VLAN tags with another priority code point in each of them, and DEI 0. */
    public static long withPcp(final long tags, final int pcp)
    {
        final long inner = inner(tags) == 0 ? 0 : (long)pcp << PCP_SHIFT;
        final long outer = outer(tags) == 0 ? 0 : (long)pcp << PCP_SHIFT;
        return identity(tags) | stacked(outer, inner);
    }

    /** Returns the VLAN tags of a frame, at most two; 0 if it has none or ends before the EtherType of its payload. */
    public static long read(final long frame, final int length)
    {
        final long first = tagAt(frame + EthernetHeaderFlyweight.ETHER_TYPE_OFFSET, length - LENGTH);
        if (first == 0)
        {
            return 0;
        }
        final long second = tagAt(frame + EthernetHeaderFlyweight.LENGTH + Short.BYTES, length - DOUBLE_LENGTH);
        return second == 0 ? first : stacked(first, second);
    }

    private static long tagAt(final long address, final int lengthWithout)
    {
        return lengthWithout >= EthernetHeaderFlyweight.LENGTH && isTag(FrameMemory.getShortBE(address)) ?
            FrameMemory.getIntBE(address) & 0xFFFF_FFFFL : 0;
    }

    /**
     * Removes the outermost tags of a frame, one or two: both MAC addresses are moved, and the tags are stored directly
     * before the frame.
     *
     * @return native address of the frame without these tags, which is shorter by {@link #length}.
     */
    public static long remove(final long frame, final long tags)
    {
        final int length = length(tags);
        moveAddresses(frame, frame + length);
        write(frame, tags);
        return frame + length;
    }

    /**
     * Inserts one or two VLAN tags after the MAC addresses of a frame. {@link #length} bytes before the frame are free;
     * the MAC addresses are moved there.
     *
     * @return native address of the tagged frame, which is longer by {@link #length}.
     */
    public static long insert(final long frame, final int length, final long tags)
    {
        final int added = length(tags);
        final long tagged = frame - added;
        open(tagged, length + added);
        moveAddresses(frame, tagged);
        write(tagged + EthernetHeaderFlyweight.ETHER_TYPE_OFFSET, tags);
        return tagged;
    }

    /**
     * Returns the VLAN tags that {@link #remove} has stored before a frame.
     *
     * @param frame  native address of the frame.
     * @param length of the frame.
     * @param bytes  length of the tags, {@link #LENGTH} or {@link #DOUBLE_LENGTH}.
     * @return other bytes if the frame was received without tags.
     */
    public static long stored(final long frame, final int length, final int bytes)
    {
        open(frame - bytes, length + bytes);
        final long tags = bytes == LENGTH ?
            FrameMemory.getIntBE(frame - LENGTH) & 0xFFFF_FFFFL : FrameMemory.getLongBE(frame - DOUBLE_LENGTH);
        open(frame, length);
        return tags;
    }

    private static void write(final long address, final long tags)
    {
        if (length(tags) == LENGTH)
        {
            FrameMemory.putIntBE(address, (int)tags);
        }
        else
        {
            FrameMemory.putLongBE(address, tags);
        }
    }

    /** Moves both MAC addresses. All bytes are read before any is written, because the ranges overlap. */
    private static void moveAddresses(final long from, final long to)
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
            FrameBounds.frame(frame, length);
        }
    }

    /** Returns the EtherType after at most two VLAN tags. */
    public static int payloadType(final long frame, final int length)
    {
        return FrameMemory.getShortBE(frame + headerOffset(frame, length) - Short.BYTES);
    }

    /** Returns the offset of the network header of a frame, after at most two VLAN tags. */
    public static int headerOffset(final long frame, final int length)
    {
        int offset = EthernetHeaderFlyweight.LENGTH;
        for (int tag = 0; tag < 2 && length >= offset + LENGTH &&
            isTag(FrameMemory.getShortBE(frame + offset - Short.BYTES)); tag++)
        {
            offset += LENGTH;
        }
        return offset;
    }
}
