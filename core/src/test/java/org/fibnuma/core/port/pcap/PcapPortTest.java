package org.fibnuma.core.port.pcap;

import com.sun.management.ThreadMXBean;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.FiniteInput;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.port.TxQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

import static org.fibnuma.core.port.pcap.CaptureBytes.frame;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PcapPortTest
{
    private static final int CHUNK_SIZE = 2048;
    private static final int CHUNKS = 16;
    private static final int INDEX = 3;

    private final MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, CHUNK_SIZE);
    private final FramePool pool = new FramePool(region, CHUNK_SIZE, 0, CHUNKS);
    private final FrameBatch batch = new FrameBatch();

    @TempDir
    private Path directory;

    @AfterEach
    void closeRegion()
    {
        region.close();
    }

    @Test
    void shouldDeliverFramesInOrderAfterStartAndThenBeExhausted() throws IOException
    {
        try (Port port = open("pcap:" + capture(frame(60, 1), frame(1792, 2), frame(0, 3))))
        {
            assertEquals(0, port.rxQueue(0).receive(batch));
            port.start();
            assertFalse(exhausted(port));
            assertEquals(3, port.rxQueue(0).receive(batch));
            assertFrame(0, frame(60, 1));
            assertFrame(1, frame(1792, 2));
            assertFrame(2, frame(0, 3));
            assertEquals(batch.handle(0) + FramePool.HEADROOM, batch.address(0));
            assertEquals(INDEX, batch.ingressPort(0));
            assertEquals(0, port.rxQueue(0).receive(batch));
            assertTrue(exhausted(port));
            assertEquals("file", port.mode());
            assertEquals(0, port.deviceCounter(PortCounter.RX_DROPPED));
        }
    }

    @Test
    void shouldLoseNothingWhereBatchOrPoolIsShort() throws IOException
    {
        final byte[][] frames = new byte[100][];
        for (int i = 0; i < frames.length; i++)
        {
            frames[i] = frame(60, i);
        }
        try (Port port = open("pcap:" + capture(frames)))
        {
            port.start();
            int seen = 0;
            while (!exhausted(port))
            {
                assertTrue(port.rxQueue(0).receive(batch) <= CHUNKS);
                for (int i = 0; i < batch.size(); i++)
                {
                    assertFrame(i, frames[seen++]);
                    pool.release(batch.handle(i));
                }
                batch.clear();
            }
            assertEquals(frames.length, seen);
            assertEquals(CHUNKS, pool.available());
        }
    }

    @Test
    void shouldCountAndPassOverWhatIsTooLongForAChunk() throws IOException
    {
        try (Port port = open("pcap:" + capture(frame(1793, 1), frame(60, 2), frame(9000, 3))))
        {
            port.start();
            assertEquals(1, port.rxQueue(0).receive(batch));
            assertFrame(0, frame(60, 2));
            assertTrue(exhausted(port));
            assertEquals(2, port.deviceCounter(PortCounter.RX_DROPPED));
        }
    }

    @Test
    void shouldCountAndPassOverFramesOfInterfacesThatAreNotEthernet() throws IOException
    {
        final Path file = Files.write(directory.resolve("in.pcapng"), new CaptureBytes(ByteOrder.BIG_ENDIAN)
            .section().interfaceDescription(113, 0).interfaceDescription(1, 0)
            .enhancedPacket(0, frame(60, 1)).enhancedPacket(1, frame(60, 2)).toByteArray());
        try (Port port = open("pcap:" + file))
        {
            port.start();
            assertEquals(1, port.rxQueue(0).receive(batch));
            assertFrame(0, frame(60, 2));
            assertEquals(0, port.rxQueue(0).receive(batch));
            assertEquals(1, port.deviceCounter(PortCounter.RX_DROPPED));
        }
    }

    @Test
    void shouldEndAtDamageAndSayWhatItIs() throws IOException
    {
        final Path file = Files.write(directory.resolve("in.pcap"), new CaptureBytes(ByteOrder.LITTLE_ENDIAN)
            .pcapHeader(0xA1B2C3D4, 1).pcapRecord(frame(60, 1)).u32(0, 0, -1, -1).toByteArray());
        try (Port port = open("pcap:" + file))
        {
            port.start();
            assertEquals(1, port.rxQueue(0).receive(batch));
            assertEquals(0, port.rxQueue(0).receive(batch));
            assertTrue(exhausted(port));
            assertEquals(1, port.deviceCounter(PortCounter.RX_DROPPED));
            assertEquals("file; " + file + " has a frame of 4294967295 bytes where at most 262144 can be (byte 116)",
                port.mode());
        }
    }

    @Test
    void shouldWriteWhatTcpdumpAndScapyReadBack() throws IOException, InterruptedException
    {
        Require.program("tcpdump", "tcpdump");
        Require.scapy();
        final Path out = directory.resolve("out.pcap");
        final long before = System.currentTimeMillis();
        try (Port port = open("pcap:," + out))
        {
            port.start();
            assertTrue(exhausted(port));
            send(port.txQueue(0), frame(60, 1), frame(1514, 2), frame(61, 3));
            port.txQueue(0).flush();
            assertEquals(CHUNKS, pool.available());
            assertEquals(0, port.deviceCounter(PortCounter.TX_INVALID));
        }
        final long after = System.currentTimeMillis();
        assertEquals("3 packets", output("tcpdump", "--count", "-r", out.toString()).strip());
        final String[] lines = output("/usr/bin/python3", "-c",
            "import sys; from scapy.all import PcapReader, raw\n" +
            "for p in PcapReader(sys.argv[1]): print(p.name, int(p.time * 1000), raw(p).hex())", out.toString())
            .split("\n");
        assertEquals(3, lines.length);
        final byte[][] frames = {frame(60, 1), frame(1514, 2), frame(61, 3)};
        for (int i = 0; i < frames.length; i++)
        {
            final String[] fields = lines[i].split(" ");
            assertEquals(HexFormat.of().formatHex(frames[i]), fields[fields.length - 1]);
            final long time = Long.parseLong(fields[fields.length - 2]);
            assertTrue(time >= before - 2 && time <= after + 2, before + " " + time + " " + after);
        }
    }

    @Test
    void shouldRefuseToOpenAFileOnAFullDisk()
    {
        Require.that(new File("/dev/full").exists(), "needs /dev/full");
        final UserException refused = assertThrows(UserException.class, () -> open("pcap:,/dev/full"));
        assertEquals("port p: cannot write /dev/full: No space left on device", refused.getMessage());
    }

    @Test
    void shouldCountFramesThatTheFileDoesNotTakeAnyMore() throws IOException
    {
        final Path out = directory.resolve("out.pcap");
        final FileChannel channel = FileChannel.open(out, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        final PcapTxQueue txQueue = new PcapTxQueue(new PcapWriter(out, channel, () -> 0), pool);
        send(txQueue, frame(60, 1));
        txQueue.flush();
        assertEquals(24 + 16 + 60, Files.size(out));
        assertNull(txQueue.problem());
        channel.close();
        send(txQueue, frame(60, 2), frame(60, 3));
        assertEquals(0, txQueue.lost());
        txQueue.flush();
        assertEquals(2, txQueue.lost());
        send(txQueue, frame(60, 4));
        txQueue.flush();
        assertEquals(3, txQueue.lost());
        assertEquals("cannot write " + out + ": ClosedChannelException", txQueue.problem());
        assertEquals(CHUNKS, pool.available());
        txQueue.close();
    }

    @Test
    void shouldAllocateNothingWhileFramesFlow() throws IOException
    {
        final byte[][] frames = new byte[20_000][];
        Arrays.fill(frames, frame(60, 1));
        final Path in = capture(frames);
        try (Port port = open("pcap:" + in + "," + directory.resolve("out.pcap")))
        {
            port.start();
            forwardAll(port, 10_000);
            final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
            final long before = threads.getCurrentThreadAllocatedBytes();
            final long between = threads.getCurrentThreadAllocatedBytes();
            forwardAll(port, 10_000);
            final long after = threads.getCurrentThreadAllocatedBytes();
            // The JDK allocates some objects for the system calls that read and write a megabyte, more where the JIT
            // has not compiled these yet. An object for each batch of frames would be 2,500 bytes.
            assertTrue(after - between - (between - before) < 1000, after - between + " bytes");
        }
    }

    private void forwardAll(final Port port, final int count)
    {
        int seen = 0;
        while (seen < count)
        {
            batch.clear();
            seen += port.rxQueue(0).receive(batch);
            for (int i = 0; i < batch.size(); i++)
            {
                port.txQueue(0).offer(batch.handle(i), batch.address(i), batch.length(i));
            }
            port.txQueue(0).flush();
        }
    }

    @Test
    void shouldSendToNowhereWithoutAnOutputFile() throws IOException
    {
        try (Port port = open("pcap:" + capture(frame(60, 1))))
        {
            send(port.txQueue(0), frame(60, 1));
            port.txQueue(0).flush();
            assertEquals(CHUNKS, pool.available());
        }
    }

    @Test
    void shouldRefuseWhatItCannotOpenWithOneLine() throws IOException
    {
        final Path in = capture(frame(60, 1));
        final Path cooked = Files.write(directory.resolve("cooked.pcap"),
            new CaptureBytes(ByteOrder.LITTLE_ENDIAN).pcapHeader(0xA1B2C3D4, 113).toByteArray());
        assertRefused("pcap:", "port p: pcap: needs a file, such as pcap:in.pcap,out.pcap");
        assertRefused("pcap:,", "port p: pcap: needs a file, such as pcap:in.pcap,out.pcap");
        assertRefused("pcap:" + directory + "/no",
            "port p: cannot read " + directory + "/no: no such file or directory");
        assertRefused("pcap:" + in + "," + in,
            "port p: reading and writing the same file would destroy it: " + in);
        assertRefused("pcap:" + cooked,
            "port p: " + cooked + " contains frames of link type 113, not Ethernet (1)");
        assertRefused("pcap:" + in + "," + directory + "/no/out",
            "port p: cannot write " + directory + "/no/out: no such file or directory");
        final UserException workers = assertThrows(UserException.class, () -> Ports.open(
            new PortRequest("p", "pcap:" + in, INDEX, List.of(pool, pool), PortSettings.DEFAULT)));
        assertEquals("port p: pcap: serves one worker, not 2: set workers = 1", workers.getMessage());
    }

    private void assertRefused(final String device, final String message)
    {
        assertEquals(message, assertThrows(UserException.class, () -> open(device)).getMessage());
    }

    private static boolean exhausted(final Port port)
    {
        return port.capability(FiniteInput.class).orElseThrow().exhausted();
    }

    private Port open(final String device)
    {
        return Ports.open(new PortRequest("p", device, INDEX, List.of(pool), PortSettings.DEFAULT));
    }

    private Path capture(final byte[]... frames) throws IOException
    {
        final CaptureBytes bytes = new CaptureBytes(ByteOrder.LITTLE_ENDIAN).pcapHeader(0xA1B2C3D4, 1);
        for (final byte[] frame : frames)
        {
            bytes.pcapRecord(frame);
        }
        return Files.write(directory.resolve("in.pcap"), bytes.toByteArray());
    }

    private void send(final TxQueue txQueue, final byte[]... frames)
    {
        for (final byte[] frame : frames)
        {
            final long chunk = pool.allocate();
            FrameMemory.putBytes(chunk + FramePool.HEADROOM, frame);
            assertTrue(txQueue.offer(chunk, chunk + FramePool.HEADROOM, frame.length));
        }
    }

    private void assertFrame(final int i, final byte[] expected)
    {
        final byte[] actual = new byte[batch.length(i)];
        FrameMemory.getBytes(batch.address(i), actual);
        assertArrayEquals(expected, actual);
    }

    private static String output(final String... command) throws IOException, InterruptedException
    {
        final Process process =
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        final String text = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor());
        return text;
    }
}
