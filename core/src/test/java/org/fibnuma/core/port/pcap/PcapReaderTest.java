package org.fibnuma.core.port.pcap;

import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import static org.fibnuma.core.port.pcap.CaptureBytes.frame;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PcapReaderTest
{
    private static final ByteOrder[] ORDERS = {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN};
    private static final int MICRO = 0xA1B2C3D4;

    @TempDir
    private Path directory;

    @Test
    void shouldReadClassicFilesOfBothOrdersAndBothTimes() throws IOException
    {
        for (final ByteOrder order : ORDERS)
        {
            for (final int magic : new int[]{MICRO, 0xA1B23C4D})
            {
                final Path file = write(new CaptureBytes(order)
                    .pcapHeader(magic, 1).pcapRecord(frame(60, 1)).pcapRecord().pcapRecord(frame(1514, 2)));
                assertFrames(file, null, frame(60, 1), new byte[0], frame(1514, 2));
            }
        }
    }

    @Test
    void shouldReadThePatchedLinuxVariant() throws IOException
    {
        final Path file = write(new CaptureBytes(ByteOrder.LITTLE_ENDIAN)
            .pcapHeader(0xA1B2CD34, 1)
            .u32(1, 2, 60, 60).u32(3).u16(0x0800, 0).raw(frame(60, 1))
            .u32(1, 2, 61, 61).u32(3).u16(0x0800, 0).raw(frame(61, 2)));
        assertFrames(file, null, frame(60, 1), frame(61, 2));
    }

    @Test
    void shouldIgnoreFrameCheckFlagsAboveTheLinkType() throws IOException
    {
        final Path file = write(new CaptureBytes(ByteOrder.BIG_ENDIAN).pcapHeader(MICRO, 0x24000001));
        try (PcapReader reader = PcapReader.open(file))
        {
            assertEquals(PcapReader.LINK_TYPE_ETHERNET, reader.linkTypeOfFile());
            assertFalse(reader.next());
            assertNull(reader.problem());
        }
    }

    @Test
    void shouldReadEveryPacketBlockOfPcapng() throws IOException
    {
        for (final ByteOrder order : ORDERS)
        {
            final byte[] options = new CaptureBytes(order).u16(1, 3).raw((byte)'h', (byte)'i', (byte)'!', (byte)0)
                .u16(0, 0).toByteArray();
            final Path file = write(new CaptureBytes(order)
                .section(options)
                .interfaceDescription(1, 100, options)
                .interfaceDescription(113, 0)
                .block(5, new byte[12])
                .enhancedPacket(0, frame(61, 1), options)
                .block(0x0BAD, frame(40, 9))
                .simplePacket(60, frame(60, 2))
                .simplePacket(1514, frame(100, 3))
                .obsoletePacket(1, frame(63, 4))
                .enhancedPacket(1, new byte[0]));
            assertFrames(file, null, frame(61, 1), frame(60, 2), frame(100, 3), frame(63, 4), new byte[0]);
            try (PcapReader reader = PcapReader.open(file))
            {
                assertEquals(PcapReader.LINK_TYPE_PER_FRAME, reader.linkTypeOfFile());
                final int[] linkTypes = {1, 1, 1, 113, 113};
                final int[] lengths = {61, 60, 1514, 63, 0};
                for (int i = 0; i < linkTypes.length; i++)
                {
                    assertTrue(reader.next());
                    assertEquals(linkTypes[i], reader.linkType());
                    assertEquals(lengths[i], reader.originalLength());
                }
            }
        }
    }

    @Test
    void shouldBeginAnewWithEachSection() throws IOException
    {
        final CaptureBytes big = new CaptureBytes(ByteOrder.BIG_ENDIAN)
            .section().interfaceDescription(1, 0).interfaceDescription(1, 0).enhancedPacket(1, frame(60, 1));
        final CaptureBytes little = new CaptureBytes(ByteOrder.LITTLE_ENDIAN)
            .section().interfaceDescription(9, 0).enhancedPacket(0, frame(62, 2)).enhancedPacket(1, frame(60, 1));
        final Path file = write(big.raw(little.toByteArray()));
        assertFrames(file, "has a frame of interface 1 but only 1 interfaces", frame(60, 1), frame(62, 2));
    }

    @Test
    void shouldPassOverBlocksThatAreLongerThanTheWindow() throws IOException
    {
        final Path file = write(new CaptureBytes(ByteOrder.LITTLE_ENDIAN).section().interfaceDescription(1, 0)
            .block(0x0BAD, new byte[3 * CaptureStream.WINDOW]).enhancedPacket(0, frame(60, 1)));
        assertFrames(file, null, frame(60, 1));
    }

    @Test
    void shouldFollowFramesAcrossTheEdgeOfTheWindow() throws IOException
    {
        final CaptureBytes bytes = new CaptureBytes(ByteOrder.LITTLE_ENDIAN).pcapHeader(MICRO, 1);
        final List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < 40; i++)
        {
            frames.add(frame(60_000 + 7919 * i % 5000, i));
            bytes.pcapRecord(frames.get(i));
        }
        assertFrames(write(bytes), null, frames.toArray(new byte[0][]));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 23})
    void shouldRefuseWhatIsNoCapture(final int length) throws IOException
    {
        final Path file = Files.write(directory.resolve("file"), frame(length, 0));
        final UserException refused = assertThrows(UserException.class, () -> PcapReader.open(file));
        assertEquals(file + " is not a pcap or pcapng file", refused.getMessage());
    }

    @Test
    void shouldSayThatAFileIsAbsentOrADirectory()
    {
        final Path absent = directory.resolve("absent.pcap");
        assertEquals("cannot read " + absent + ": no such file or directory",
            assertThrows(UserException.class, () -> PcapReader.open(absent)).getMessage());
        assertTrue(assertThrows(UserException.class, () -> PcapReader.open(directory)).getMessage()
            .contains("Is a directory"));
    }

    @Test
    void shouldEndWhereAClassicFileIsCut() throws IOException
    {
        final byte[] whole = new CaptureBytes(ByteOrder.LITTLE_ENDIAN)
            .pcapHeader(MICRO, 1).pcapRecord(frame(60, 1)).toByteArray();
        assertFrames(writeCut(whole, 24 + 7), "ends inside a record header");
        assertFrames(writeCut(whole, 24 + 16 + 59), "ends inside a frame of 60 bytes");
        assertFrames(writeCut(whole, 24), null);
    }

    @Test
    void shouldNotBelieveALengthThatNoLinkCarries() throws IOException
    {
        for (final long length : new long[]{262_145, 0x7FFF_FFFFL, 0xFFFF_FFFFL})
        {
            final Path file = write(new CaptureBytes(ByteOrder.LITTLE_ENDIAN).pcapHeader(MICRO, 1)
                .u32(0, 0, length, length).raw(new byte[100]));
            assertFrames(file, "has a frame of " + length + " bytes where at most 262144 can be");
        }
    }

    @Test
    void shouldEndAtAnyDamageOfPcapng() throws IOException
    {
        final byte[] start = new CaptureBytes(ByteOrder.LITTLE_ENDIAN).section().interfaceDescription(1, 0)
            .enhancedPacket(0, frame(60, 1)).toByteArray();
        final String[] problems =
        {
            "has a block of 11 bytes", "has a block of 13 bytes", "has a block of 4294967292 bytes",
            "has a block of 28 bytes, too short", "ends inside a block header",
            "has a section without a valid byte order",
            "has a frame of 61 bytes where at most 60 can be", "has a block of 12 bytes that ends as one of 16",
            "is of pcapng version 2", "has a frame of interface 4294967295", "ends inside a block",
        };
        final byte[][] damages =
        {
            tail().u32(6, 11, 0, 0).toByteArray(), tail().u32(6, 13, 0, 0).toByteArray(),
            tail().u32(6, 0xFFFF_FFFCL, 0, 0).toByteArray(),
            tail().block(6, new byte[16]).toByteArray(), tail().u16(6).toByteArray(),
            tail().block(0x0A0D0D0A, new byte[16]).toByteArray(),
            tail().block(6, tail().u32(0, 0, 0, 61, 61).raw(new byte[60]).toByteArray()).toByteArray(),
            tail().u32(0x0BAD, 12, 16, 0, 0).toByteArray(),
            tail().block(0x0A0D0D0A, tail().u32(0x1A2B3C4D).u16(2, 0).u32(-1, -1).toByteArray()).toByteArray(),
            tail().enhancedPacket(-1, frame(60, 1)).toByteArray(), tail().u32(0x0BAD, 400).toByteArray(),
        };
        for (int i = 0; i < damages.length; i++)
        {
            final Path file = write(new CaptureBytes(ByteOrder.LITTLE_ENDIAN).raw(start).raw(damages[i]));
            assertFrames(file, problems[i], frame(60, 1));
        }
    }

    @Test
    void shouldFindTheFramesInReferenceCapturesThatTcpdumpFinds() throws IOException
    {
        int files = 0;
        int frames = 0;
        for (final String folder : new String[]{"pcap/tcpdump", "pcap/snabb-lwaftr"})
        {
            try (Stream<Path> captures = Files.list(Require.sharedData(folder)))
            {
                for (final Path capture : (Iterable<Path>)captures.sorted()::iterator)
                {
                    files++;
                    try (PcapReader reader = PcapReader.open(capture))
                    {
                        while (reader.next())
                        {
                            frames++;
                        }
                        assertNull(reader.problem());
                    }
                }
            }
        }
        assertEquals(724, files);
        // The sum of what "tcpdump --count -r" of version 4.99.3 prints for each.
        assertEquals(8523, frames);
    }

    private static CaptureBytes tail()
    {
        return new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
    }

    private Path write(final CaptureBytes bytes) throws IOException
    {
        return Files.write(directory.resolve("capture"), bytes.toByteArray());
    }

    private Path writeCut(final byte[] whole, final int length) throws IOException
    {
        return Files.write(directory.resolve("capture"), Arrays.copyOf(whole, length));
    }

    private static void assertFrames(final Path file, final String problem, final byte[]... frames)
    {
        try (PcapReader reader = PcapReader.open(file); MemoryRegion region = MemoryRegion.ofBytes(1 << 18))
        {
            for (int i = 0; i < frames.length; i++)
            {
                assertTrue(reader.next(), "frame " + i + ": " + reader.problem());
                assertEquals(frames[i].length, reader.capturedLength());
                reader.copyTo(region.address());
                final byte[] read = new byte[reader.capturedLength()];
                FrameMemory.getBytes(region.address(), read);
                assertArrayEquals(frames[i], read);
            }
            assertFalse(reader.next());
            assertFalse(reader.next());
            if (problem == null)
            {
                assertNull(reader.problem());
            }
            else
            {
                assertTrue(reader.problem().startsWith(file + " " + problem), reader.problem());
            }
        }
    }
}
