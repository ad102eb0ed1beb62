package org.fibnuma.fibnic.fib;

/**
 * Position of a destination's code in the first-level table.
 * <p>
 * The table is FIBNIC's: 22 address bits select a group of four codes, one for each /24 below. At 2 bits a code the
 * group is one byte of a 4 MiB table:
 * <pre>{@code
 * byte index = dst >>> 10;  slot = (dst >>> 8) & 3;  code = (byte >>> (slot * 2)) & 3
 * }</pre>
 * A wider code widens the group: 2 bytes at 4 bits (8 MiB), 4 at 8 (16 MiB), 8 at 16 (32 MiB). The lowest /24 has the
 * lowest bits of a byte.
 * <p>
 * In this class the slot is the number of the /24 in the whole table ({@code dst >>> 8}). The cell is the position of a
 * destination in its /24 ({@code dst & 0xFF}).
 */
final class Ipv4FibLayout
{
    /** Number of slots, one for each /24. */
    static final int SLOT_COUNT = 1 << 24;

    /** Number of cells of a slot: addresses of one /24. */
    static final int CELL_COUNT = 256;

    /** Meaning of a code or cell: no prefix matches. */
    static final int NO_ROUTE = 0;

    /** Meaning of a code: the second level decides, because there are prefixes longer than /24. Never an adjacency. */
    static final int LONGER = 0xFFFF;

    private Ipv4FibLayout()
    {
    }

    static int slot(final int destination)
    {
        return destination >>> 8;
    }

    static int cell(final int destination)
    {
        return destination & 0xFF;
    }

    static int addressOfSlot(final int slot)
    {
        return slot << 8;
    }

    static int tableBytes(final int codeBits)
    {
        return SLOT_COUNT / Byte.SIZE * codeBits;
    }

    /** Returns the index of the byte that holds a slot's code, or of the first of two. */
    static int byteIndex(final int slot, final int codeBits)
    {
        return slot * codeBits >>> 3;
    }

    /** Returns the bit position of a slot's code in its byte; 0 for codes of 8 bits and more. */
    static int shift(final int slot, final int codeBits)
    {
        return slot * codeBits & 7;
    }

    static int codeMask(final int codeBits)
    {
        return (1 << codeBits) - 1;
    }

    /** Returns eight bytes filled with one code. */
    static long repeat(final int code, final int codeBits)
    {
        return code * Long.divideUnsigned(-1L, codeMask(codeBits));
    }

    /** Returns the top 22 bits: the index of the byte at 2 bits a code. */
    static int byteIndex2(final int destination)
    {
        return destination >>> 10;
    }

    static int shift2(final int destination)
    {
        return destination >>> 7 & 0b110;
    }

    /** Returns the top 23 bits: the index of the byte at 4 bits a code. */
    static int byteIndex4(final int destination)
    {
        return destination >>> 9;
    }

    static int shift4(final int destination)
    {
        return destination >>> 6 & 0b100;
    }

    /** Returns the top 24 bits: the index of the byte at 8 bits a code. */
    static int byteIndex8(final int destination)
    {
        return destination >>> 8;
    }

    /** Returns the index of the first of the two bytes at 16 bits a code. */
    static int byteIndex16(final int destination)
    {
        return destination >>> 8 << 1;
    }
}
