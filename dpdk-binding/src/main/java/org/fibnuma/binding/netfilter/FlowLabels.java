package org.fibnuma.binding.netfilter;

import org.fibnuma.core.UserException;

import java.util.Objects;

/**
 * The meaning of the 128 labels of a connection that {@link FlowLabelTable} sets: for each direction, the path of its
 * packets, which is the interface that received them and the one that sent them on. Bit N is the label that nftables
 * sets with {@code ct label set N}.
 * <p>
 * A rule adds labels by OR and clears none. Therefore each bit of a path's code takes two labels, 01 for 0 and 10 for
 * 1: a 11 shows two different codes in one place. For the same reason there are several slots, each with a place for
 * both directions: labels of an earlier ruleset are in another slot than those of the current one.
 * <pre>
 *  bit 0                                                                127
 *  | slot 0                                          | slot 1 | ... | free
 *  | original: code bit 0, bit 1, ... | reply: ...   |
 * </pre>
 * The number of interfaces decides about the width of a place. Labels of a different width mean something else.
 * Immutable.
 */
public final class FlowLabels
{
    /** Direction of the packets that go as the first packet of a connection did, IP_CT_DIR_ORIGINAL. */
    public static final int ORIGINAL = 0;
    /** Direction of the answers, IP_CT_DIR_REPLY. */
    public static final int REPLY = 1;
    /** Result of {@link #path}: no label is set. */
    public static final int NONE = 0;
    /** Result of {@link #path}: the labels are not those of exactly one path. */
    public static final int AMBIGUOUS = -1;
    /** Most interfaces: a rule has a label for each pair of them and each direction. */
    public static final int MAX_INTERFACES = 64;

    private static final int DIRECTIONS = 2;
    private static final int LABELS_PER_BIT = 2;
    private static final int LABEL_OF_ZERO = 0b01;
    private static final int LABEL_OF_ONE = 0b10;
    private static final int PAIR_MASK = 0b11;

    private final int interfaces;
    private final int codeBits;
    private final int placeBits;

    /**
     * Divides the labels.
     *
     * @param interfaces number of interfaces, 0 or more. An interface is named by its position, from 0.
     * @throws UserException with one line for the user if there are more than {@link #MAX_INTERFACES}.
     */
    public FlowLabels(final int interfaces)
    {
        if (interfaces > MAX_INTERFACES)
        {
            throw new UserException("flows are found between at most " + MAX_INTERFACES +
                " interfaces, and the router has " + interfaces);
        }
        this.interfaces = interfaces;
        codeBits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(interfaces * interfaces));
        placeBits = codeBits * LABELS_PER_BIT;
    }

    /** Returns the number of interfaces, 0 or more. */
    public int interfaces()
    {
        return interfaces;
    }

    /** Returns the number of slots, 2 to 32. The code of a path is 1 to the square of the number of interfaces. */
    public int slots()
    {
        return Labels.COUNT / (placeBits * DIRECTIONS);
    }

    /**
     * Returns the labels of a packet's connection.
     *
     * @param ingress   position of the interface that received the packet.
     * @param egress    position of the interface that sends it.
     * @param direction of the packet, {@link #ORIGINAL} or {@link #REPLY}.
     * @param slot      from 0.
     */
    public Labels label(final int ingress, final int egress, final int direction, final int slot)
    {
        final int code = ingress * interfaces + Objects.checkIndex(egress, interfaces) + 1;
        Objects.checkIndex(ingress, interfaces);
        long place = 0;
        for (int bit = codeBits - 1; bit >= 0; bit--)
        {
            final int label = (code >>> bit & 1) == 0 ? LABEL_OF_ZERO : LABEL_OF_ONE;
            place = place << LABELS_PER_BIT | label;
        }
        return Labels.shifted(place, position(direction, slot));
    }

    /**
     * Returns the code of the path of the packets of one direction; {@link #NONE} if this slot has no label of the
     * direction, {@link #AMBIGUOUS} if packets took several paths or others set labels.
     *
     * @param low       labels 0 to 63 of a connection, label 0 in the lowest bit.
     * @param high      labels 64 to 127.
     * @param direction {@link #ORIGINAL} or {@link #REPLY}.
     * @param slot      from 0.
     */
    public int path(final long low, final long high, final int direction, final int slot)
    {
        final int position = position(direction, slot);
        long place = Labels.from(low, high, position) & (1L << placeBits) - 1;
        if (place == 0)
        {
            return NONE;
        }
        int code = 0;
        for (int bit = 0; bit < codeBits; bit++)
        {
            final int label = (int)place & PAIR_MASK;
            if (label != LABEL_OF_ZERO && label != LABEL_OF_ONE)
            {
                return AMBIGUOUS;
            }
            code |= (label == LABEL_OF_ONE ? 1 : 0) << bit;
            place >>>= LABELS_PER_BIT;
        }
        return code < 1 || code > interfaces * interfaces ? AMBIGUOUS : code;
    }

    /** Returns the position of the interface that received the packets of a path. */
    public int ingress(final int code)
    {
        return (code - 1) / interfaces;
    }

    /** Returns the position of the interface that sent the packets of a path. */
    public int egress(final int code)
    {
        return (code - 1) % interfaces;
    }

    /** Returns the code of the path in the other direction between the same interfaces. */
    public int reverse(final int code)
    {
        return egress(code) * interfaces + ingress(code) + 1;
    }

    /** Returns all labels of a slot, which is counted from 0. */
    public Labels slotMask(final int slot)
    {
        final long place = (1L << placeBits) - 1;
        return Labels.shifted(place, position(ORIGINAL, slot)).or(Labels.shifted(place, position(REPLY, slot)));
    }

    private int position(final int direction, final int slot)
    {
        if (slot < 0 || slot >= slots() || direction != ORIGINAL && direction != REPLY)
        {
            throw new IllegalArgumentException("direction " + direction + ", slot " + slot + " of " + slots());
        }
        return (slot * DIRECTIONS + direction) * placeBits;
    }

    /**
     * The 128 labels of a connection. In the kernel's attributes {@code low} comes first, each in the machine's order.
     *
     * @param low  labels 0 to 63, label 0 in the lowest bit.
     * @param high labels 64 to 127.
     */
    public record Labels(long low, long high)
    {
        private static final int COUNT = 2 * Long.SIZE;

        /** Returns labels that have the bits of {@code value} from a position, 0 to 127, upwards. */
        private static Labels shifted(final long value, final int position)
        {
            if (position >= Long.SIZE)
            {
                return new Labels(0, value << position - Long.SIZE);
            }
            return new Labels(value << position, position == 0 ? 0 : value >>> Long.SIZE - position);
        }

        /** Returns 64 labels from a position, 0 to 127, upwards. */
        private static long from(final long low, final long high, final int position)
        {
            if (position >= Long.SIZE)
            {
                return high >>> position - Long.SIZE;
            }
            return position == 0 ? low : low >>> position | high << Long.SIZE - position;
        }

        /** Returns the labels that are in either. */
        public Labels or(final Labels other)
        {
            return new Labels(low | other.low, high | other.high);
        }
    }
}
