package org.fibnuma.ipnuma.wire;

/**
 * Byte enables of a request: which bytes of its first and last DW are accessed (PCI Express Base Specification, section
 * 2.2.5). Bit i of the low four is byte i of the first DW, bit i of the high four is byte i of the last DW. In a
 * request of one DW the high four are 0, and the low four may have gaps or be 0. Longer requests have neither gaps nor
 * zeros.
 */
public final class ByteEnables
{
    public static final int FIRST_FULL = 0x0F;
    public static final int LAST_FULL = 0xF0;

    private static final int DW_BYTES_MASK = 3;
    private static final int DW_SHIFT = 2;
    private static final int LAST_SHIFT = 4;

    private ByteEnables()
    {
    }

    /** Returns the number of DWs, 1 or more, that a range of 1 or more bytes touches. */
    public static int lengthDw(final long address, final int length)
    {
        return ((int)address & DW_BYTES_MASK) + length + DW_BYTES_MASK >>> DW_SHIFT;
    }

    /** Returns the byte enables, 1 to 255, of a range of 1 or more bytes. */
    public static int of(final long address, final int length)
    {
        final int start = (int)address & DW_BYTES_MASK;
        final int end = start + length;
        if (end <= TlpFlyweight.DW)
        {
            return (1 << end) - 1 & -1 << start;
        }
        final int inLast = (end - 1 & DW_BYTES_MASK) + 1;
        return FIRST_FULL & -1 << start | (1 << inLast) - 1 << LAST_SHIFT;
    }

    /**
     * Returns whether byte enables are valid in a request of this length.
     *
     * @param byteEnables 0 to 255.
     * @param lengthDw    1 or more.
     * @return false for last DW enables in a request of one DW; false for gaps, or for no enabled byte in the first or
     *         last DW, in a longer request. PCIe allows gaps in two aligned DWs too, but no processor sends them.
     */
    public static boolean isValid(final int byteEnables, final int lengthDw)
    {
        final int first = byteEnables & FIRST_FULL;
        final int last = byteEnables >>> LAST_SHIFT;
        if (lengthDw == 1)
        {
            return last == 0;
        }
        // The enabled bytes of the first DW extend to its end, those of the last DW start at its first byte.
        return first != 0 && (first | first - 1) == FIRST_FULL && last != 0 && (last & last + 1) == 0;
    }

    /**
     * Corrects byte enables of the thesis's prototypes, which set all eight bits in a request of one DW too.
     *
     * @param byteEnables 0 to 255, as received.
     * @param lengthDw    1 or more.
     * @return {@code byteEnables}, or its low four bits in that case.
     */
    public static int corrected(final int byteEnables, final int lengthDw)
    {
        return lengthDw == 1 && byteEnables == (FIRST_FULL | LAST_FULL) ? FIRST_FULL : byteEnables;
    }

    /** Returns the number of bytes before the first enabled one: 0 to 3, or 4 if the first DW has none. */
    public static int leading(final int byteEnables)
    {
        return Integer.numberOfTrailingZeros(byteEnables & FIRST_FULL | 1 << LAST_SHIFT);
    }

    /**
     * Returns the number of bytes from the first enabled one to the last, gaps included.
     *
     * @param byteEnables valid for this length.
     * @param lengthDw    1 or more.
     * @return 0 if none is enabled, to {@code lengthDw * 4}.
     */
    public static int span(final int byteEnables, final int lengthDw)
    {
        final int first = byteEnables & FIRST_FULL;
        if (lengthDw == 1)
        {
            return first == 0 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(first) - leading(byteEnables);
        }
        final int trailing = Integer.numberOfLeadingZeros(byteEnables) - (Integer.SIZE - Byte.SIZE);
        return (lengthDw << DW_SHIFT) - leading(byteEnables) - trailing;
    }

    /** Returns whether the valid byte enables of a request of one DW have a gap, such as 0b1010. */
    public static boolean hasGap(final int byteEnables)
    {
        final int first = byteEnables & FIRST_FULL;
        final int filled = first >>> leading(byteEnables);
        return (filled & filled + 1) != 0;
    }
}
