package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.bpf.BpfLiveRun;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.binding.netdevice.PacketSocket;
import org.fibnuma.core.Require;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.KernelEntry;
import org.fibnuma.core.port.KernelQueue;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortFilter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import static org.fibnuma.binding.afxdp.VethPair.FAR;
import static org.fibnuma.binding.afxdp.VethPair.NEAR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Frames that a worker gives to the kernel, seen by the kernel on the interface of the port. */
class XdpKernelQueueSystemTest
{
    private static final int CHUNK_SIZE = 2048;
    private static final int POOL_SIZE = 1024;
    private static final PortSettings SETTINGS = new PortSettings(64, 64, 0, 64, true);
    private static final int SILENCE_MS = 200;
    private static final int EXPERIMENTAL_ETHER_TYPE = 0x88B5;

    private final MemoryRegion region = MemoryRegion.ofChunks(2 * POOL_SIZE, CHUNK_SIZE);
    private final List<FramePool> pools = List.of(
        new FramePool(region, CHUNK_SIZE, 0, POOL_SIZE), new FramePool(region, CHUNK_SIZE, POOL_SIZE, POOL_SIZE));
    private VethPair veth;

    @BeforeEach
    void prepare() throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        veth = new VethPair(2);
    }

    @AfterEach
    void cleanUp()
    {
        region.close();
        if (veth != null)
        {
            veth.close();
        }
    }

    @Test
    void shouldPassFramesOfEveryLengthInOrder()
    {
        try (Port port = open(NEAR);
            PacketSocket near = new PacketSocket(VethPair.namespace(NEAR), NEAR))
        {
            port.start();
            final List<String> punted = new ArrayList<>();
            int sequence = 0;
            for (final int count : new int[]{1, 2, 17, 256, 300, 1})
            {
                for (int queue = 0; queue < 2; queue++)
                {
                    final List<byte[]> burst = new ArrayList<>();
                    for (int i = 0; i < count; i++)
                    {
                        burst.add(frame(14 + sequence * 13 % 1501, sequence++));
                    }
                    punt(port, queue, burst);
                    burst.forEach(frame -> punted.add(HexFormat.of().formatHex(frame)));
                    assertEquals(POOL_SIZE - XdpSocket.fillSize(SETTINGS), pools.get(queue).available());
                }
            }
            punt(port, 0, List.of(frame(1514, 1)));
            punted.add(HexFormat.of().formatHex(frame(1514, 1)));

            assertEquals(punted, received(near));
            assertEquals(0, port.deviceCounter(PortCounter.TX_INVALID));
        }
    }

    /** The program would take these frames if they came from the wire. */
    @Test
    void shouldPassTransitToTheKernelAndNotToTheSocketAgain()
    {
        try (Port port = open(NEAR);
            PacketSocket near = new PacketSocket(VethPair.namespace(NEAR), NEAR);
            PacketSocket wire = new PacketSocket(VethPair.namespace(FAR), FAR))
        {
            port.start();
            final String header = String.format("%012x", port.macAddress()) + "020000000099";
            final String ipv4 = "0800" + "4500002e00000000401100000a4d0002" + "cb007101" + "1000200000" +
                "1a00".repeat(12) + "00";
            punt(port, 0, List.of(HexFormat.of().parseHex(header + ipv4)));
            punt(port, 1, List.of(HexFormat.of().parseHex(header + "8100f064" + ipv4)));

            // AF_PACKET takes a VLAN tag out of the frame.
            assertEquals(List.of(header + ipv4, header + ipv4), received(near));
            final FrameBatch batch = new FrameBatch();
            assertEquals(0, port.rxQueue(0).receive(batch) + port.rxQueue(1).receive(batch));

            wire.send(HexFormat.of().parseHex(header + ipv4));
            assertEquals(List.of(), received(near));
            assertEquals(1, port.rxQueue(0).receive(batch) + port.rxQueue(1).receive(batch));
        }
    }

    /** Another program may redirect frames with metadata of its own to this interface. */
    @Test
    void shouldTellBlankFramesByTheirMetadata()
    {
        final NetworkDevice device = NetworkNamespace.call(VethPair.namespace(NEAR), () -> NetworkDevice.read(NEAR));
        try (PuntProgram punt = new PuntProgram(1);
            InterfaceRecognition interfaces =
                new InterfaceRecognition(device.macAddress(), 0, PortFilter.TRANSIT);
            TransitProgram program = new TransitProgram(interfaces, 1, null, punt, PortFilter.TRANSIT);
            PacketSocket near = new PacketSocket(VethPair.namespace(NEAR), NEAR))
        {
            final byte[] blank = frame(BurstLayout.INITIAL_LENGTH, 77);
            final byte[] foreign = punt.metadata();
            foreign[0]++;
            for (final byte[] metadata : new byte[][]{{}, foreign, new byte[Long.BYTES], punt.metadata()})
            {
                try (LiveBurst burst = new LiveBurst(
                    new BpfLiveRun(program.program(), blank, metadata, device.index(), 64), punt.address(0)))
                {
                    final byte[] frame = frame(100, 5);
                    final long chunk = pools.get(0).allocate();
                    FrameMemory.putBytes(chunk, frame);
                    burst.add(chunk, frame.length);
                    pools.get(0).release(chunk);
                    NetworkNamespace.call(VethPair.namespace(NEAR), burst::handle);
                }
            }
            final String passed = HexFormat.of().formatHex(blank);
            assertEquals(List.of(passed, passed, passed, HexFormat.of().formatHex(frame(100, 5))), received(near));
        }
    }

    /** The kernel would run the program on such a frame again. */
    @Test
    void shouldTakeNoFrameInGenericMode() throws IOException
    {
        VethPair.in(NEAR, "ip", "link", "add", "link", NEAR, "name", "mac0", "type", "macvlan");
        VethPair.in(NEAR, "ip", "link", "set", "mac0", "up");
        try (Port port = NetworkNamespace.call(VethPair.namespace(NEAR), () -> Ports.open(
            new PortRequest("mac0", "xdp:mac0", 0, List.of(pools.get(0)), SETTINGS))))
        {
            port.start();
            assertEquals("copy, generic", port.mode());
            assertFalse(kernelQueue(port, 0).takes(60));
            final long chunk = pools.get(0).allocate();
            assertFalse(kernelQueue(port, 0).offer(chunk, chunk, 60));
            pools.get(0).release(chunk);
        }
    }

    @Test
    void shouldTakeFramesThatFitARecord()
    {
        try (Port port = open(NEAR))
        {
            final KernelQueue queue = kernelQueue(port, 1);
            assertFalse(queue.takes(13));
            assertTrue(queue.takes(14));
            assertTrue(queue.takes(2040));
            assertFalse(queue.takes(2041));
        }
    }

    @Test
    void shouldCountFramesOfADeletedInterface() throws IOException
    {
        try (Port port = open(NEAR))
        {
            port.start();
            VethPair.in(NEAR, "ip", "link", "delete", NEAR);
            punt(port, 0, List.of(frame(60, 1), frame(60, 2)));
            assertEquals(2, port.deviceCounter(PortCounter.TX_INVALID));
            punt(port, 0, List.of(frame(60, 3)));
            assertEquals(3, port.deviceCounter(PortCounter.TX_INVALID));
        }
    }

    @Test
    void shouldAllocateNothing()
    {
        try (Port port = open(NEAR))
        {
            port.start();
            final List<byte[]> frames = List.of(frame(60, 1), frame(1514, 2));
            NetworkNamespace.call(VethPair.namespace(NEAR), () ->
            {
                repeat(port, frames, 5000);
                final var threads = (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
                final long before = threads.getCurrentThreadAllocatedBytes();
                repeat(port, frames, 5000);
                final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
                assertTrue(allocated < 1000, allocated + " bytes");
                return null;
            });
        }
    }

    private void repeat(final Port port, final List<byte[]> frames, final int times)
    {
        final KernelQueue queue = kernelQueue(port, 0);
        for (int i = 0; i < times; i++)
        {
            for (int j = 0; j < frames.size(); j++)
            {
                offer(queue, 0, frames.get(j));
            }
            queue.flush();
        }
    }

    private void punt(final Port port, final int queue, final List<byte[]> frames)
    {
        final KernelQueue kernelQueue = kernelQueue(port, queue);
        NetworkNamespace.call(VethPair.namespace(NEAR), () ->
        {
            frames.forEach(frame -> offer(kernelQueue, queue, frame));
            kernelQueue.flush();
            return null;
        });
    }

    private void offer(final KernelQueue queue, final int pool, final byte[] frame)
    {
        final long chunk = pools.get(pool).allocate();
        FrameMemory.putBytes(chunk + FramePool.HEADROOM, frame);
        assertTrue(queue.offer(chunk, chunk + FramePool.HEADROOM, frame.length));
    }

    private static KernelQueue kernelQueue(final Port port, final int queue)
    {
        return port.capability(KernelEntry.class).orElseThrow().kernelQueue(queue);
    }

    private Port open(final String end)
    {
        return NetworkNamespace.call(VethPair.namespace(end), () -> Ports.open(
            new PortRequest(end, "xdp:" + end, 0, pools, SETTINGS)));
    }

    private static List<String> received(final PacketSocket socket)
    {
        return socket.receive(SILENCE_MS).stream().map(HexFormat.of()::formatHex).toList();
    }

    private static byte[] frame(final int length, final int sequence)
    {
        final ByteBuffer frame = ByteBuffer.allocate(length);
        frame.putShort((short)0x0200).putInt(0x0000_0001).putShort((short)0x0200).putInt(0x0000_0002);
        frame.putShort((short)EXPERIMENTAL_ETHER_TYPE);
        while (frame.remaining() >= Integer.BYTES)
        {
            frame.putInt(sequence * 7919 + frame.position());
        }
        return frame.array();
    }
}
