package org.fibnuma.binding.dpdk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Frames in a file of libpcap's, for DPDK's net_pcap driver. */
final class PcapFile
{
    private static final int HEADER = 24;
    private static final int RECORD = 16;

    private PcapFile()
    {
    }

    /** Some of these lengths, whose bytes tell them apart. */
    static List<byte[]> frames(final int... lengths)
    {
        final List<byte[]> frames = new ArrayList<>();
        for (final int length : lengths)
        {
            frames.add(frame(length, frames.size() + 1));
        }
        return frames;
    }

    private static byte[] frame(final int length, final int seed)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)(seed * 31 + i);
        }
        return bytes;
    }

    static Path write(final Path path, final List<byte[]> frames) throws IOException
    {
        final ByteBuffer file = ByteBuffer.allocate(
            HEADER + frames.stream().mapToInt(frame -> RECORD + frame.length).sum());
        file.order(ByteOrder.LITTLE_ENDIAN)
            .putInt(0xA1B2C3D4).putShort((short)2).putShort((short)4).putInt(0).putInt(0).putInt(65535).putInt(1);
        for (final byte[] frame : frames)
        {
            file.putInt(0).putInt(0).putInt(frame.length).putInt(frame.length).put(frame);
        }
        return Files.write(path, file.array());
    }

    static List<byte[]> read(final Path file) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.position(HEADER);
        final List<byte[]> frames = new ArrayList<>();
        while (bytes.hasRemaining())
        {
            bytes.getLong();
            final byte[] frame = new byte[bytes.getInt()];
            bytes.getInt();
            bytes.get(frame);
            frames.add(frame);
        }
        return frames;
    }
}
