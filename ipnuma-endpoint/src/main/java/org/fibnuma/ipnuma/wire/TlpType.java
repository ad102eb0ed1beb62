package org.fibnuma.ipnuma.wire;

/**
 * First byte of a TLP header: three bits of format and five of type (PCI Express Base Specification, table 2-3). Bit 5
 * is set for a header of four DWs with a 64-bit address, bit 6 if data follow.
 */
public final class TlpType
{
    /** Memory read, 32-bit address. */
    public static final int MEMORY_READ_3DW = 0x00;
    /** Memory read, 64-bit address. */
    public static final int MEMORY_READ_4DW = 0x20;
    /** Memory write, 32-bit address. */
    public static final int MEMORY_WRITE_3DW = 0x40;
    /** Memory write, 64-bit address. */
    public static final int MEMORY_WRITE_4DW = 0x60;
    /** Completion without data: an error, or the answer to a request of 0 bytes. */
    public static final int COMPLETION = 0x0A;
    public static final int COMPLETION_DATA = 0x4A;
    /** Fetch and add, 32-bit address. */
    public static final int FETCH_ADD_3DW = 0x4C;
    /** Fetch and add, 64-bit address. */
    public static final int FETCH_ADD_4DW = 0x6C;
    /** Unconditional swap, 32-bit address. */
    public static final int SWAP_3DW = 0x4D;
    /** Unconditional swap, 64-bit address. */
    public static final int SWAP_4DW = 0x6D;
    /** Compare and swap, 32-bit address. */
    public static final int COMPARE_SWAP_3DW = 0x4E;
    /** Compare and swap, 64-bit address. */
    public static final int COMPARE_SWAP_4DW = 0x6E;

    public static final int FOUR_DW_MASK = 0x20;
    public static final int DATA_MASK = 0x40;

    private static final int FORMAT_WITHOUT_SIZE_MASK = 0xFF & ~FOUR_DW_MASK;

    private TlpType()
    {
    }

    /** Returns the length of the header, 12 or 16 bytes. */
    public static int headerLength(final int type)
    {
        return (type & FOUR_DW_MASK) == 0 ? TlpFlyweight.LENGTH_3DW : TlpFlyweight.LENGTH_4DW;
    }

    /**
     * Returns whether data follow the header. The length field then counts the DWs of this TLP and not of its
     * completion.
     */
    public static boolean hasData(final int type)
    {
        return (type & DATA_MASK) != 0;
    }

    /** Returns the type without {@link #FOUR_DW_MASK}, which is the same for both sizes of address. */
    public static int with3Dw(final int type)
    {
        return type & FORMAT_WITHOUT_SIZE_MASK;
    }

    /** Returns whether the type is a memory write of either address size. */
    public static boolean isWrite(final int type)
    {
        return with3Dw(type) == MEMORY_WRITE_3DW;
    }

    /** Returns whether the type is a memory read of either address size. */
    public static boolean isRead(final int type)
    {
        return with3Dw(type) == MEMORY_READ_3DW;
    }

    /** Returns whether the type is fetch-and-add, swap or compare-and-swap of either address size. */
    public static boolean isAtomic(final int type)
    {
        return with3Dw(type) >= FETCH_ADD_3DW && with3Dw(type) <= COMPARE_SWAP_3DW;
    }

    /** Returns whether the type is a completion with or without data. */
    public static boolean isCompletion(final int type)
    {
        return type == COMPLETION || type == COMPLETION_DATA;
    }
}
