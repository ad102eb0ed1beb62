package org.fibnuma.core.port.pcap;

import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PcapngWriterTest
{
    private static final int FRAME = 1000;

    @TempDir
    private Path directory;

    /** The bytes are those of draft-ietf-opsawg-pcapng for a little-endian machine, written by hand. */
    @Test
    void shouldWriteTheBlocksOfTheDraft()
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PcapngWriter writer = PcapngWriter.to("stream", Channels.newChannel(bytes), "app"))
        {
            assertEquals(0, writer.addInterface("left", 128));
            writer.add(
                0, 0x0102030405060708L, ByteBuffer.wrap(new byte[]{1, 2, 3}), 60, PcapngWriter.INBOUND, "why");
            writer.addStatistics(0, 1, 5, 4);
        }
        assertEquals(
            "0a0d0d0a" + "28000000" + "4d3c2b1a" + "01000000" + "ffffffffffffffff" +
            "04000300" + "61707000" + "00000000" + "28000000" +
            "01000000" + "28000000" + "01000000" + "80000000" +
            "02000400" + "6c656674" + "09000100" + "09000000" + "00000000" + "28000000" +
            "06000000" + "38000000" + "00000000" + "04030201" + "08070605" + "03000000" + "3c000000" + "01020300" +
            "02000400" + "01000000" + "01000300" + "77687900" + "00000000" + "38000000" +
            "05000000" + "34000000" + "00000000" + "00000000" + "01000000" +
            "04000800" + "0500000000000000" + "05000800" + "0400000000000000" + "00000000" + "34000000",
            HexFormat.of().formatHex(bytes.toByteArray()));
    }

    @Test
    void shouldBeReadBack()
    {
        final Path file = directory.resolve("many.pcapng");
        final byte[] frame = new byte[FRAME];
        try (PcapngWriter writer = PcapngWriter.create(file, "app"))
        {
            writer.addInterface("left", FRAME);
            writer.addInterface("right", FRAME);
            for (int i = 0; i < 1000; i++)
            {
                frame[0] = (byte)i;
                writer.add(i % 2, i, ByteBuffer.wrap(frame, 0, i), i, PcapngWriter.OUTBOUND, null);
            }
            writer.add(0, 0, ByteBuffer.wrap(new byte[CaptureFormat.MAX_FRAME_LENGTH]), 1, PcapngWriter.INBOUND, null);
            assertEquals(1001, writer.frames());
            assertNull(writer.problem());
        }
        try (PcapReader reader = PcapReader.open(file); MemoryRegion copy = MemoryRegion.ofBytes(FRAME))
        {
            for (int i = 0; i < 1000; i++)
            {
                assertTrue(reader.next(), reader.problem());
                assertEquals(i, reader.capturedLength());
                reader.copyTo(copy.address());
                assertEquals(i == 0 ? 0 : (byte)i, i == 0 ? 0 : FrameMemory.getByte(copy.address()));
            }
            assertTrue(reader.next());
            assertEquals(CaptureFormat.MAX_FRAME_LENGTH, reader.capturedLength());
            assertFalse(reader.next());
            assertNull(reader.problem());
        }
    }

    @Test
    void shouldCountWhatAStreamDoesNotTake()
    {
        final PcapngWriter writer = PcapngWriter.to("stream", new WritableByteChannel()
        {
            private int room = 3 * FRAME;

            @Override
            public int write(final ByteBuffer source) throws IOException
            {
                if (room == 0)
                {
                    throw new IOException("Broken pipe");
                }
                final int taken = Math.min(room, source.remaining());
                source.position(source.position() + taken);
                room -= taken;
                return taken;
            }

            @Override
            public boolean isOpen()
            {
                return true;
            }

            @Override
            public void close()
            {
                // Nothing to release.
            }
        }, "app");
        writer.addInterface("left", FRAME);
        for (int i = 0; i < 5; i++)
        {
            writer.add(0, i, ByteBuffer.allocate(FRAME), FRAME, PcapngWriter.INBOUND, null);
        }
        writer.flush();
        writer.add(0, 5, ByteBuffer.allocate(FRAME), FRAME, PcapngWriter.INBOUND, null);
        writer.close();
        assertEquals("cannot write stream: Broken pipe", writer.problem());
        assertEquals(2, writer.frames());
        assertEquals(4, writer.lost());
    }

    @Test
    void shouldSayThatAFileCannotBeCreated()
    {
        final Path file = directory.resolve("missing").resolve("x.pcapng");
        final String message =
            assertThrows(UserException.class, () -> PcapngWriter.create(file, "app")).getMessage();
        assertEquals("cannot write " + file + ": no such file or directory", message);
        assertFalse(Files.exists(file));
    }
}
