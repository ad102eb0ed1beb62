package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/**
 * Options of an IPv4 header (RFC 791 section 3.1): the positions of those that a router processes, and of the first
 * octet in error. Positions count from the first byte of the IP header, as in an ICMP parameter problem.
 */
public final class Ipv4OptionsFlyweight
{
    /** Type of the end of the option list: one octet, followed by padding only. */
    public static final int END_OF_LIST = 0;
    /** Type of the one-octet padding option. */
    public static final int NO_OPERATION = 1;
    public static final int RECORD_ROUTE = 7;
    /** Type of the internet timestamp option. */
    public static final int TIMESTAMP = 68;
    public static final int LOOSE_SOURCE_ROUTE = 131;
    /** Type of the strict source and record route option. */
    public static final int STRICT_SOURCE_ROUTE = 137;
    /** Bit of a type whose option is copied to every fragment. */
    public static final int COPIED = 0x80;

    /** Offset of the length within an option, in bytes; the length includes type and length octet. */
    public static final int LENGTH_OFFSET = 1;
    /** Offset of the pointer within the options that have one; it counts from 1 at the type. */
    public static final int POINTER_OFFSET = LENGTH_OFFSET + Byte.BYTES;
    /** Offset of overflow counter (high four bits) and flag (low four) in a timestamp option. */
    public static final int OVERFLOW_FLAG_OFFSET = POINTER_OFFSET + Byte.BYTES;
    /** Shortest option with a length octet, in bytes. */
    public static final int MIN_LENGTH = LENGTH_OFFSET + Byte.BYTES;
    public static final int OVERFLOW_SHIFT = 4;
    /** Highest value of the overflow counter. */
    public static final int OVERFLOW_MAX = 15;
    public static final int FLAG_MASK = 0xF;
    /** Flag of a timestamp option that contains timestamps only. */
    public static final int FLAG_TIMESTAMPS = 0;
    /** Flag of a timestamp option in which each router writes its address before its timestamp. */
    public static final int FLAG_ADDRESSES = 1;
    /** Flag of a timestamp option that lists the addresses of the hosts that are to add their timestamps. */
    public static final int FLAG_PRESPECIFIED = 3;

    /** Position if the header has no such option, or no octet in error. */
    public static final int NONE = 0;

    private static final int ROUTE_LENGTH_MIN = POINTER_OFFSET + Byte.BYTES;
    private static final int TIMESTAMP_LENGTH_MIN = OVERFLOW_FLAG_OFFSET + Byte.BYTES;

    private long header;
    private int octetInError;
    private int recordRoute;
    private int timestamp;
    private int sourceRoute;

    /** Reads the options of the IP header at a native address. The whole header must be readable. */
    public Ipv4OptionsFlyweight wrap(final long header)
    {
        this.header = header;
        recordRoute = NONE;
        timestamp = NONE;
        sourceRoute = NONE;
        octetInError = read((octet(Ipv4HeaderFlyweight.VERSION_IHL_OFFSET) & 0xF) << 2);
        return this;
    }

    /**
     * Returns the position of the first octet in error, or {@link #NONE}; later options were not read. Errors are a
     * length below 2 or beyond the header, a pointer to no slot of its option, an overflow counter that overflows, and
     * the type of a repeated option that may occur once only (RFC 791, and RFC 1812 section 5.2.4.1 for source routes).
     */
    public int octetInError()
    {
        return octetInError;
    }

    /** Returns the position of the record route option, or {@link #NONE}. */
    public int recordRoute()
    {
        return recordRoute;
    }

    /** Returns the position of the timestamp option, or {@link #NONE}. */
    public int timestamp()
    {
        return timestamp;
    }

    /** Returns the position of the loose or strict source route option, or {@link #NONE}. */
    public int sourceRoute()
    {
        return sourceRoute;
    }

    /**
     * Returns whether an option has a free slot, which means that its pointer is not beyond its length.
     *
     * @param option position of an option without an octet in error; a timestamp option with a flag of RFC 791.
     */
    public boolean hasRoom(final int option)
    {
        return octet(option + POINTER_OFFSET) <= octet(option + LENGTH_OFFSET);
    }

    /**
     * Returns the position of the slot that the pointer of an option refers to. The option has room; see
     * {@link #hasRoom}.
     */
    public int slot(final int option)
    {
        return option + octet(option + POINTER_OFFSET) - 1;
    }

    /** Returns the length in bytes of a timestamp slot for a flag: 4 or 8, or 0 if RFC 791 does not define the flag. */
    public static int timestampSlotLength(final int flag)
    {
        return switch (flag)
        {
            case FLAG_TIMESTAMPS -> Integer.BYTES;
            case FLAG_ADDRESSES, FLAG_PRESPECIFIED -> Ipv4Address.LENGTH + Integer.BYTES;
            default -> 0;
        };
    }

    private int read(final int end)
    {
        int at = Ipv4HeaderFlyweight.MIN_LENGTH;
        while (at < end)
        {
            final int type = octet(at);
            if (type == END_OF_LIST)
            {
                return NONE;
            }
            int length = 1;
            if (type != NO_OPERATION)
            {
                if (at + LENGTH_OFFSET == end)
                {
                    return at;
                }
                length = octet(at + LENGTH_OFFSET);
                if (length < MIN_LENGTH || at + length > end)
                {
                    return at + LENGTH_OFFSET;
                }
                final int fault = readOption(at, type, length);
                if (fault != NONE)
                {
                    return fault;
                }
            }
            at += length;
        }
        return NONE;
    }

    private int readOption(final int at, final int type, final int length)
    {
        final int before;
        switch (type)
        {
            case RECORD_ROUTE:
                before = recordRoute;
                recordRoute = at;
                break;
            case TIMESTAMP:
                before = timestamp;
                timestamp = at;
                break;
            case LOOSE_SOURCE_ROUTE:
            case STRICT_SOURCE_ROUTE:
                before = sourceRoute;
                sourceRoute = at;
                break;
            default:
                return NONE;
        }
        if (before != NONE)
        {
            return at;
        }
        return type == TIMESTAMP ? timestampFault(at, length) :
            slotFault(at, length, ROUTE_LENGTH_MIN, Ipv4Address.LENGTH);
    }

    private int timestampFault(final int at, final int length)
    {
        if (length < TIMESTAMP_LENGTH_MIN)
        {
            return at + LENGTH_OFFSET;
        }
        final int overflowAndFlag = octet(at + OVERFLOW_FLAG_OFFSET);
        final int slotLength = timestampSlotLength(overflowAndFlag & FLAG_MASK);
        if (slotLength == 0)
        {
            return NONE;
        }
        final int fault = slotFault(at, length, TIMESTAMP_LENGTH_MIN, slotLength);
        final boolean overflows =
            fault == NONE && !hasRoom(at) && overflowAndFlag >> OVERFLOW_SHIFT == OVERFLOW_MAX;
        return overflows ? at + OVERFLOW_FLAG_OFFSET : fault;
    }

    /** A pointer that is not beyond the option must point to a slot that fits completely. */
    private int slotFault(final int at, final int length, final int firstSlot, final int slotLength)
    {
        if (length < firstSlot)
        {
            return at + LENGTH_OFFSET;
        }
        final int slot = octet(at + POINTER_OFFSET) - 1 - firstSlot;
        final boolean full = firstSlot + slot >= length;
        final boolean fits = slot % slotLength == 0 && firstSlot + slot + slotLength <= length;
        return slot < 0 || !full && !fits ? at + POINTER_OFFSET : NONE;
    }

    private int octet(final int position)
    {
        return FrameMemory.getByte(header + position) & 0xFF;
    }
}
