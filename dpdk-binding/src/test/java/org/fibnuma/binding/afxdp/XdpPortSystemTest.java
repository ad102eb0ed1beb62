package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.libc.KernelVariable;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.netdevice.PacketSocket;
import org.fibnuma.core.ChildJvm;
import org.fibnuma.core.Require;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortFilter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.service.host.HostChanges;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.fibnuma.binding.afxdp.VethPair.FAR;
import static org.fibnuma.binding.afxdp.VethPair.NEAR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class XdpPortSystemTest
{
    private static final int CHUNK_SIZE = 2048;
    private static final int POOL_SIZE = 512;
    private static final PortSettings SETTINGS = new PortSettings(64, 64, 0, 64, true);
    private static final int SILENCE_MS = 200;

    private final MemoryRegion region = MemoryRegion.ofChunks(4 * POOL_SIZE, CHUNK_SIZE);
    private final FramePool[] pools = new FramePool[4];
    private VethPair veth;

    @BeforeEach
    void prepare()
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("ping", "iputils-ping");
        for (int i = 0; i < pools.length; i++)
        {
            pools[i] = new FramePool(region, CHUNK_SIZE, i * POOL_SIZE, POOL_SIZE);
        }
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
    void shouldTakeTransitIpv4AndLeaveEverythingElseToTheKernel() throws IOException
    {
        veth = new VethPair(1);
        try (Port port = open(NEAR, pools[0]);
            PacketSocket kernel = new PacketSocket(VethPair.namespace(NEAR), NEAR);
            PacketSocket wire = new PacketSocket(VethPair.namespace(FAR), FAR))
        {
            shared(port).localAddress(IpAddress.parse(VethPair.NEAR_ADDRESS), true);
            shared(port).localAddress(IpAddress.parse("10.77.0.255"), true);
            shared(port).localAddress(IpAddress.parse("203.0.113.1"), true);
            shared(port).localAddress(IpAddress.parse("203.0.113.1"), false);
            port.start();
            final String us = hex(port.macAddress());
            final List<String> transit = List.of(
                ipv4(us, "203.0.113.1"), ipv4(us, "223.255.255.255"), ipv4(us, "240.0.0.1"), ipv4(us, "127.0.0.1"),
                ipv4(us, "10.77.0.2"), ipv4(us, "0.0.0.0"));
            final List<String> others = List.of(
                ipv4(us, VethPair.NEAR_ADDRESS), ipv4(us, "10.77.0.255"), ipv4(us, "224.0.0.5"),
                ipv4(us, "239.255.255.255"), ipv4(us, "255.255.255.255"), ipv4("ffffffffffff", "203.0.113.1"),
                ipv4("01005e000005", "203.0.113.1"), ipv4("02aabbccddee", "203.0.113.1"),
                ipv4(us, "203.0.113.1").replaceFirst("0800", "86dd"),
                ipv4(us, "203.0.113.1").replaceFirst("0800", "0806"),
                ipv4(us, "203.0.113.1").replaceFirst("0800", "810000070800"),
                ipv4(us, "203.0.113.1").substring(0, 2 * 33));
            for (int i = 0; i < others.size(); i++)
            {
                wire.send(HexFormat.of().parseHex(others.get(i)));
                wire.send(HexFormat.of().parseHex(transit.get(i % transit.size())));
            }

            final List<String> taken = receive(port, pools[0], others.size());
            assertEquals(List.copyOf(transit), taken.subList(0, transit.size()));
            assertEquals(others.size(), taken.size());
            // AF_PACKET takes a VLAN tag out of the frame.
            final String tagged = others.get(10);
            final List<String> expected = new ArrayList<>(others);
            expected.set(10, tagged.replaceFirst("81000007", ""));
            assertEquals(expected, kernel.receive(SILENCE_MS).stream().map(HexFormat.of()::formatHex).toList());
        }
    }

    @Test
    void shouldLeaveArpAndPingsToThisHostToTheKernel() throws IOException
    {
        veth = new VethPair(1);
        try (Port port = open(NEAR, pools[0]))
        {
            shared(port).localAddress(IpAddress.parse(VethPair.NEAR_ADDRESS), true);
            port.start();

            VethPair.in(FAR, "ping", "-c", "3", "-i", "0.1", "-W", "2", VethPair.NEAR_ADDRESS);
            assertTrue(VethPair.in(FAR, "ip", "neigh", "show", VethPair.NEAR_ADDRESS)
                .contains(MacAddress.format(port.macAddress())));
        }
    }

    @Test
    void shouldLeaveNeighborDiscoveryAndPingsToThisHostToTheKernel() throws IOException
    {
        veth = new VethPair(1);
        for (final String end : new String[]{NEAR, FAR})
        {
            KernelVariable.set(VethPair.namespace(end), "ipv6.conf." + end + ".disable_ipv6", "0");
            VethPair.in(end, "ip", "addr", "add", "2001:db8:77::" + (NEAR.equals(end) ? 1 : 2) + "/64", "dev", end,
                "nodad");
        }
        try (Port port = NetworkNamespace.call(VethPair.namespace(NEAR), () -> Ports.open(new PortRequest(
            NEAR, "xdp:" + NEAR, 0, List.of(pools[0]), SETTINGS, PortFilter.TRANSIT.withIpv6(),
            HostChanges.unrecorded()))))
        {
            shared(port).localAddress(IpAddress.parse("2001:db8:77::1"), true);
            port.start();

            VethPair.in(FAR, "ping", "-6", "-c", "3", "-i", "0.1", "-W", "2", "2001:db8:77::1");
            assertTrue(VethPair.in(FAR, "ip", "neigh", "show", "2001:db8:77::1")
                .contains(MacAddress.format(port.macAddress())));

            VethPair.in(FAR, "ip", "neigh", "add", "2001:db8:77::99", "lladdr", MacAddress.format(port.macAddress()),
                "dev", FAR);
            assertThrows(AssertionError.class,
                () -> VethPair.in(FAR, "ping", "-6", "-c", "1", "-W", "1", "2001:db8:77::99"));
            final String taken = receive(port, pools[0], 1).get(0);
            assertEquals("86dd", taken.substring(24, 28));
            assertEquals("20010db8007700000000000000000099", taken.substring(76, 108));
        }
    }

    @Test
    void shouldLeaveNothingBehindWhenKilled() throws IOException, InterruptedException
    {
        veth = new VethPair(1);
        final Process process = ChildJvm.startServing(PortHolder.class, VethPair.namespace(NEAR), "xdp:" + NEAR);
        try
        {
            assertEquals("ready", new BufferedReader(new InputStreamReader(process.getInputStream())).readLine());
            assertTrue(hasProgram(NEAR));
            assertThrows(AssertionError.class,
                () -> VethPair.in(FAR, "ping", "-c", "1", "-W", "1", VethPair.NEAR_ADDRESS));

            process.destroyForcibly();
            assertTrue(process.waitFor(60, TimeUnit.SECONDS));

            assertFalse(hasProgram(NEAR));
            VethPair.in(FAR, "ping", "-c", "1", "-W", "2", VethPair.NEAR_ADDRESS);
            open(NEAR, pools[0]).close();
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldDetachAndGiveTheQueueBackOnClose() throws IOException
    {
        veth = new VethPair(1);
        for (int i = 0; i < 3; i++)
        {
            final Port port = open(NEAR, pools[0]);
            port.start();
            assertTrue(hasProgram(NEAR));
            assertEquals("copy, native", port.mode());
            port.close();
            port.close();
            assertFalse(hasProgram(NEAR));
            assertEquals(POOL_SIZE, pools[0].available());
        }
    }

    @Test
    void shouldReceiveWhileItPollsTheDriver() throws IOException
    {
        veth = new VethPair(1);
        final PortSettings polling = new PortSettings(64, 64, 20, 64, true);
        try (Port port = NetworkNamespace.call(VethPair.namespace(NEAR), () -> Ports.open(
                new PortRequest(NEAR, "xdp:near", 0, List.of(pools[0]), polling)));
            PacketSocket wire = new PacketSocket(VethPair.namespace(FAR), FAR))
        {
            port.start();
            assertTrue(port.mode().contains("busy polling"), port.mode());
            assertEquals(List.of(), receive(port, pools[0], 0));
            final String frame = ipv4(hex(port.macAddress()), "203.0.113.1");
            wire.send(HexFormat.of().parseHex(frame));
            assertEquals(List.of(frame), receive(port, pools[0], 1));
        }
        assertEquals(POOL_SIZE, pools[0].available());
    }

    @Test
    void shouldKeepQueuesApart() throws IOException
    {
        veth = new VethPair(2);
        try (Port near = open(NEAR, pools[0], pools[1]);
            Port far = open(FAR, pools[2], pools[3]))
        {
            near.start();
            far.start();
            for (int queue = 1; queue >= 0; queue--)
            {
                final String sent = ipv4(hex(far.macAddress()), "198.51.100." + queue);
                final byte[] frame = HexFormat.of().parseHex(sent);
                final long chunk = pools[queue].allocate();
                FrameMemory.putBytes(chunk, frame);
                assertTrue(near.txQueue(queue).offer(chunk, chunk, frame.length));
                near.txQueue(queue).flush();

                final FrameBatch batch = new FrameBatch();
                assertEquals(0, far.rxQueue(1 - queue).receive(batch));
                final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
                while (far.rxQueue(queue).receive(batch) == 0 && System.nanoTime() < deadline)
                {
                    Thread.onSpinWait();
                }
                assertEquals(1, batch.size());
                assertEquals(sent, hex(batch, 0));
                pools[2 + queue].release(batch.handle(0));
            }
        }
        for (final FramePool pool : pools)
        {
            assertEquals(POOL_SIZE, pool.available());
        }
    }

    @Test
    void shouldAllocateNothingWhileFramesPass() throws IOException
    {
        veth = new VethPair(1);
        try (Port near = open(NEAR, pools[0]);
            Port far = open(FAR, pools[1]))
        {
            near.start();
            far.start();
            final byte[] frame = HexFormat.of().parseHex(ipv4(hex(far.macAddress()), "198.51.100.1"));
            final FrameBatch batch = new FrameBatch();
            pass(near, far, frame, batch, 20_000);

            final var threads = (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
            final long before = threads.getCurrentThreadAllocatedBytes();
            final int received = pass(near, far, frame, batch, 20_000);
            final long allocated = threads.getCurrentThreadAllocatedBytes() - before;

            assertTrue(received > 10_000, "received " + received);
            assertTrue(allocated < 1000, allocated + " bytes for " + received + " frames");
        }
    }

    private int pass(final Port from, final Port to, final byte[] frame, final FrameBatch batch, final int count)
    {
        int received = 0;
        for (int i = 0; i < count; i++)
        {
            final long chunk = pools[0].allocate();
            FrameMemory.putBytes(chunk, frame);
            if (!from.txQueue(0).offer(chunk, chunk, frame.length))
            {
                pools[0].release(chunk);
            }
            if ((i & 15) == 0)
            {
                from.txQueue(0).flush();
                batch.clear();
                received += to.rxQueue(0).receive(batch);
                for (int j = 0; j < batch.size(); j++)
                {
                    pools[1].release(batch.handle(j));
                }
            }
        }
        return received;
    }

    private static SharedInterface shared(final Port port)
    {
        return port.capability(SharedInterface.class).orElseThrow();
    }

    private static Port open(final String end, final FramePool... pools)
    {
        return NetworkNamespace.call(VethPair.namespace(end), () -> Ports.open(
            new PortRequest(end, "xdp:" + end, 0, List.of(pools), SETTINGS)));
    }

    private static boolean hasProgram(final String end) throws IOException
    {
        return VethPair.run("ip", "-j", "-n", VethPair.namespace(end), "link", "show", end).contains("\"xdp\"");
    }

    private static List<String> receive(final Port port, final FramePool pool, final int count)
    {
        final List<String> frames = new ArrayList<>();
        final FrameBatch batch = new FrameBatch();
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (frames.size() < count && System.nanoTime() < deadline)
        {
            batch.clear();
            port.rxQueue(0).receive(batch);
            for (int i = 0; i < batch.size(); i++)
            {
                frames.add(hex(batch, i));
                pool.release(batch.handle(i));
            }
        }
        return frames;
    }

    private static String ipv4(final String destinationMac, final String destination)
    {
        return destinationMac + "020000000099" + "0800" + "4500002e00000000401100000a4d0002" +
            String.format("%08x", Ipv4Address.parse(destination)) + "1000200000" + "1a00".repeat(12) + "00";
    }

    private static String hex(final long mac)
    {
        return String.format("%012x", mac);
    }

    private static String hex(final FrameBatch batch, final int i)
    {
        final byte[] bytes = new byte[batch.length(i)];
        FrameMemory.getBytes(batch.address(i), bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
