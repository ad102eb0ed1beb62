package org.fibnuma.ipnuma.wire;

/**
 * First byte of a TLP header: three bits of format and five of type (PCI Express Base Specification, table 2-3). Bit 5
 * says that the header has four DWs and with it a 64-bit address, bit 6 that data follow.
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
    /** Completion without data: an error, or what a zero answer is. */
    public static final int COMPLETION = 0x0A;
    /** Completion with data. */
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

    /** Set where the header has four DWs. */
    public static final int FOUR_DW_MASK = 0x20;
    /** Set where data follow the header. */
    public static final int DATA_MASK = 0x40;

    private static final int FORMAT_WITHOUT_SIZE_MASK = 0xFF & ~FOUR_DW_MASK;

    private TlpType()
    {
    }

    /**
     * Length of the header.
     *
     * @param type 0 to 255.
     * @return 12 or 16 bytes.
     */
    public static int headerLength(final int type)
    {
        return (type & FOUR_DW_MASK) == 0 ? TlpFlyweight.LENGTH_3DW : TlpFlyweight.LENGTH_4DW;
    }

    /**
     * Whether data follow the header.
     *
     * @param type 0 to 255.
     * @return true where the length field counts DWs of this TLP and not of its answer.
     */
    public static boolean hasData(final int type)
    {
        return (type & DATA_MASK) != 0;
    }

    /**
     * The same type with a 32-bit address, which is how the formats' decoders tell types apart.
     *
     * @param type 0 to 255.
     * @return the type without {@link #FOUR_DW_MASK}.
     */
    public static int with3Dw(final int type)
    {
        return type & FORMAT_WITHOUT_SIZE_MASK;
    }

    /**
     * Whether it is a memory write.
     *
     * @param type 0 to 255.
     * @return true for either address size.
     */
    public static boolean isWrite(final int type)
    {
        return with3Dw(type) == MEMORY_WRITE_3DW;
    }

    /**
     * Whether it is a memory read.
     *
     * @param type 0 to 255.
     * @return true for either address size.
     */
    public static boolean isRead(final int type)
    {
        return with3Dw(type) == MEMORY_READ_3DW;
    }

    /**
     * Whether it is fetch-and-add, swap or compare-and-swap.
     *
     * @param type 0 to 255.
     * @return true for either address size.
     */
    public static boolean isAtomic(final int type)
    {
        return with3Dw(type) >= FETCH_ADD_3DW && with3Dw(type) <= COMPARE_SWAP_3DW;
    }

    /**
     * Whether it answers a request.
     *
     * @param type 0 to 255.
     * @return true with data and without.
     */
    public static boolean isCompletion(final int type)
    {
        return type == COMPLETION || type == COMPLETION_DATA;
    }
}
