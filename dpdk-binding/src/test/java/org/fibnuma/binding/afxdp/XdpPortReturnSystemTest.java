package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.netdevice.PacketSocket;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.port.Reattachable;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.fibnuma.binding.afxdp.VethPair.FAR;
import static org.fibnuma.binding.afxdp.VethPair.NEAR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A port whose interface is deleted, made again, renamed or given another address. This thread is its worker too. */
class XdpPortReturnSystemTest
{
    private static final int CHUNK_SIZE = 2048;
    private static final int CHUNKS = 512;
    private static final int BURST = 40;
    private static final int SILENCE_MS = 200;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final PortSettings SETTINGS = new PortSettings(64, 64, 0, 64, true);

    private final MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, CHUNK_SIZE);
    private final FramePool pool = new FramePool(region, CHUNK_SIZE, 0, CHUNKS);
    private final MemoryRegion otherRegion = MemoryRegion.ofChunks(CHUNKS, CHUNK_SIZE);
    private final FramePool otherPool = new FramePool(otherRegion, CHUNK_SIZE, 0, CHUNKS);
    private VethPair veth;

    @BeforeEach
    void makeVeth() throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        veth = new VethPair(1);
    }

    @AfterEach
    void cleanUp()
    {
        region.close();
        otherRegion.close();
        if (veth != null)
        {
            veth.close();
        }
    }

    @Test
    void shouldTakeUpItsInterfaceAgainAndAgain() throws IOException
    {
        final Port port = openPort();
        shared(port).localAddress(IpAddress.parse("203.0.113.7"), true);
        port.start();
        for (int i = 0; i < 5; i++)
        {
            assertCarriesFrames(port);
            final int index = port.interfaceIndex();
            // In the rings when the interface goes: received and not read, offered and not sent.
            sendFromFar(port, BURST);
            offer(port, BURST);
            delete();
            assertTrue(port.removed());
            assertFalse(port.linkUp());
            assertEquals(BURST, afterAWhile(port), "what had come in before");
            assertEquals(0, offer(port, 1) + afterAWhile(port), "without an interface");
            assertEquals(CHUNKS, pool.available());

            veth.connect(1);
            reattach(port);
            assertNotEquals(index, port.interfaceIndex());
            assertEquals(macOfNear(), MacAddress.format(port.macAddress()));
        }
        assertCarriesFrames(port);
        assertEquals(0, receive(port, () -> sendFromFar(port, "203.0.113.7", 5), 0), "still this host's");
        port.close();
        assertEquals(CHUNKS, pool.available());
    }

    @Test
    void shouldGiveUpItsInterfaceUntilItIsAttachedAgain() throws IOException
    {
        try (Port port = openPort())
        {
            port.start();
            for (int i = 0; i < 5; i++)
            {
                assertCarriesFrames(port);
                sendFromFar(port, BURST);
                reattachable(port).detach();
                assertTrue(reattachable(port).isDetached() && port.removed() && !port.linkUp());
                sendFromFar(port, BURST);
                int received = 0;
                while (!reattachable(port).isAway())
                {
                    assertFalse(NetworkNamespace.call(VethPair.namespace(NEAR), reattachable(port)::reattach));
                    received += work(port);
                }
                work(port);
                assertEquals(BURST, received, "what had come in before");
                assertFalse(VethPair.in(NEAR, "ip", "link", "show", NEAR).contains("xdp"));
                assertEquals(CHUNKS, pool.available());
                assertFalse(reattachable(port).reattach());
                reattachable(port).attach();
                reattach(port);
                assertFalse(reattachable(port).isDetached() || port.removed());
            }
            assertCarriesFrames(port);
        }
        assertEquals(CHUNKS, pool.available());
    }

    @Test
    void shouldFollowAnInterfaceThatHasTheSameIndexAsBefore() throws IOException
    {
        try (Port port = openPort())
        {
            port.start();
            final String index = Integer.toString(port.interfaceIndex());
            delete();
            VethPair.in(NEAR, "ip", "link", "add", NEAR, "index", index, "type", "veth", "peer", "name", FAR, "netns",
                VethPair.namespace(FAR));
            VethPair.in(NEAR, "ip", "link", "set", NEAR, "up");
            VethPair.in(FAR, "ip", "link", "set", FAR, "up");
            assertTrue(port.removed());
            reattach(port);
            assertEquals(index, Integer.toString(port.interfaceIndex()));
            assertCarriesFrames(port);
        }
    }

    @Test
    void shouldSayWhatIsInTheWayAndTryAgain() throws IOException
    {
        try (Port port = openPort())
        {
            port.start();
            delete();
            while (reattachable(port).reattach() || pool.available() < CHUNKS)
            {
                work(port);
            }
            veth.connect(1);
            VethPair.in(NEAR, "ip", "link", "set", NEAR, "down");
            assertEquals("port near (xdp:near): the interface is down: ip link set near up",
                assertThrows(UserException.class,
                    () -> NetworkNamespace.call(VethPair.namespace(NEAR), reattachable(port)::reattach)).getMessage());
            VethPair.in(NEAR, "ip", "link", "set", NEAR, "up");
            try (Port other = openOther())
            {
                assertEquals("another", other.name());
                final UserException refusal = assertThrows(UserException.class, () -> reattach(port));
                assertTrue(refusal.getMessage().contains("queue 0 is in use"), refusal.getMessage());
            }
            reattach(port);
            assertCarriesFrames(port);
        }
        assertEquals(CHUNKS, pool.available());
    }

    /** The sockets and the program stay on an interface whatever its name. */
    @Test
    void shouldKeepAnInterfaceThatIsRenamed() throws IOException
    {
        try (Port port = openPort())
        {
            port.start();
            VethPair.in(NEAR, "ip", "link", "set", NEAR, "down");
            VethPair.in(NEAR, "ip", "link", "set", NEAR, "name", "other");
            assertFalse(port.linkUp());
            VethPair.in(NEAR, "ip", "link", "set", "other", "address", "02:00:00:00:12:34");
            VethPair.in(NEAR, "ip", "link", "set", "other", "up");
            final long start = System.nanoTime();
            while (!port.linkUp())
            {
                assertTrue(System.nanoTime() - start < PATIENCE_NS, "no link");
                work(port);
            }
            assertTrue(shared(port).followAddress());
            assertEquals("02:00:00:00:12:34", MacAddress.format(port.macAddress()));
            assertCarriesFrames(port);

            VethPair.in(NEAR, "ip", "link", "add", NEAR, "type", "veth", "peer", "name", "unused");
            assertFalse(port.removed());
            VethPair.in(NEAR, "ip", "link", "delete", "other");
            assertTrue(port.removed());
            VethPair.in(NEAR, "ip", "link", "delete", NEAR);
            afterAWhile(port);
            assertEquals(CHUNKS, pool.available());
            veth.connect(1);
            reattach(port);
            assertCarriesFrames(port);
        }
        assertEquals(CHUNKS, pool.available());
    }

    @Test
    void shouldTakeFramesToTheAddressThatTheInterfaceIsGiven() throws IOException
    {
        try (Port port = openPort())
        {
            port.start();
            assertCarriesFrames(port);
            VethPair.in(NEAR, "ip", "link", "set", NEAR, "address", "02:00:00:00:12:34");
            assertTrue(shared(port).followAddress());
            assertFalse(shared(port).followAddress());
            assertEquals("02:00:00:00:12:34", MacAddress.format(port.macAddress()));
            assertCarriesFrames(port);
        }
    }

    private void assertCarriesFrames(final Port port)
    {
        assertEquals(BURST, receive(port, () -> sendFromFar(port, BURST), BURST));
        try (PacketSocket wire = new PacketSocket(VethPair.namespace(FAR), FAR))
        {
            assertEquals(BURST, offer(port, BURST));
            port.txQueue(0).flush();
            assertEquals(BURST, wire.receive(SILENCE_MS).stream().filter(frame -> frame.length == 60).count());
        }
    }

    private void delete() throws IOException
    {
        VethPair.in(NEAR, "ip", "link", "delete", NEAR);
    }

    private void reattach(final Port port)
    {
        final long start = System.nanoTime();
        while (!NetworkNamespace.call(VethPair.namespace(NEAR), reattachable(port)::reattach))
        {
            assertTrue(System.nanoTime() - start < PATIENCE_NS, "is not taken up");
            work(port);
        }
        work(port);
    }

    /** What a port without an interface receives while both sides take their steps. */
    private int afterAWhile(final Port port)
    {
        int received = 0;
        for (int i = 0; i < 20; i++)
        {
            reattachable(port).reattach();
            received += work(port);
        }
        return received;
    }

    private int work(final Port port)
    {
        final FrameBatch batch = new FrameBatch();
        final int received = port.rxQueue(0).receive(batch);
        for (int i = 0; i < received; i++)
        {
            pool.release(batch.handle(i));
        }
        port.txQueue(0).flush();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        return received;
    }

    private int receive(final Port port, final Runnable sender, final int count)
    {
        work(port);
        sender.run();
        final long start = System.nanoTime();
        int received = 0;
        while (count == 0 ? System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(SILENCE_MS) :
            received < count && System.nanoTime() - start < PATIENCE_NS)
        {
            received += work(port);
        }
        return received;
    }

    private int offer(final Port port, final int count)
    {
        final byte[] frame = HexFormat.of().parseHex("020000000001" + frame(port, "198.51.100.1").substring(12));
        int taken = 0;
        for (int i = 0; i < count; i++)
        {
            final long chunk = pool.allocate();
            FrameMemory.putBytes(chunk, frame);
            if (port.txQueue(0).offer(chunk, chunk, frame.length))
            {
                taken++;
            }
            else
            {
                pool.release(chunk);
            }
        }
        return taken;
    }

    private void sendFromFar(final Port port, final int count)
    {
        sendFromFar(port, "203.0.113.1", count);
    }

    private void sendFromFar(final Port port, final String destination, final int count)
    {
        try (PacketSocket wire = new PacketSocket(VethPair.namespace(FAR), FAR))
        {
            for (int i = 0; i < count; i++)
            {
                wire.send(HexFormat.of().parseHex(frame(port, destination)));
            }
        }
    }

    private static String frame(final Port port, final String destination)
    {
        return String.format("%012x", port.macAddress()) + "020000000099" + "0800" +
            "4500002e00000000401100000a4d0002" + String.format("%08x", Ipv4Address.parse(destination)) +
            "1000200000" + "1a00".repeat(10) + "00";
    }

    private static String macOfNear() throws IOException
    {
        return VethPair.in(NEAR, "cat", "/sys/class/net/" + NEAR + "/address").strip();
    }

    private static SharedInterface shared(final Port port)
    {
        return port.capability(SharedInterface.class).orElseThrow();
    }

    private static Reattachable reattachable(final Port port)
    {
        return port.capability(Reattachable.class).orElseThrow();
    }

    private Port openPort()
    {
        return NetworkNamespace.call(VethPair.namespace(NEAR), () -> Ports.open(
            new PortRequest(NEAR, "xdp:" + NEAR, 0, List.of(pool), SETTINGS)));
    }

    private Port openOther()
    {
        return NetworkNamespace.call(VethPair.namespace(NEAR), () -> Ports.open(new PortRequest(
            "another", "xdp:" + NEAR, 0, List.of(otherPool), SETTINGS)));
    }
}
