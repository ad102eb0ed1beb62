package org.fibnuma.ipnuma.session;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.session.window.SendWindow;
import org.fibnuma.ipnuma.session.window.SlotPool;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.ByteEnables;
import org.fibnuma.ipnuma.wire.TlpEncoder;
import org.fibnuma.ipnuma.wire.TlpFlyweight;
import org.fibnuma.ipnuma.wire.TlpType;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaFlags;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderWriter;

/**
 * Gathers TLPs in a datagram, in the slot where the datagram stays until it is acknowledged. A TLP that cannot join
 * closes the datagram and begins the next one. Reasons are another region or key, another order, requests among writes,
 * and too many bytes.
 */
final class OpenDatagram
{
    /** The number of TLPs has one byte in the header. */
    private static final int MAX_TLPS = 255;
    private static final int DW_MASK = TlpFlyweight.DW - 1;
    private static final int SHORT_COPY = 64;

    private final SendWindow window;
    private final int capacity;
    private final TlpFlyweight tlp = new TlpFlyweight();
    private final FibnumaHeaderWriter header = new FibnumaHeaderWriter();
    private boolean open;
    private long start;
    private int bytes;
    private int count;
    private int flags;
    private int region;
    private long key;
    private int writes;
    private int answerBytes;

    OpenDatagram(final SendWindow window, final int capacity)
    {
        this.window = window;
        this.capacity = capacity;
    }

    boolean isOpen()
    {
        return open;
    }

    int writes()
    {
        return open ? writes : 0;
    }

    /** Returns the sequence of the datagram that contains the last TLP. */
    int lastSequence()
    {
        return open ? window.end() : window.end() - 1;
    }

    /** Accepts a write without a request tag, as {@link Session#write} does. */
    boolean write(
        final long remoteAddress, final long regionKey, final long dataAddress, final int length, final int order)
    {
        final int inFirst = TlpEncoder.toBoundary(remoteAddress, length);
        int needed = TlpFlyweight.LENGTH_4DW + (ByteEnables.lengthDw(remoteAddress, inFirst) << 2);
        if (inFirst != length)
        {
            needed += TlpFlyweight.LENGTH_4DW + (ByteEnables.lengthDw(0, length - inFirst) << 2);
        }
        // The peer refuses a whole datagram if one write leaves the region. Such a write gets its own datagram.
        final boolean isLeaving = RemoteAddress.isLeaving(remoteAddress, length);
        if ((isLeaving || !joins(order, RemoteAddress.regionId(remoteAddress), regionKey, needed, 0)) &&
            !begin(order, RemoteAddress.regionId(remoteAddress), regionKey, SendWindow.RESERVED))
        {
            return false;
        }
        putWrite(remoteAddress, dataAddress, inFirst);
        if (inFirst != length)
        {
            putWrite(remoteAddress + inFirst, dataAddress + inFirst, length - inFirst);
        }
        writes++;
        if (isLeaving)
        {
            close();
        }
        return true;
    }

    /** Reserves room for a request and its answer; returns false if there is no room. */
    boolean prepareRequest(final long remoteAddress, final long regionKey, final int needed, final int answerNeeded)
    {
        final int order = FibnumaFlags.ORDERED | FibnumaFlags.REQUESTS;
        final int regionId = RemoteAddress.regionId(remoteAddress);
        final boolean isReady = joins(order, regionId, regionKey, needed, answerNeeded) ||
            begin(order, regionId, regionKey, SendWindow.RESERVED);
        if (isReady)
        {
            answerBytes += answerNeeded;
        }
        return isReady;
    }

    /** Returns whether the next request would begin a datagram. */
    boolean beginsWith(final long remoteAddress, final long regionKey, final int needed, final int answerNeeded)
    {
        return !joins(FibnumaFlags.ORDERED | FibnumaFlags.REQUESTS, RemoteAddress.regionId(remoteAddress), regionKey,
            needed, answerNeeded);
    }

    void putRead(final long remoteAddress, final int length, final int tag)
    {
        tlp.wrap(nextTlp())
            .start(TlpType.MEMORY_READ_4DW, ByteEnables.lengthDw(remoteAddress, length))
            .request(0, tag, ByteEnables.of(remoteAddress, length))
            .dwAddress(remoteAddress & ~DW_MASK);
        bytes += TlpFlyweight.LENGTH_4DW;
    }

    /** Adds an atomic with one operand, or with two operands of which the comparand is first, as in PCIe. */
    void putAtomic(final int type, final long remoteAddress, final int tag, final long[] operands, final int width)
    {
        final int operandCount = type == TlpType.COMPARE_SWAP_4DW ? 2 : 1;
        final long address = nextTlp();
        tlp.wrap(address)
            .start(type, operandCount * width >>> 2)
            .request(0, tag, 0)
            .dwAddress(remoteAddress);
        for (int i = 0; i < operandCount; i++)
        {
            putNumber(address + TlpFlyweight.LENGTH_4DW + (long)i * width, operands[i], width);
        }
        bytes += TlpFlyweight.LENGTH_4DW + operandCount * width;
    }

    /** Begins the datagram of answers to one datagram of requests. */
    boolean beginAnswers()
    {
        return begin(FibnumaFlags.ORDERED, 0, 0, 0);
    }

    /** Adds an answer without its data, and returns the address for the data. */
    long putCompletion(final int status, final int accessStatus, final int byteCount, final int tag, final int lower)
    {
        final long address = nextTlp();
        final int lengthDw = (lower & DW_MASK) + byteCount + DW_MASK >>> 2;
        tlp.wrap(address)
            .start(TlpType.COMPLETION_DATA, lengthDw)
            .completion(accessStatus, status, byteCount)
            .answers(0, tag, lower);
        final long data = address + TlpFlyweight.LENGTH_3DW;
        FrameMemory.putInt(data, 0);
        FrameMemory.putInt(data + (long)(lengthDw - 1) * TlpFlyweight.DW, 0);
        bytes += TlpFlyweight.LENGTH_3DW + (lengthDw << 2);
        return data;
    }

    /**
     * Marks the datagram with a doorbell, in a new one if none is open for ordered writes. Returns false without room.
     */
    boolean ring()
    {
        final boolean isReady = open && (flags & FibnumaFlags.ORDERED) != 0 ||
            begin(FibnumaFlags.ORDERED, 0, 0, SendWindow.RESERVED);
        if (isReady)
        {
            flags |= FibnumaFlags.DOORBELL;
        }
        return isReady;
    }

    /** Completes the datagram, which then waits for transmission. */
    void close()
    {
        if (open)
        {
            header.wrap(start).flags(flags, count).region(region, key).length(bytes, 0);
            window.append(bytes, writes);
            open = false;
        }
    }

    void discard()
    {
        open = false;
    }

    private boolean joins(
        final int order, final int regionId, final long regionKey, final int needed, final int answerNeeded)
    {
        // Nothing joins a datagram with a doorbell: the doorbell is for the writes before it.
        return open && flags == order && region == regionId && key == regionKey && bytes + needed <= capacity &&
            answerBytes + answerNeeded <= capacity && count < MAX_TLPS - 1;
    }

    private boolean begin(final int order, final int regionId, final long regionKey, final int reserved)
    {
        close();
        if (!window.hasRoom(reserved))
        {
            return false;
        }
        final long slot = window.open();
        if (slot == SlotPool.NONE)
        {
            return false;
        }
        open = true;
        start = slot;
        bytes = 0;
        count = 0;
        flags = order;
        region = regionId;
        key = regionKey;
        writes = 0;
        answerBytes = 0;
        return true;
    }

    private long nextTlp()
    {
        count++;
        return start + FibnumaHeaderFlyweight.LENGTH + bytes;
    }

    private void putWrite(final long remoteAddress, final long dataAddress, final int length)
    {
        final long address = nextTlp();
        final int lengthDw = ByteEnables.lengthDw(remoteAddress, length);
        tlp.wrap(address)
            .start(TlpType.MEMORY_WRITE_4DW, lengthDw)
            .request(0, 0, ByteEnables.of(remoteAddress, length))
            .dwAddress(remoteAddress & ~DW_MASK);
        final long data = address + TlpFlyweight.LENGTH_4DW;
        final int before = (int)remoteAddress & DW_MASK;
        if ((before | length & DW_MASK) != 0)
        {
            FrameMemory.putInt(data, 0);
            FrameMemory.putInt(data + (long)(lengthDw - 1) * TlpFlyweight.DW, 0);
        }
        copy(dataAddress, data + before, length);
        bytes += TlpFlyweight.LENGTH_4DW + (lengthDw << 2);
    }

    private static void copy(final long source, final long destination, final int length)
    {
        if (length > SHORT_COPY)
        {
            FrameMemory.copy(source, destination, length);
        }
        else
        {
            FrameMemory.copyShort(source, destination, length);
        }
    }

    /** Stores a number of 4 or 8 bytes in native byte order. */
    static void putNumber(final long address, final long value, final int width)
    {
        if (width == Long.BYTES)
        {
            FrameMemory.putLong(address, value);
        }
        else
        {
            FrameMemory.putInt(address, (int)value);
        }
    }
}
