package org.fibnuma.ipnuma.wire;

/**
 * Which bytes of the first and last DW of a request are meant (PCI Express Base Specification, section 2.2.5). Bit i
 * of the low four stands for byte i of the first DW, bit i of the high four for byte i of the last; a request of one
 * DW has 0 in the high four, and only there may the enabled bytes have gaps or be none at all.
 */
public final class ByteEnables
{
    /** All bytes of the first DW. */
    public static final int FIRST_FULL = 0x0F;
    /** All bytes of the last DW. */
    public static final int LAST_FULL = 0xF0;

    private static final int DW_BYTES_MASK = 3;
    private static final int DW_SHIFT = 2;
    private static final int LAST_SHIFT = 4;

    private ByteEnables()
    {
    }

    /**
     * DWs that a range of bytes touches.
     *
     * @param address of the first byte.
     * @param length  in bytes, 1 or more.
     * @return 1 or more.
     */
    public static int lengthDw(final long address, final int length)
    {
        return ((int)address & DW_BYTES_MASK) + length + DW_BYTES_MASK >>> DW_SHIFT;
    }

    /**
     * Byte enables of a range of bytes.
     *
     * @param address of the first byte.
     * @param length  in bytes, 1 or more.
     * @return 1 to 255.
     */
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
     * Whether byte enables may stand in a request of so many DWs.
     *
     * @param byteEnables 0 to 255.
     * @param lengthDw    1 or more.
     * @return false for last DW enables in a request of one DW; in a longer one for none in the first or last DW, and
     * for gaps. PCIe lets two aligned DWs have gaps too, but no processor sends them.
     */
    public static boolean isValid(final int byteEnables, final int lengthDw)
    {
        final int first = byteEnables & FIRST_FULL;
        final int last = byteEnables >>> LAST_SHIFT;
        if (lengthDw == 1)
        {
            return last == 0;
        }
        // In the first DW the enabled bytes reach to its end, in the last they begin at its start.
        return first != 0 && (first | first - 1) == FIRST_FULL && last != 0 && (last & last + 1) == 0;
    }

    /**
     * Byte enables as they are meant: the programs of the thesis's prototypes leave all eight set with one DW too.
     *
     * @param byteEnables 0 to 255, as they came.
     * @param lengthDw    1 or more.
     * @return 0 to 255.
     */
    public static int meant(final int byteEnables, final int lengthDw)
    {
        return lengthDw == 1 && byteEnables == (FIRST_FULL | LAST_FULL) ? FIRST_FULL : byteEnables;
    }

    /**
     * Bytes before the first enabled one.
     *
     * @param byteEnables 0 to 255.
     * @return 0 to 3; 4 where the first DW has none.
     */
    public static int leading(final int byteEnables)
    {
        return Integer.numberOfTrailingZeros(byteEnables & FIRST_FULL | 1 << LAST_SHIFT);
    }

    /**
     * Bytes from the first enabled one to the last, gaps included.
     *
     * @param byteEnables valid for this length.
     * @param lengthDw    1 or more.
     * @return 0 where none is enabled, to {@code lengthDw * 4}.
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

    /**
     * Whether a byte between the first and the last enabled one is not enabled.
     *
     * @param byteEnables valid for its length, of one DW.
     * @return true for such as 0b1010.
     */
    public static boolean hasGap(final int byteEnables)
    {
        final int first = byteEnables & FIRST_FULL;
        final int filled = first >>> leading(byteEnables);
        return (filled & filled + 1) != 0;
    }
}
