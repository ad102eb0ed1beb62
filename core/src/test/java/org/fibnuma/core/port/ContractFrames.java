package org.fibnuma.core.port;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.MacAddress;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Frames that a router would forward: IPv4 to the receiving port's MAC address and to an unused destination. */
final class ContractFrames
{
    private static final byte[] FRAME_START = frameStart();

    private ContractFrames()
    {
    }

    /** A frame of a length without FCS; the sequence goes into every fourth byte of the payload. */
    static byte[] frame(final PortEnd receiver, final int length, final int sequence)
    {
        final ByteBuffer buffer = ByteBuffer.allocate(length);
        buffer.put(FRAME_START);
        buffer.putShort(16, (short)(length - EthernetHeaderFlyweight.LENGTH));
        buffer.putShort(0, (short)(receiver.port().macAddress() >>> Integer.SIZE));
        buffer.putInt(Short.BYTES, (int)receiver.port().macAddress());
        while (buffer.remaining() >= Integer.BYTES)
        {
            buffer.putInt(sequence * 31 + buffer.position());
        }
        return buffer.array();
    }

    /** Frames of growing length. */
    static List<byte[]> frames(final PortEnd receiver, final int first, final int count)
    {
        final List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            frames.add(frame(receiver, 60 + 37 * i, first + i));
        }
        return frames;
    }

    static byte[] bytes(final FrameBatch batch, final int i)
    {
        final byte[] bytes = new byte[batch.length(i)];
        FrameMemory.getBytes(batch.address(i), bytes);
        return bytes;
    }

    static void assertFrames(final List<byte[]> expected, final List<byte[]> actual)
    {
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++)
        {
            assertArrayEquals(expected.get(i), actual.get(i), "frame " + i);
        }
    }

    /** Ethernet and IPv4 header: 198.51.100.9 to 203.0.113.7, UDP, TTL 64; destination and length come later. */
    private static byte[] frameStart()
    {
        final ByteBuffer start = ByteBuffer.allocate(EthernetHeaderFlyweight.LENGTH + 20);
        start.position(MacAddress.LENGTH);
        start.putShort((short)0x0200).putInt(0x0000_0099).putShort((short)0x0800);
        start.putInt(0x4500_0000).putInt(0).putInt(0x4011_0000).putInt(0xC633_6409).putInt(0xCB00_7107);
        return start.array();
    }
}
