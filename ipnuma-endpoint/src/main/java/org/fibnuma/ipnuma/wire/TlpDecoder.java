package org.fibnuma.ipnuma.wire;

import org.fibnuma.core.memory.FrameMemory;

/** Decodes TLPs in PCIe byte order from untrusted bytes. Used by one thread. */
public final class TlpDecoder
{
    private static final int DW = TlpFlyweight.DW;
    private static final long BOUNDARY_MASK = TlpFlyweight.BOUNDARY - 1;
    private static final int DW_BYTES_MASK = DW - 1;
    /** Types from here to 0x37, without the data bit, are messages: posted, without a completion. */
    private static final int FIRST_MESSAGE = 0x30;

    private final TlpFlyweight tlp = new TlpFlyweight();

    /**
     * Decodes one TLP and passes it to a sink.
     *
     * @param address of its first byte.
     * @param length  bytes from there to the end of the datagram, 0 or more.
     * @param sink    receives the TLP in one call, or in several for a write with gaps; in none if the TLP is invalid.
     * @return bytes of the TLP, 12 or more, always the whole {@code length}; or a {@link TlpFault}.
     */
    public int decode(final long address, final int length, final TlpSink sink)
    {
        if (length < TlpFlyweight.LENGTH_3DW)
        {
            return TlpFault.TRUNCATED;
        }
        tlp.wrap(address);
        final int type = tlp.type();
        final int headerLength = TlpType.headerLength(type);
        final int lengthDw = tlp.lengthDw();
        final int dataLength = TlpType.hasData(type) ? lengthDw * DW : 0;
        final int total = headerLength + dataLength + (tlp.hasDigest() ? DW : 0);
        if (length < total)
        {
            return TlpFault.TRUNCATED;
        }
        if (length > total)
        {
            return TlpFault.TRAILING_BYTES;
        }
        final int fault = dispatch(type, lengthDw, address + headerLength, dataLength, sink);
        return fault < 0 ? fault : total;
    }

    private int dispatch(
        final int type, final int lengthDw, final long dataAddress, final int dataLength, final TlpSink sink)
    {
        if (TlpType.isWrite(type))
        {
            return write(lengthDw, dataAddress, sink);
        }
        if (TlpType.isRead(type))
        {
            return read(lengthDw, sink);
        }
        if (TlpType.isAtomic(type))
        {
            return atomic(TlpType.with3Dw(type), dataAddress, dataLength, sink);
        }
        if (TlpType.isCompletion(type))
        {
            return completion(dataAddress, dataLength, sink);
        }
        final int withoutData = type & ~TlpType.DATA_MASK;
        if (withoutData >= FIRST_MESSAGE || (withoutData & ~1) == TlpType.COMPLETION)
        {
            return TlpFault.UNKNOWN_TYPE;
        }
        sink.onUnsupported(tlp.requester(), tlp.tag());
        return 0;
    }

    private int write(final int lengthDw, final long dataAddress, final TlpSink sink)
    {
        final int byteEnables = ByteEnables.corrected(tlp.byteEnables(), lengthDw);
        final long dwAddress = tlp.dwAddress();
        final int fault = tlp.isPoisoned() ? TlpFault.POISONED : requestFault(byteEnables, lengthDw, dwAddress);
        if (fault == 0)
        {
            deliverWrite(byteEnables, lengthDw, dwAddress, dataAddress, sink);
        }
        return fault;
    }

    private int read(final int lengthDw, final TlpSink sink)
    {
        final int byteEnables = ByteEnables.corrected(tlp.byteEnables(), lengthDw);
        final long dwAddress = tlp.dwAddress();
        final int fault = requestFault(byteEnables, lengthDw, dwAddress);
        if (fault == 0)
        {
            final int length = ByteEnables.span(byteEnables, lengthDw);
            final int leading = length == 0 ? 0 : ByteEnables.leading(byteEnables);
            sink.onRead(dwAddress + leading, length, tlp.requester(), tlp.tag());
        }
        return fault;
    }

    /** Returns the fault of a memory request, or 0. */
    static int requestFault(final int byteEnables, final int lengthDw, final long dwAddress)
    {
        if (!ByteEnables.isValid(byteEnables, lengthDw))
        {
            return TlpFault.BAD_BYTE_ENABLES;
        }
        return (dwAddress & BOUNDARY_MASK) + lengthDw * DW > TlpFlyweight.BOUNDARY ?
            TlpFault.CROSSES_BOUNDARY :
            0;
    }

    /** Passes on the enabled bytes: in one call if they have no gaps, otherwise one by one. */
    static void deliverWrite(
        final int byteEnables,
        final int lengthDw,
        final long dwAddress,
        final long dataAddress,
        final TlpSink sink)
    {
        if (lengthDw > 1 || !ByteEnables.hasGap(byteEnables))
        {
            final int length = ByteEnables.span(byteEnables, lengthDw);
            final int leading = length == 0 ? 0 : ByteEnables.leading(byteEnables);
            sink.onWrite(dwAddress + leading, dataAddress + leading, length);
            return;
        }
        for (int i = 0; i < DW; i++)
        {
            if ((byteEnables & 1 << i) != 0)
            {
                sink.onWrite(dwAddress + i, dataAddress + i, Byte.BYTES);
            }
        }
    }

    private int atomic(final int type, final long dataAddress, final int dataLength, final TlpSink sink)
    {
        final boolean compares = type == TlpType.COMPARE_SWAP_3DW;
        final int width = compares ? dataLength >>> 1 : dataLength;
        if (tlp.isPoisoned())
        {
            return TlpFault.POISONED;
        }
        if (width != Integer.BYTES && width != Long.BYTES)
        {
            // PCIe also has a compare and swap of 16 bytes, which no processor executes in one step.
            sink.onUnsupported(tlp.requester(), tlp.tag());
            return 0;
        }
        // The comparand comes first (section 2.2.7.1).
        final long compare = compares ? value(dataAddress, width) : 0;
        final long operand = value(compares ? dataAddress + width : dataAddress, width);
        sink.onAtomic(type, tlp.dwAddress(), operand, compare, width, tlp.requester(), tlp.tag());
        return 0;
    }

    private static long value(final long address, final int width)
    {
        return width == Long.BYTES ? FrameMemory.getLong(address) : FrameMemory.getInt(address) & 0xFFFF_FFFFL;
    }

    private int completion(final long dataAddress, final int dataLength, final TlpSink sink)
    {
        final int remaining = tlp.byteCount();
        if (dataLength == 0 || tlp.isPoisoned())
        {
            sink.onCompletion(
                tlp.completionTag(), failed(tlp.status()), remaining, dataAddress, 0);
            return 0;
        }
        final int leading = tlp.lowerAddress() & DW_BYTES_MASK;
        final int length = Math.min(remaining, dataLength - leading);
        sink.onCompletion(tlp.completionTag(), tlp.status(), remaining, dataAddress + leading, length);
        return 0;
    }

    /** Returns the status of a completion without data: a read or an atomic cannot succeed without data. */
    private static int failed(final int status)
    {
        return status == CompletionStatus.SUCCESSFUL ? CompletionStatus.COMPLETER_ABORT : status;
    }
}
