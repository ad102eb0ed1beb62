package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.Eal;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.ThreadEnd;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.ConfigurableDevice;
import org.fibnuma.core.port.FlowControlAnswer;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.ByteBuffer;
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

/**
 * A DPDK port: frames and settings, refusals in one line that leave nothing open, and the return of every mbuf after
 * millions of frames, with several workers, and when a port is closed early and often.
 */
class DpdkPortTest
{
    /** Entries of a ring of DPDK's driver net_ring. */
    private static final int RING_OF_DRIVER = 1024;

    @TempDir
    private Path directory;

    private final DpdkTestRig rig = new DpdkTestRig();
    private final FrameBatch batch = new FrameBatch();

    @BeforeEach
    void requireDpdk()
    {
        RequireDpdk.libraries();
    }

    @AfterEach
    void close()
    {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {2048, 4096, 2368, 4416})
    void shouldSendReceivedFramesWhereTheyLie(final int chunkSize) throws IOException
    {
        rig.allocate(chunkSize, 1);
        final List<byte[]> frames = PcapFile.frames(60, 1514, 61, 777);
        final Path received = PcapFile.write(directory.resolve("in.pcap"), frames);
        final Path sent = directory.resolve("out.pcap");
        final Port in = rig.open("dpdk:net_pcap0,rx_pcap=" + received + ",tx_pcap=" + sent);
        in.start();
        assertEquals(frames.size(), in.rxQueue(0).receive(batch));
        for (int i = 0; i < batch.size(); i++)
        {
            final long first = rig.address() + (batch.handle(i) - rig.address()) / chunkSize * chunkSize;
            assertEquals(first, batch.handle(i), "the handle is the chunk");
            assertEquals(first, rig.pool(0).handleOf(batch.address(i)));
            assertEquals(frames.get(i).length, batch.length(i));
            FrameMemory.putByte(batch.address(i), 0x42);
        }
        batch.length(3, 700);
        assertEquals(batch.size(), in.txQueue(0).offer(batch, 0, batch.size()));
        in.txQueue(0).flush();
        rig.assertNothingLost();

        final List<byte[]> written = PcapFile.read(sent);
        assertEquals(frames.size(), written.size());
        for (int i = 0; i < frames.size(); i++)
        {
            final byte[] expected = Arrays.copyOf(frames.get(i), i == 3 ? 700 : frames.get(i).length);
            expected[0] = 0x42;
            assertArrayEquals(expected, written.get(i), "frame " + i);
        }
    }

    /** Batches of many frames go to the driver by the array of the receiving queue; a full ring takes a part of one. */
    @Test
    void shouldKeepTheOrderWhereTheDriverTakesAPartOfABatch() throws IOException
    {
        rig.allocate(2048, 1);
        final Port in = rig.open("dpdk:net_pcap0,rx_pcap=" +
            PcapFile.write(directory.resolve("in.pcap"), numberedFrames(2 * RING_OF_DRIVER)), RING_OF_DRIVER);
        final Port ring = rig.open("dpdk:net_ring0", RING_OF_DRIVER);
        in.start();
        ring.start();
        final List<Integer> sent = new ArrayList<>();
        while (in.rxQueue(0).receive(batch) > 0)
        {
            removeOne(batch, sent.size() % 2 == 0 ? 0 : batch.size() / 2);
            final int end = batch.size() - 1;
            final int taken = ring.txQueue(0).offer(batch, 0, end);
            for (int i = 0; i < taken; i++)
            {
                sent.add(number(batch, i));
            }
            for (int i = taken; i < end; i++)
            {
                rig.pool(0).release(batch.handle(i));
            }
            batch.clear();
        }
        assertTrue(sent.size() > RING_OF_DRIVER, "the driver's ring was never full: " + sent.size());
        final List<Integer> received = new ArrayList<>();
        while (ring.rxQueue(0).receive(batch) > 0)
        {
            for (int i = 0; i < batch.size(); i++)
            {
                received.add(number(batch, i));
            }
            rig.release(batch);
            ring.txQueue(0).flush();
        }
        assertEquals(sent, received);
        rig.assertNothingLost();
    }

    private static List<byte[]> numberedFrames(final int count)
    {
        final List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            frames.add(ByteBuffer.allocate(60).putInt(i).array());
        }
        return frames;
    }

    private static int number(final FrameBatch batch, final int i)
    {
        return FrameMemory.getIntBE(batch.address(i));
    }

    /** Releases one frame, and moves those behind it up by one place. */
    private void removeOne(final FrameBatch batch, final int place)
    {
        rig.pool(0).release(batch.handle(place));
        for (int i = place + 1; i < batch.size(); i++)
        {
            batch.move(i, i - 1);
        }
    }

    @Test
    void shouldCountAndFreeWhatDoesNotFitOneBuffer() throws IOException
    {
        rig.allocate(2048, 1);
        final Port port = rig.open("dpdk:net_pcap0,rx_pcap=" +
            PcapFile.write(directory.resolve("in.pcap"), PcapFile.frames(60, 3000, 1729, 9000, 90)));
        port.start();

        assertEquals(2, port.rxQueue(0).receive(batch));

        assertEquals(60, batch.length(0));
        assertEquals(90, batch.length(1));
        assertEquals(3, port.deviceCounter(PortCounter.RX_TRUNCATED));
        rig.release(batch);
        rig.assertNothingLost();
    }

    @Test
    void shouldTakeAnMtuThatFitsAndRefuseOneThatDoesNot()
    {
        rig.allocate(2048, 1);
        final Port port = rig.open("dpdk:net_ring0");
        port.start();
        final ConfigurableDevice device = port.capability(ConfigurableDevice.class).orElseThrow();
        device.adopt(0x0200_0000_0042L, port.mtu());
        final int mtu = port.mtu();
        device.adopt(port.macAddress(), mtu - 100);
        final UserException refusal = assertThrows(UserException.class, () -> device.adopt(port.macAddress(), 9000));
        assertTrue(refusal.getMessage().contains("an MTU of 9000 does not fit its frames"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("frame-size = 4096"), refusal.getMessage());
    }

    @Test
    void shouldSayThatAVirtualDeviceDoesNoFlowControl()
    {
        rig.allocate(2048, 1);
        final Port port = rig.open("dpdk:net_null0");
        port.start();
        final FlowControlAnswer refusal =
            FlowControlAnswer.notPossible("net_null0 cannot do flow control: Operation not supported");
        final ConfigurableDevice device = port.capability(ConfigurableDevice.class).orElseThrow();
        assertEquals(refusal, device.enableFlowControl(1 << 3));
        assertEquals(refusal, device.enableFlowControl(0));
        assertFalse(device.isFlowControlEnabled());
    }

    @Test
    void shouldLoseNoFrameOfMillionsDroppedOrSentOrMade()
    {
        rig.allocate(2048, 1);
        final Port source = rig.open("dpdk:net_null0,size=64");
        final Port sink = rig.open("dpdk:net_null1,no-rx=1");
        source.start();
        sink.start();
        final FramePool pool = rig.pool(0);
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
        rig.assertNothingLost();
    }

    @Test
    void shouldServeOneQueueToEachWorker() throws InterruptedException
    {
        final int workers = 3;
        rig.allocate(2048, workers);
        final Port source = rig.open("dpdk:net_null0,size=64");
        final Port sink = rig.open("dpdk:net_null1,no-rx=1");
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
        rig.assertNothingLost();
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
                rig.pool(queue).release(mine.handle(i));
            }
            sink.txQueue(queue).flush();
            count += taken;
        }
        return count;
    }

    @Test
    void shouldOpenAndCloseAgainAndAgain()
    {
        rig.allocate(2048, 1);
        for (int round = 0; round < 50; round++)
        {
            final Port port = rig.open("dpdk:net_ring0");
            port.start();
            final long chunk = rig.pool(0).allocate();
            assertTrue(port.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, 60));
            port.txQueue(0).flush();
            assertEquals(1, port.rxQueue(0).receive(batch), "round " + round);
            rig.release(batch);
            rig.assertNothingLost();
        }
    }

    @Test
    void shouldGiveBackWhatNobodyTook()
    {
        rig.allocate(2048, 1);
        final Port port = rig.open("dpdk:net_ring0");
        int taken = 0;
        while (taken < DpdkTestRig.RING)
        {
            final long chunk = rig.pool(0).allocate();
            assertTrue(port.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, 60));
            taken++;
        }
        port.start();
        port.txQueue(0).flush();
        rig.assertNothingLost();
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

    @ParameterizedTest
    @ValueSource(strings = {
        "dpdk:net_nonsense0",
        "dpdk:net_pcap0,rx_pcap=/nowhere/at/all.pcap",
        "dpdk:net_af_packet0,iface=nosuchdevice",
        "dpdk:0000:7f:1f.7",
        "dpdk:net_memif0,role=nonsense"})
    void shouldSayInOneLineWhatIsWrongAndLeaveNothingBehind(final String device)
    {
        rig.allocate(2048, 1);
        final UserException failure = assertThrows(UserException.class, () -> rig.open(device));

        assertTrue(failure.getMessage().startsWith("port p (" + device + "): "), failure.getMessage());
        assertEquals(1, failure.getMessage().lines().count(), failure.getMessage());
        assertEquals(DpdkTestRig.POOL, rig.pool(0).available());
    }

    @Test
    void shouldRefuseADeviceThatAnotherPortHas()
    {
        rig.allocate(2048, 1);
        rig.open("dpdk:net_null0,size=64");
        final UserException failure = assertThrows(UserException.class, () -> rig.open("dpdk:net_null0,size=128"));
        assertTrue(failure.getMessage().contains("in use by another port"), failure.getMessage());
        rig.assertNothingLost();
    }

    @Test
    void shouldRefuseMoreWorkersThanTheDeviceHasQueues() throws IOException
    {
        rig.allocate(2048, 2);
        final String device = "dpdk:net_pcap0,rx_pcap=" +
            PcapFile.write(directory.resolve("in.pcap"), PcapFile.frames(60));
        final UserException failure = assertThrows(UserException.class, () -> rig.open(device));
        assertTrue(failure.getMessage().contains("set workers = 1"), failure.getMessage());
        rig.assertNothingLost();
    }

    /** What a server that was killed left behind does not keep the next from starting, but a living one does. */
    @Test
    void shouldTakeTheSocketOfAServerThatIsGone() throws IOException
    {
        rig.allocate(2048, 1);
        final Path socket = directory.resolve("memif.sock");
        final String device = "dpdk:net_memif0,role=server,id=0,socket=" + socket + ",socket-abstract=no";
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX))
        {
            server.bind(UnixDomainSocketAddress.of(socket));
            final UserException refusal = assertThrows(UserException.class, () -> rig.open(device));
            assertTrue(refusal.getMessage().contains(
                "another process listens on " + socket + ": end it, or give another socket"), refusal.getMessage());
        }
        assertTrue(Files.exists(socket));
        rig.open(device).start();
    }
}
