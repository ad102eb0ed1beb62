package org.fibnuma.core.port.pcap;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Builds capture files byte by byte from the drafts, without the code under test. */
final class CaptureBytes
{
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ByteOrder order;

    CaptureBytes(final ByteOrder order)
    {
        this.order = order;
    }

    CaptureBytes u32(final long... values)
    {
        for (final long value : values)
        {
            bytes.writeBytes(ByteBuffer.allocate(4).order(order).putInt((int)value).array());
        }
        return this;
    }

    CaptureBytes u16(final int... values)
    {
        for (final int value : values)
        {
            bytes.writeBytes(ByteBuffer.allocate(2).order(order).putShort((short)value).array());
        }
        return this;
    }

    CaptureBytes raw(final byte... values)
    {
        bytes.writeBytes(values);
        return this;
    }

    CaptureBytes pcapHeader(final int magic, final int linkType)
    {
        return u32(magic).u16(2, 4).u32(0, 0, 65_535, linkType);
    }

    CaptureBytes pcapRecord(final byte... frame)
    {
        return u32(1_700_000_000, 999, frame.length, frame.length).raw(frame);
    }

    CaptureBytes block(final int type, final byte... body)
    {
        final int padded = body.length + 3 & ~3;
        return u32(type, 12 + padded).raw(body).raw(new byte[padded - body.length]).u32(12 + padded);
    }

    CaptureBytes section(final byte... options)
    {
        return block(0x0A0D0D0A,
            new CaptureBytes(order).u32(0x1A2B3C4D).u16(1, 0).u32(-1, -1).raw(options).toByteArray());
    }

    CaptureBytes interfaceDescription(final int linkType, final int snapLength, final byte... options)
    {
        return block(1, new CaptureBytes(order).u16(linkType, 0).u32(snapLength).raw(options).toByteArray());
    }

    CaptureBytes enhancedPacket(final int interfaceId, final byte[] frame, final byte... options)
    {
        return block(6, new CaptureBytes(order).u32(interfaceId, 7, 8, frame.length, frame.length)
            .raw(frame).raw(new byte[-frame.length & 3]).raw(options).toByteArray());
    }

    CaptureBytes obsoletePacket(final int interfaceId, final byte... frame)
    {
        return block(2, new CaptureBytes(order).u16(interfaceId, 0xFFFF).u32(7, 8, frame.length, frame.length)
            .raw(frame).toByteArray());
    }

    CaptureBytes simplePacket(final int originalLength, final byte... frame)
    {
        return block(3, new CaptureBytes(order).u32(originalLength).raw(frame).toByteArray());
    }

    byte[] toByteArray()
    {
        return bytes.toByteArray();
    }

    /** Returns ascending bytes from a first one, so that a wrong position is detected. */
    static byte[] frame(final int length, final int first)
    {
        final byte[] frame = new byte[length];
        for (int i = 0; i < length; i++)
        {
            frame[i] = (byte)(first + i);
        }
        return frame;
    }
}
