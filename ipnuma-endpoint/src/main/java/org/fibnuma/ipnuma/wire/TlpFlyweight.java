package org.fibnuma.ipnuma.wire;

import org.fibnuma.core.memory.FrameMemory;

/**
 * TLP header in PCIe byte order, most significant byte first (PCI Express Base Specification, section 2.2). The caller
 * has checked that there are {@link TlpType#headerLength} bytes.
 * <pre>
 *            byte 0            byte 1          byte 2              byte 3
 *  DW0  fmt (7-5) type (4-0)   TC (6-4)   TD EP Attr AT length (9-8)   length (7-0)
 *  DW1  requester id                      tag                          last BE (7-4), first BE (3-0)
 *  DW2  address 31-2; with four DWs address 63-32
 *  DW3  address 31-2
 *  completion:
 *  DW1  completer id                      status (7-5) BCM (4) byte count (11-0)
 *  DW2  requester id                      tag                          lower address (6-0)
 * </pre>
 */
public final class TlpFlyweight
{
    /** Bytes of a DW, PCIe's unit of length. */
    public static final int DW = Integer.BYTES;
    /** Offset of format and type. */
    public static final int TYPE_OFFSET = 0;
    public static final int TRAFFIC_CLASS_OFFSET = TYPE_OFFSET + Byte.BYTES;
    /** Offset of the 16 bits of flags, attributes and length. */
    public static final int LENGTH_OFFSET = TRAFFIC_CLASS_OFFSET + Byte.BYTES;
    /** Offset of the requester id of a request. */
    public static final int REQUESTER_OFFSET = LENGTH_OFFSET + Short.BYTES;
    /** Offset of the TLP tag of a request. */
    public static final int TAG_OFFSET = REQUESTER_OFFSET + Short.BYTES;
    /** Offset of the byte enables, with those of the last DW in the high four bits. */
    public static final int BYTE_ENABLES_OFFSET = TAG_OFFSET + Byte.BYTES;
    /** Offset of the address of a request. */
    public static final int ADDRESS_OFFSET = BYTE_ENABLES_OFFSET + Byte.BYTES;
    /** Offset of the completer id of a completion. */
    public static final int COMPLETER_OFFSET = LENGTH_OFFSET + Short.BYTES;
    /** Offset of the 16 bits of status and byte count of a completion. */
    public static final int STATUS_OFFSET = COMPLETER_OFFSET + Short.BYTES;
    public static final int COMPLETION_REQUESTER_OFFSET = STATUS_OFFSET + Short.BYTES;
    public static final int COMPLETION_TAG_OFFSET = COMPLETION_REQUESTER_OFFSET + Short.BYTES;
    /** Offset of the low seven bits of the address of a completion's first byte. */
    public static final int LOWER_ADDRESS_OFFSET = COMPLETION_TAG_OFFSET + Byte.BYTES;
    /** Length of a header with a 32-bit address, and of the header of a completion. */
    public static final int LENGTH_3DW = LOWER_ADDRESS_OFFSET + Byte.BYTES;
    /** Length of a header with a 64-bit address. */
    public static final int LENGTH_4DW = LENGTH_3DW + DW;
    /** No request crosses a boundary of this number of bytes (section 2.2.7), and none is longer. */
    public static final int BOUNDARY = 4096;
    /** Mask of the address bits that a completion contains. */
    public static final int LOWER_ADDRESS_MASK = 0x7F;

    private static final int LENGTH_MASK = 0x3FF;
    private static final int LENGTH_MAX = 0x400;
    private static final int DIGEST_MASK = 0x8000;
    private static final int POISONED_MASK = 0x4000;
    private static final int STATUS_SHIFT = 13;
    private static final int BYTE_COUNT_MASK = 0xFFF;
    private static final long DW_MASK = ~3L;

    private long address;

    /** Sets the address of the header. */
    public TlpFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /** Returns format and type, 0 to 255, see {@link TlpType}. */
    public int type()
    {
        return FrameMemory.getByte(address + TYPE_OFFSET) & 0xFF;
    }

    /**
     * Starts a header: type and length, with traffic class, flags and attributes 0.
     *
     * @param type     from {@link TlpType}.
     * @param lengthDw 1 to 1,024; 0 in a completion without data.
     * @return this.
     */
    public TlpFlyweight start(final int type, final int lengthDw)
    {
        FrameMemory.putIntBE(address, type << 24 | lengthDw & LENGTH_MASK);
        return this;
    }

    /**
     * Returns the length field in DWs, 1 to 1,024. If this TLP has data, it is their length, otherwise that of the
     * requested data.
     */
    public int lengthDw()
    {
        final int length = FrameMemory.getShortBE(address + LENGTH_OFFSET) & LENGTH_MASK;
        return length == 0 ? LENGTH_MAX : length;
    }

    /** Returns the TD bit: whether a DW of digest (ECRC) follows the data. */
    public boolean hasDigest()
    {
        return (FrameMemory.getShortBE(address + LENGTH_OFFSET) & DIGEST_MASK) != 0;
    }

    /** Returns the EP bit: whether the sender marked the data as wrong. */
    public boolean isPoisoned()
    {
        return (FrameMemory.getShortBE(address + LENGTH_OFFSET) & POISONED_MASK) != 0;
    }

    /** Returns the requester's bus, device and function, 0 to 65,535. */
    public int requester()
    {
        return FrameMemory.getShortBE(address + REQUESTER_OFFSET);
    }

    /** Returns the TLP tag of a request, 0 to 255, which its completion repeats. */
    public int tag()
    {
        return FrameMemory.getByte(address + TAG_OFFSET) & 0xFF;
    }

    /** Returns the byte enables of the first and the last DW, 0 to 255, see {@link ByteEnables}. */
    public int byteEnables()
    {
        return FrameMemory.getByte(address + BYTE_ENABLES_OFFSET) & 0xFF;
    }

    /**
     * Sets DW1 of a request.
     *
     * @param requester   0 to 65,535.
     * @param tag         0 to 255.
     * @param byteEnables 0 to 255.
     * @return this.
     */
    public TlpFlyweight request(final int requester, final int tag, final int byteEnables)
    {
        FrameMemory.putIntBE(
            address + REQUESTER_OFFSET, requester << 16 | (tag & 0xFF) << 8 | byteEnables & 0xFF);
        return this;
    }

    /**
     * Returns the address of the first DW of a request, a multiple of 4. The low two bits on the wire are masked out.
     */
    public long dwAddress()
    {
        final long high = FrameMemory.getIntBE(address + ADDRESS_OFFSET) & 0xFFFF_FFFFL;
        if ((type() & TlpType.FOUR_DW_MASK) == 0)
        {
            return high & DW_MASK;
        }
        return (high << 32 | FrameMemory.getIntBE(address + ADDRESS_OFFSET + DW) & 0xFFFF_FFFFL) & DW_MASK;
    }

    /**
     * Sets the address of the first DW of a request, a multiple of 4, in the size of the type. The type must be set
     * before.
     */
    public TlpFlyweight dwAddress(final long dwAddress)
    {
        if ((type() & TlpType.FOUR_DW_MASK) == 0)
        {
            FrameMemory.putIntBE(address + ADDRESS_OFFSET, (int)dwAddress);
        }
        else
        {
            FrameMemory.putIntBE(address + ADDRESS_OFFSET, (int)(dwAddress >>> 32));
            FrameMemory.putIntBE(address + ADDRESS_OFFSET + DW, (int)dwAddress);
        }
        return this;
    }

    /** Returns the status of a completion, 0 to 7, see {@link CompletionStatus}. */
    public int status()
    {
        return FrameMemory.getShortBE(address + STATUS_OFFSET) >>> STATUS_SHIFT;
    }

    /** Returns the number of bytes, 1 to 4,096, in this completion and those after it. */
    public int byteCount()
    {
        final int count = FrameMemory.getShortBE(address + STATUS_OFFSET) & BYTE_COUNT_MASK;
        return count == 0 ? BOUNDARY : count;
    }

    /** Returns the completer id of a completion, 0 to 65,535. In fibnuma datagrams it is the access status. */
    public int completer()
    {
        return FrameMemory.getShortBE(address + COMPLETER_OFFSET);
    }

    /** Returns the requester id of the request that a completion answers, 0 to 65,535. */
    public int completionRequester()
    {
        return FrameMemory.getShortBE(address + COMPLETION_REQUESTER_OFFSET);
    }

    /** Returns the TLP tag of the request that a completion answers, 0 to 255. */
    public int completionTag()
    {
        return FrameMemory.getByte(address + COMPLETION_TAG_OFFSET) & 0xFF;
    }

    /** Returns the low bits, 0 to 127, of the address of a completion's first byte. */
    public int lowerAddress()
    {
        return FrameMemory.getByte(address + LOWER_ADDRESS_OFFSET) & LOWER_ADDRESS_MASK;
    }

    /**
     * Sets DW1 of a completion.
     *
     * @param completer 0 to 65,535.
     * @param status    from {@link CompletionStatus}.
     * @param byteCount 1 to 4,096.
     * @return this.
     */
    public TlpFlyweight completion(final int completer, final int status, final int byteCount)
    {
        FrameMemory.putIntBE(
            address + COMPLETER_OFFSET, completer << 16 | status << STATUS_SHIFT | byteCount & BYTE_COUNT_MASK);
        return this;
    }

    /**
     * Sets DW2 of a completion.
     *
     * @param requester    of the request, 0 to 65,535.
     * @param tag          of the request, 0 to 255.
     * @param lowerAddress of the first byte, of which the low seven bits are stored.
     * @return this.
     */
    public TlpFlyweight answers(final int requester, final int tag, final int lowerAddress)
    {
        FrameMemory.putIntBE(
            address + COMPLETION_REQUESTER_OFFSET,
            requester << 16 | (tag & 0xFF) << 8 | lowerAddress & LOWER_ADDRESS_MASK);
        return this;
    }
}
