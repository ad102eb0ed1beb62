package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.Eal;
import org.fibnuma.core.agent.ThreadEnd;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortException;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DpdkPortTest
{
    private static final int POOL = 2048;
    private static final int RING = 128;
    private static final int PCAP_HEADER = 24;
    private static final int PCAP_RECORD = 16;

    @TempDir
    private Path directory;

    private MemoryRegion region;
    private final List<FramePool> pools = new ArrayList<>();
    private final List<Port> ports = new ArrayList<>();
    private final FrameBatch batch = new FrameBatch();

    @BeforeEach
    void requireDpdk()
    {
        RequireDpdk.libraries();
    }

    @AfterEach
    void close()
    {
        closePorts();
        if (region != null)
        {
            region.close();
        }
    }

    @Test
    void shouldSayThatAVirtualDeviceDoesNoFlowControl()
    {
        allocate(2048, 1);
        final Port port = open("dpdk:net_null0");
        port.start();
        assertEquals("net_null0 cannot do flow control: Operation not supported", port.macFlowControl(1 << 3));
        assertEquals("net_null0 cannot do flow control: Operation not supported", port.macFlowControl(0));
        assertFalse(port.hasMacFlowControl());
    }

    @ParameterizedTest
    @ValueSource(ints = {2048, 4096, 2368, 4416})
    void shouldSendReceivedFramesWhereTheyLie(final int chunkSize) throws IOException
    {
        allocate(chunkSize, 1);
        final List<byte[]> frames = List.of(frame(60, 1), frame(1514, 2), frame(61, 3), frame(777, 4));
        final Path sent = directory.resolve("out.pcap");
        final Port in = open("dpdk:net_pcap0,rx_pcap=" + write("in.pcap", frames) + ",tx_pcap=" + sent);
        in.start();
        assertEquals(frames.size(), in.rxQueue(0).receive(batch));
        for (int i = 0; i < batch.size(); i++)
        {
            final long first = region.address() + (batch.handle(i) - region.address()) / chunkSize * chunkSize;
            assertEquals(first, batch.handle(i), "the handle is the chunk");
            assertEquals(first, pools.get(0).handleOf(batch.address(i)));
            assertEquals(frames.get(i).length, batch.length(i));
            FrameMemory.putByte(batch.address(i), 0x42);
        }
        batch.length(3, 700);
        assertEquals(batch.size(), in.txQueue(0).offer(batch, 0, batch.size()));
        in.txQueue(0).flush();
        assertNothingLost();

        final List<byte[]> written = read(sent);
        assertEquals(frames.size(), written.size());
        for (int i = 0; i < frames.size(); i++)
        {
            final byte[] expected = Arrays.copyOf(frames.get(i), i == 3 ? 700 : frames.get(i).length);
            expected[0] = 0x42;
            assertArrayEquals(expected, written.get(i), "frame " + i);
        }
    }

    /** DPDK numbers 127 threads at a time. */
    @Test
    void shouldGiveTheNumbersOfThreadsThatHaveEndedBack() throws InterruptedException
    {
        final Eal eal = Eal.start(false);
        final boolean[] known = new boolean[1];
        for (int i = 0; i < 300; i++)
        {
            final Thread thread = new Thread(() ->
            {
                known[0] = eal.registerThread();
                ThreadEnd.run();
            });
            thread.start();
            thread.join();
            assertTrue(known[0], "thread " + i);
        }
    }

    @Test
    void shouldTakeAnMtuThatFitsAndRefuseOneThatDoesNot()
    {
        allocate(2048, 1);
        final Port port = open("dpdk:net_ring0");
        port.start();
        port.adopt(0x0200_0000_0042L, port.mtu());
        final int mtu = port.mtu();
        port.adopt(port.macAddress(), mtu - 100);
        final PortException refusal = assertThrows(PortException.class, () -> port.adopt(port.macAddress(), 9000));
        assertTrue(refusal.getMessage().contains("an MTU of 9000 does not fit its frames"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("frame-size = 4096"), refusal.getMessage());
    }

    /** What a server that was killed left behind does not keep the next from starting, but a living one does. */
    @Test
    void shouldTakeTheSocketOfAServerThatIsGone() throws IOException
    {
        allocate(2048, 1);
        final Path socket = directory.resolve("memif.sock");
        final String device = "dpdk:net_memif0,role=server,id=0,socket=" + socket + ",socket-abstract=no";
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX))
        {
            server.bind(UnixDomainSocketAddress.of(socket));
            final PortException refusal = assertThrows(PortException.class, () -> open(device));
            assertTrue(refusal.getMessage().contains(
                "another process listens on " + socket + ": end it, or give another socket"), refusal.getMessage());
        }
        assertTrue(Files.exists(socket));
        open(device).start();
    }

    @Test
    void shouldCountAndFreeWhatDoesNotFitOneBuffer() throws IOException
    {
        allocate(2048, 1);
        final Port port = open("dpdk:net_pcap0,rx_pcap=" +
            write("in.pcap", List.of(frame(60, 1), frame(3000, 2), frame(1729, 3), frame(9000, 4), frame(90, 5))));
        port.start();

        assertEquals(2, port.rxQueue(0).receive(batch));

        assertEquals(60, batch.length(0));
        assertEquals(90, batch.length(1));
        assertEquals(3, port.deviceCounter(PortCounter.RX_DROPPED));
        release();
        assertNothingLost();
    }

    @Test
    void shouldLoseNoFrameOfMillionsDroppedOrSentOrMade()
    {
        allocate(2048, 1);
        final Port source = open("dpdk:net_null0,size=64");
        final Port sink = open("dpdk:net_null1,no-rx=1");
        source.start();
        sink.start();
        final FramePool pool = pools.get(0);
        for (int round = 0; round < 20_000; round++)
        {
            batch.clear();
            source.rxQueue(0).receive(batch);
            final int dropped = round % (batch.size() + 1);
            for (int i = 0; i < dropped; i++)
            {
                pool.release(batch.handle(i));
            }
            assertEquals(batch.size() - dropped, sink.txQueue(0).offer(batch, dropped, batch.size()));
            for (int i = 0; i < round % 40; i++)
            {
                final long chunk = pool.allocate();
                assertTrue(chunk != FramePool.NONE, "round " + round);
                assertTrue(sink.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, 60));
            }
            sink.txQueue(0).flush();
        }
        assertEquals(0, source.deviceCounter(PortCounter.RX_NO_BUFFER));
        assertNothingLost();
    }

    @Test
    void shouldServeOneQueueToEachWorker() throws InterruptedException
    {
        final int workers = 3;
        allocate(2048, workers);
        final Port source = open("dpdk:net_null0,size=64");
        final Port sink = open("dpdk:net_null1,no-rx=1");
        source.start();
        sink.start();
        final long[] forwarded = new long[workers];
        final List<Thread> threads = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++)
        {
            final int queue = worker;
            final Thread thread = new Thread(() -> forwarded[queue] = forward(source, sink, queue));
            threads.add(thread);
            thread.start();
        }
        for (final Thread thread : threads)
        {
            thread.join(TimeUnit.SECONDS.toMillis(20));
            assertFalse(thread.isAlive());
        }
        for (final long count : forwarded)
        {
            assertTrue(count > 100_000, "forwarded " + count);
        }
        assertNothingLost();
    }

    private long forward(final Port source, final Port sink, final int queue)
    {
        final FrameBatch mine = new FrameBatch();
        long count = 0;
        for (int round = 0; round < 5000; round++)
        {
            mine.clear();
            source.rxQueue(queue).receive(mine);
            final int taken = sink.txQueue(queue).offer(mine, 0, mine.size() - mine.size() / 8);
            for (int i = taken; i < mine.size(); i++)
            {
                pools.get(queue).release(mine.handle(i));
            }
            sink.txQueue(queue).flush();
            count += taken;
        }
        return count;
    }

    @Test
    void shouldOpenAndCloseAgainAndAgain()
    {
        allocate(2048, 1);
        for (int round = 0; round < 50; round++)
        {
            final Port port = open("dpdk:net_ring0");
            port.start();
            final long chunk = pools.get(0).allocate();
            assertTrue(port.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, 60));
            port.txQueue(0).flush();
            assertEquals(1, port.rxQueue(0).receive(batch), "round " + round);
            release();
            assertNothingLost();
        }
    }

    @Test
    void shouldGiveBackWhatNobodyTook()
    {
        allocate(2048, 1);
        final Port port = open("dpdk:net_ring0");
        int taken = 0;
        while (taken < RING)
        {
            final long chunk = pools.get(0).allocate();
            assertTrue(port.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, 60));
            taken++;
        }
        port.start();
        port.txQueue(0).flush();
        assertNothingLost();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "dpdk:net_nonsense0",
        "dpdk:net_pcap0,rx_pcap=/nowhere/at/all.pcap",
        "dpdk:net_af_packet0,iface=nosuchdevice",
        "dpdk:0000:7f:1f.7",
        "dpdk:net_memif0,role=nonsense"})
    void shouldSayInOneLineWhatIsWrongAndLeaveNothingBehind(final String device)
    {
        allocate(2048, 1);
        final PortException failure = assertThrows(PortException.class, () -> open(device));

        assertTrue(failure.getMessage().startsWith("port p (" + device + "): "), failure.getMessage());
        assertEquals(1, failure.getMessage().lines().count(), failure.getMessage());
        assertEquals(POOL, pools.get(0).available());
    }

    @Test
    void shouldRefuseADeviceThatAnotherPortHas()
    {
        allocate(2048, 1);
        open("dpdk:net_null0,size=64");
        final PortException failure = assertThrows(PortException.class, () -> open("dpdk:net_null0,size=128"));
        assertTrue(failure.getMessage().contains("in use by another port"), failure.getMessage());
        assertNothingLost();
    }

    @Test
    void shouldRefuseMoreWorkersThanTheDeviceHasQueues() throws IOException
    {
        allocate(2048, 2);
        final String device = "dpdk:net_pcap0,rx_pcap=" + write("in.pcap", List.of(frame(60, 1)));
        final PortException failure = assertThrows(PortException.class, () -> open(device));
        assertTrue(failure.getMessage().contains("set workers = 1"), failure.getMessage());
        assertNothingLost();
    }

    private void allocate(final int chunkSize, final int workers)
    {
        region = MemoryRegion.ofChunks(workers * POOL, chunkSize);
        for (int worker = 0; worker < workers; worker++)
        {
            pools.add(new FramePool(region, chunkSize, worker * POOL, POOL));
        }
    }

    private Port open(final String device)
    {
        final Port port = Ports.open(
            new PortRequest("p", device, ports.size(), pools, new PortSettings(RING, RING, 0, 64, true)));
        ports.add(port);
        return port;
    }

    private void release()
    {
        for (int i = 0; i < batch.size(); i++)
        {
            pools.get(0).release(batch.handle(i));
        }
        batch.clear();
    }

    private void closePorts()
    {
        ports.forEach(Port::close);
        ports.clear();
    }

    private void assertNothingLost()
    {
        closePorts();
        for (final FramePool pool : pools)
        {
            assertEquals(pool.capacity(), pool.available());
        }
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

    private Path write(final String name, final List<byte[]> frames) throws IOException
    {
        final ByteBuffer file = ByteBuffer.allocate(
            PCAP_HEADER + frames.stream().mapToInt(frame -> PCAP_RECORD + frame.length).sum());
        file.order(ByteOrder.LITTLE_ENDIAN)
            .putInt(0xA1B2C3D4).putShort((short)2).putShort((short)4).putInt(0).putInt(0).putInt(65535).putInt(1);
        for (final byte[] frame : frames)
        {
            file.putInt(0).putInt(0).putInt(frame.length).putInt(frame.length).put(frame);
        }
        return Files.write(directory.resolve(name), file.array());
    }

    private static List<byte[]> read(final Path file) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.position(PCAP_HEADER);
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
