package org.fibnuma.binding.tun;

import org.fibnuma.binding.libc.KernelVariable;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Packets reach a UDP socket of the kernel from a sender that only an unrelated route leads to. */
class TunPortSystemTest
{
    private static final String NAMESPACE = "fibnuma-tun-" + ProcessHandle.current().pid();
    private static final int UDP_PORT = 4242;

    private final MemoryRegion region = MemoryRegion.ofChunks(16, 2048);
    private final FramePool pool = new FramePool(region, 2048, 0, 16);

    @BeforeAll
    static void requireNamespaces()
    {
        Require.root();
        Require.program("ip", "iproute2");
    }

    @BeforeEach
    void makeNamespace() throws Exception
    {
        assertEquals(0, run("ip", "netns", "add", NAMESPACE));
        assertEquals(0, run("ip", "-n", NAMESPACE, "link", "set", "lo", "up"));
        assertEquals(0, run("ip", "-n", NAMESPACE, "address", "add", "10.9.9.9/32", "dev", "lo"));
        assertEquals(0, run("ip", "-n", NAMESPACE, "route", "add", "default", "dev", "lo"));
    }

    @AfterEach
    void removeNamespace() throws Exception
    {
        region.close();
        run("ip", "netns", "delete", NAMESPACE);
    }

    @Test
    void shouldGivePacketsToTheKernelAndChunksToThePool() throws Exception
    {
        checkDelivery();
    }

    @Test
    void shouldGivePacketsToAKernelThatFiltersStrictly() throws Exception
    {
        KernelVariable.set(NAMESPACE, "ipv4.conf.all.rp_filter", "1");
        checkDelivery();
    }

    @Test
    void shouldRemoveTheInterfaceOnClose() throws Exception
    {
        open("fib0").close();

        assertEquals(0, NetworkNamespace.call(NAMESPACE, () -> LibC.get().if_nametoindex("fib0")));
        open("fib0").close();
    }

    @Test
    void shouldSayThatTheNameIsTaken()
    {
        final UserException ex = assertThrows(UserException.class, () -> open("lo"));

        assertEquals("port punt (tun:lo): an interface of this name is there already; give another name",
            ex.getMessage());
    }

    private void checkDelivery() throws Exception
    {
        final Port port = open("fib0");
        final DatagramSocket socket = NetworkNamespace.call(NAMESPACE, TunPortSystemTest::bind);
        try (port; socket)
        {
            assertEquals(0, port.rxQueue(0).receive(new FrameBatch()));
            port.start();
            offer(port, packet("hello"));
            offer(port, new byte[60]);
            port.txQueue(0).flush();

            final DatagramPacket received = new DatagramPacket(new byte[100], 100);
            socket.receive(received);
            assertEquals("hello", new String(received.getData(), 0, received.getLength()));
            assertEquals("203.0.113.5", received.getAddress().getHostAddress());
            assertEquals(1, port.deviceCounter(PortCounter.TX_INVALID));
            assertEquals(pool.capacity(), pool.available());
        }
    }

    private static DatagramSocket bind()
    {
        try
        {
            final DatagramSocket socket = new DatagramSocket(UDP_PORT, InetAddress.getByName("10.9.9.9"));
            socket.setSoTimeout(5000);
            return socket;
        }
        catch (final SocketException | UnknownHostException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private Port open(final String name)
    {
        return NetworkNamespace.call(NAMESPACE, () -> Ports.open(
            new PortRequest("punt", "tun:" + name, 9, List.of(pool), PortSettings.DEFAULT)));
    }

    private void offer(final Port port, final byte[] frame)
    {
        final long chunk = pool.allocate();
        FrameMemory.putBytes(chunk + FramePool.HEADROOM, frame);
        assertTrue(port.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, frame.length));
    }

    /** Ethernet, IPv4 203.0.113.5 to 10.9.9.9, UDP without checksum, padded to the shortest frame. */
    private byte[] packet(final String text)
    {
        final ByteBuffer frame = ByteBuffer.allocate(60);
        frame.position(12);
        frame.putShort((short)0x0800);
        frame.putInt(0x4500_0000 | 28 + text.length()).putInt(0).putInt(0x4011_0000)
            .putInt(0xCB00_7105).putInt(0x0A09_0909);
        frame.putShort((short)UDP_PORT).putShort((short)UDP_PORT)
            .putShort((short)(8 + text.length())).putShort((short)0);
        frame.put(text.getBytes());
        int sum = 0;
        for (int i = 14; i < 34; i += Short.BYTES)
        {
            sum += frame.getShort(i) & 0xFFFF;
        }
        frame.putShort(24, (short)~((sum & 0xFFFF) + (sum >>> 16)));
        return frame.array();
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        return new ProcessBuilder(command)
            .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    }
}
