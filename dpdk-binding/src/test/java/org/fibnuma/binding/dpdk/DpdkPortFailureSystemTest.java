package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.afxdp.VethPair;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.ChildJvm;
import org.fibnuma.core.Require;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is left when a process ends without a word, and what happens when a device does. */
class DpdkPortFailureSystemTest
{
    /** Half a second each; {@code JAVA_TOOL_OPTIONS=-Dfibnuma.dpdk.restarts=500} for a long run. */
    private static final int RESTARTS = Integer.getInteger("fibnuma.dpdk.restarts", 20);
    private static final List<Path> LEFT_OVERS =
        List.of(Path.of("/var/run/dpdk"), Path.of("/dev/hugepages"));
    private static final Path FREE_HUGE_PAGES = Path.of("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages");
    private static final int CHUNKS = 1024;
    private static final int CHUNK_SIZE = 4096;

    @Test
    void shouldLeaveNothingBehindWhenKilledAgainAndAgain() throws IOException, InterruptedException
    {
        Require.root();
        RequireDpdk.libraries();
        hold("dpdk:net_null0,size=64");
        final Set<String> before = leftOvers();
        for (int restart = 0; restart < RESTARTS; restart++)
        {
            hold("dpdk:net_null0,size=64");
            assertEquals(before, leftOvers(), "after restart " + restart);
        }
        if (Files.exists(FREE_HUGE_PAGES))
        {
            final String all = Files.readString(FREE_HUGE_PAGES.resolveSibling("nr_hugepages")).trim();
            assertTrue(Integer.parseInt(all) >= Integer.parseInt(Files.readString(FREE_HUGE_PAGES).trim()));
        }
    }

    private static void hold(final String device) throws IOException, InterruptedException
    {
        final Process process = ChildJvm.start(DpdkPortHolder.class, device);
        try (BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream())))
        {
            // The first line of all: nothing of what DPDK has to say goes to standard output.
            assertEquals("ready", output.readLine());
        }
        finally
        {
            process.destroyForcibly();
            assertTrue(process.waitFor(10, TimeUnit.SECONDS));
        }
    }

    private static Set<String> leftOvers() throws IOException
    {
        final Set<String> files = new TreeSet<>();
        for (final Path directory : LEFT_OVERS)
        {
            if (Files.exists(directory))
            {
                try (Stream<Path> found = Files.walk(directory))
                {
                    files.addAll(found.map(Path::toString).filter(name -> name.contains("fibnuma") ||
                        name.contains("rtemap")).collect(Collectors.toSet()));
                }
            }
        }
        return files;
    }

    @Test
    void shouldGoOnWhenTheInterfaceIsTakenAway() throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("ethtool", "ethtool");
        RequireDpdk.libraries();
        final VethPair veth = new VethPair(1);
        try (MemoryRegion region = MemoryRegion.ofChunks(CHUNKS, CHUNK_SIZE))
        {
            final FramePool pool = new FramePool(region, CHUNK_SIZE, 0, CHUNKS);
            final Port port = open(pool);
            final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            final long removal = deadline - TimeUnit.MILLISECONDS.toNanos(700);
            boolean removed = false;
            while (System.nanoTime() < deadline)
            {
                turn(port, pool);
                if (!removed && System.nanoTime() > removal)
                {
                    VethPair.in(VethPair.NEAR, "ip", "link", "delete", VethPair.NEAR);
                    removed = true;
                }
            }
            port.close();
            assertEquals(CHUNKS, pool.available());
        }
        finally
        {
            veth.close();
        }
    }

    private static Port open(final FramePool pool)
    {
        return NetworkNamespace.call(VethPair.namespace(VethPair.NEAR), () ->
        {
            final Port port = Ports.open(new PortRequest("near", "dpdk:net_af_packet0,iface=" + VethPair.NEAR, 0,
                List.of(pool), new PortSettings(64, 64, 0, 64, true)));
            port.start();
            return port;
        });
    }

    private static void turn(final Port port, final FramePool pool)
    {
        final FrameBatch batch = new FrameBatch();
        port.rxQueue(0).receive(batch);
        for (int i = 0; i < batch.size(); i++)
        {
            pool.release(batch.handle(i));
        }
        final long chunk = pool.allocate();
        if (chunk != FramePool.NONE && !port.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, 60))
        {
            pool.release(chunk);
        }
        port.txQueue(0).flush();
    }
}
