package org.fibnuma.binding.dpdk;

import org.fibnuma.core.Require;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.port.Port;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Peers of a memif port that are killed while frames go both ways, one after the other. */
class MemifPeerSystemTest
{
    /** Some two seconds each; {@code JAVA_TOOL_OPTIONS=-Dfibnuma.dpdk.peers=30} for a long run. */
    private static final int KILLS = Integer.getInteger("fibnuma.dpdk.peers", 3);
    private static final int FRAMES_EACH = 100_000;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long AFTERWARDS_NS = TimeUnit.MILLISECONDS.toNanos(200);

    @TempDir
    private Path directory;

    private final FrameBatch batch = new FrameBatch();
    private final String prefix = "fibnuma-peer-" + ProcessHandle.current().pid();

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void shouldOutliveItsPeers() throws IOException, InterruptedException
    {
        Require.root();
        Require.program("dpdk-testpmd", "dpdk-dev");
        RequireDpdk.libraries();
        final String device = "net_memif0,id=0,socket=" + directory.resolve("memif.sock") + ",socket-abstract=no";
        try (DpdkTestRig rig = new DpdkTestRig())
        {
            rig.allocate(4096, 1);
            final Port port = rig.open("dpdk:" + device + ",role=server");
            port.start();
            for (int kill = 0; kill < KILLS; kill++)
            {
                final Process peer = peer(device + ",role=client");
                try
                {
                    reflect(rig, port, FRAMES_EACH, PATIENCE_NS);
                    assertTrue(port.linkUp());
                    peer.toHandle().destroyForcibly();
                    reflect(rig, port, Integer.MAX_VALUE, AFTERWARDS_NS);
                }
                finally
                {
                    peer.destroyForcibly().waitFor();
                }
                assertFalse(port.linkUp(), "after kill " + kill);
            }
            rig.assertNothingLost();
        }
        finally
        {
            Files.deleteIfExists(Path.of("/var/run/dpdk", prefix));
        }
    }

    /** Sends frames, as many as it can, and takes what comes. */
    private Process peer(final String device) throws IOException
    {
        return new ProcessBuilder(
            "dpdk-testpmd", "--no-pci", "--no-huge", "--no-shconf", "-m", "64", "--no-telemetry",
            "--file-prefix", prefix, "--lcores", "0@0,1@" + lastProcessor(),
            "--vdev", device, "--", "--forward-mode=flowgen", "--txpkts=1500", "--mbuf-size=2304",
            "--stats-period=1", "--nb-cores=1", "--disable-link-check", "--total-num-mbufs=2048")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    private static String lastProcessor()
    {
        return Integer.toString(Runtime.getRuntime().availableProcessors() - 1);
    }

    /** Sends back what comes, for so many frames or so long: without a rest, so that it is mostly in a burst. */
    private void reflect(final DpdkTestRig rig, final Port port, final int frames, final long patienceNs)
    {
        final long deadline = System.nanoTime() + patienceNs;
        int seen = 0;
        while (seen < frames && System.nanoTime() - deadline < 0)
        {
            batch.clear();
            seen += port.rxQueue(0).receive(batch);
            for (int i = port.txQueue(0).offer(batch, 0, batch.size()); i < batch.size(); i++)
            {
                rig.pool(0).release(batch.handle(i));
            }
            port.txQueue(0).flush();
        }
        assertTrue(frames == Integer.MAX_VALUE || seen >= frames, seen + " frames from a peer");
    }
}
