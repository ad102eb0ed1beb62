package org.fibnuma.binding.tun;

import com.sun.management.ThreadMXBean;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The kernel's end of a TAP interface, as {@code ip} shows it, and the kernel's own ARP over it. */
class TapPortSystemTest
{
    private static final String MAC = "02:00:00:00:00:01";
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final MemoryRegion region = MemoryRegion.ofChunks(32, 2048);
    private final FramePool pool = new FramePool(region, 2048, 0, 16);
    private final FramePool otherPool = new FramePool(region, 2048, 16, 16);
    private final FrameBatch batch = new FrameBatch();
    private TestNamespace namespace;

    @BeforeEach
    void makeNamespace() throws Exception
    {
        Require.root();
        Require.program("ip", "iproute2");
        namespace = new TestNamespace();
    }

    @AfterEach
    void removeNamespace()
    {
        region.close();
        if (namespace != null)
        {
            namespace.close();
        }
    }

    @Test
    void shouldShowTheKernelTheRepresentedPort()
    {
        try (KernelPort port = open("fib0"))
        {
            assertFalse(link("fib0").contains(",UP"), () -> link("fib0"));
            namespace.exec("/usr/bin/env", "bash", "-c", "echo 0 >/proc/sys/net/ipv6/conf/fib0/disable_ipv6");
            NetworkNamespace.call(namespace.name(), () ->
            {
                port.represent(MacAddress.parse(MAC), 1400);
                port.address(IpAddress.parse("10.9.0.1"), 24);
                port.address(IpAddress.parse("10.9.1.1"), 31);
                port.address(IpAddress.parse("2001:db8:9::1"), 64);
                port.address(IpAddress.parse("2001:db8:9::1"), 64);
                port.address(IpAddress.parse("fe80::9"), 64);
                return null;
            });
            port.start();
            assertTrue(link("fib0").contains("mtu 1400"), () -> link("fib0"));
            assertTrue(link("fib0").contains(MAC), () -> link("fib0"));
            assertTrue(link("fib0").contains(",UP,LOWER_UP>"), () -> link("fib0"));
            final String addresses = namespace.exec("ip", "address", "show", "dev", "fib0");
            assertTrue(addresses.contains("10.9.0.1/24") && addresses.contains("10.9.1.1/31"), addresses);
            assertTrue(addresses.contains("2001:db8:9::1/64") && addresses.contains("fe80::9/64"), addresses);
            assertEquals(1400, port.mtu());
            port.carrier(false);
            assertTrue(link("fib0").contains("NO-CARRIER"), () -> link("fib0"));
            port.carrier(true);
            assertTrue(link("fib0").contains("LOWER_UP"), () -> link("fib0"));
        }
    }

    /** The kernel answers a request that comes in by the port, and the answer leaves by the port. */
    @Test
    void shouldLetTheKernelAnswerArp()
    {
        try (KernelPort port = open("fib0"))
        {
            NetworkNamespace.call(namespace.name(), () ->
            {
                port.represent(MacAddress.parse(MAC), 1500);
                port.address(IpAddress.parse("10.9.0.1"), 24);
                return null;
            });
            port.start();
            send(port, "ffffffffffff" + "020000000002" + "0806" + "0001080006040001" +
                "020000000002" + "0a090002" + "000000000000" + "0a090001");
            final String answer = "020000000002" + "020000000001" + "0806" + "0001080006040002" +
                "020000000001" + "0a090001" + "020000000002" + "0a090002";
            final List<String> received = new ArrayList<>();
            final long deadline = System.nanoTime() + PATIENCE_NS;
            while (!received.contains(answer))
            {
                assertTrue(System.nanoTime() < deadline, () -> "received only " + received);
                receive(port, received);
            }
            assertEquals(pool.capacity(), pool.available());
        }
    }

    /** A process that had the interface before took partial checksums; the kernel completes them for the port. */
    @Test
    void shouldReceiveCompleteChecksumsByAnInterfaceThatWasThere()
    {
        Require.program("python3", "python3");
        namespace.exec("ip", "tuntap", "add", "fib0", "mode", "tap", "multi_queue");
        namespace.exec("python3", "-c", """
            import fcntl, os, struct
            tap = os.open('/dev/net/tun', os.O_RDWR)
            TAP, MULTI_QUEUE, NO_PI, VNET_HDR = 0x2, 0x100, 0x1000, 0x4000
            fcntl.ioctl(tap, 0x400454CA, struct.pack('16sH22x', b'fib0', TAP | MULTI_QUEUE | NO_PI | VNET_HDR))
            CSUM, TSO4 = 1, 2
            fcntl.ioctl(tap, 0x400454D0, CSUM | TSO4)
            """);
        try (KernelPort port = open("fib0"))
        {
            namespace.exec("ip", "address", "add", "10.9.0.1/24", "dev", "fib0");
            namespace.exec("ip", "neighbor", "add", "10.9.0.2", "lladdr", MAC, "dev", "fib0");
            port.start();
            namespace.exec("/usr/bin/env", "bash", "-c", "echo -n data >/dev/udp/10.9.0.2/9");
            final List<String> received = new ArrayList<>();
            final long deadline = System.nanoTime() + PATIENCE_NS;
            while (received.isEmpty())
            {
                assertTrue(System.nanoTime() < deadline, "received nothing");
                receive(port, received);
            }
            // Both addresses and the datagram, protocol and length: modulo 65,535, as each word counts 2^16 = 1 there.
            final BigInteger sum = new BigInteger(received.get(0).substring(2 * (14 + 12)), 16)
                .add(BigInteger.valueOf(17 + 12));
            assertEquals(BigInteger.ZERO, sum.mod(BigInteger.valueOf(0xFFFF)), received::toString);
        }
    }

    @Test
    void shouldCountWhatItCannotCarry()
    {
        try (KernelPort port = open("fib0"))
        {
            port.start();
            send(port, "0200000000");
            assertEquals(1, port.deviceCounter(PortCounter.TX_INVALID));
            namespace.exec("ip", "link", "set", "fib0", "mtu", "3000");
            namespace.exec("ip", "address", "add", "10.9.0.1/24", "dev", "fib0");
            namespace.exec("ip", "neighbor", "add", "10.9.0.2", "lladdr", MAC, "dev", "fib0");
            namespace.exec("/usr/bin/env", "bash", "-c", "head -c 2500 /dev/zero >/dev/udp/10.9.0.2/9");
            final List<String> received = new ArrayList<>();
            final long deadline = System.nanoTime() + PATIENCE_NS;
            while (port.deviceCounter(PortCounter.RX_DROPPED) == 0)
            {
                assertTrue(System.nanoTime() < deadline, "never counted");
                receive(port, received);
            }
            assertEquals(List.of(), received);
            assertEquals(pool.capacity(), pool.available());
        }
    }

    /** A worker's calls, with and without a frame for them. */
    @Test
    void shouldAllocateNothing()
    {
        try (KernelPort port = open("fib0"))
        {
            port.start();
            final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
            long allocated = Long.MAX_VALUE;
            for (int attempt = 0; attempt < 10 && allocated != 0; attempt++)
            {
                final long start = threads.getCurrentThreadAllocatedBytes();
                exchange(port, 5000);
                allocated = threads.getCurrentThreadAllocatedBytes() - start;
            }
            assertEquals(0, allocated, "bytes allocated");
            assertEquals(pool.capacity(), pool.available());
        }
    }

    private void exchange(final KernelPort port, final int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            final long chunk = pool.allocate();
            assertTrue(port.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, 60));
            port.txQueue(0).flush();
            batch.clear();
            port.rxQueue(0).receive(batch);
            for (int frame = 0; frame < batch.size(); frame++)
            {
                pool.release(batch.handle(frame));
            }
        }
    }

    @Test
    void shouldRemoveTheInterfaceOnClose()
    {
        open("fib0").close();
        assertFalse(namespace.exec("ip", "link").contains("fib0"));
        open("fib0").close();
    }

    /** As an operator makes it who wants its addresses to outlive the router. */
    @Test
    void shouldUseAnInterfaceThatIsThereAndLeaveItThere()
    {
        namespace.exec("ip", "tuntap", "add", "dev", "fib0", "mode", "tap", "multi_queue");
        namespace.exec("ip", "link", "set", "fib0", "mtu", "1000");
        namespace.exec("ip", "address", "add", "10.9.0.1/24", "dev", "fib0");
        final KernelPort port = open("fib0");
        port.represent(MacAddress.parse(MAC), 1500);
        port.start();
        assertEquals(1000, port.mtu());
        assertTrue(link("fib0").contains(MAC), () -> link("fib0"));
        port.represent(0, 900);
        assertEquals(900, port.mtu());
        assertTrue(link("fib0").contains("mtu 900"), () -> link("fib0"));
        port.close();
        assertTrue(namespace.exec("ip", "address").contains("10.9.0.1/24"));
    }

    @Test
    void shouldHaveAQueueForEachWorker()
    {
        final KernelPort port = open(new PortRequest("x", "tap:fib0", 0, List.of(pool, otherPool),
            PortSettings.DEFAULT));
        assertEquals(2, port.queueCount());
        port.start();
        assertEquals(0, port.rxQueue(1).receive(new FrameBatch()));
        port.close();
    }

    @Test
    void shouldSayThatTheNameIsTaken()
    {
        try (KernelPort first = open("fib0"))
        {
            assertTrue(first.interfaceIndex() > 0);
            final String taken = ": an interface of this name is there already; give another name";
            assertEquals("port x (tap:lo)" + taken, assertThrows(UserException.class, () -> open("lo")).getMessage());
        }
        namespace.exec("ip", "tuntap", "add", "dev", "single", "mode", "tap");
        assertTrue(assertThrows(UserException.class, () -> open("single"))
            .getMessage().contains("tap:single"));
        final UserException ex = assertThrows(UserException.class, () -> open("a-name-that-is-too-long"));
        assertEquals("port x (tap:a-name-that-is-too-long): \"a-name-that-is-too-long\" cannot be the name of an " +
            "interface", ex.getMessage());
    }

    private KernelPort open(final String name)
    {
        return open(new PortRequest("x", "tap:" + name, 0, List.of(pool), PortSettings.DEFAULT));
    }

    private KernelPort open(final PortRequest request)
    {
        return (KernelPort)NetworkNamespace.call(namespace.name(), () -> Ports.open(request));
    }

    private String link(final String name)
    {
        return namespace.exec("ip", "link", "show", name);
    }

    private void send(final KernelPort port, final String hex)
    {
        final byte[] frame = HexFormat.of().parseHex(hex);
        final long chunk = pool.allocate();
        FrameMemory.putBytes(chunk + FramePool.HEADROOM, frame);
        assertTrue(port.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, frame.length));
        port.txQueue(0).flush();
    }

    private void receive(final KernelPort port, final List<String> received)
    {
        batch.clear();
        if (port.rxQueue(0).receive(batch) == 0)
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        for (int i = 0; i < batch.size(); i++)
        {
            final byte[] frame = new byte[batch.length(i)];
            FrameMemory.getBytes(batch.address(i), frame);
            received.add(HexFormat.of().formatHex(frame));
            pool.release(batch.handle(i));
        }
    }
}
