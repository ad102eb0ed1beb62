package org.fibnuma.fibnic.datapath;

import com.sun.management.ThreadMXBean;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.lossless.LosslessReport;
import org.fibnuma.pfc.config.EcnSettings;
import org.fibnuma.pfc.config.MacFlowControl;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcLink;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.fibnuma.pfc.headroom.HeadroomRequest;
import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.priority.PfcCounter;
import org.fibnuma.pfc.priority.PriorityClassifier;
import org.fibnuma.pfc.watchdog.StormAction;
import org.fibnuma.pfc.watchdog.WatchdogSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.management.ManagementFactory;
import java.util.HexFormat;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** With lossless priorities and each policy: frames that wait, pauses both ways, marks, tags, storms; no byte. */
class LosslessAllocationTest
{
    private static final int FRAMES = 200_000;
    private static final int BATCH = 20;
    private static final int ATTEMPTS = 8;
    private static final int ROOM = 2048;
    private static final long GBPS = 1_000_000_000L;
    private static final long STEP_NS = 200_000;
    private static final String PFC = "0180c2000001" + "020000000201" + "8808" + "0101" + "0008" + "0000".repeat(3);
    private static final String TAG = "81006000";

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final FrameBatch host = new FrameBatch();
    private final byte[][] kinds = {
        lossless(2),
        TestFrame.ipv4().payload(200).bytes(),
        TestFrame.hex("020000000100" + "020000000200" + TAG + hex(lossless(2)).substring(24)),
    };
    private final byte[][] controls = {
        TestFrame.hex(PFC + "0400" + "0000".repeat(4) + "00".repeat(26)),
        TestFrame.hex(PFC + "ffff" + "0000".repeat(4) + "00".repeat(26)),
        TestFrame.hex(PFC + "0000" + "0000".repeat(4) + "00".repeat(26)),
    };

    @ParameterizedTest
    @EnumSource(PausePolicyKind.class)
    void shouldAllocateNothing(final PausePolicyKind policy)
    {
        final PfcConfig config = new PfcConfig(
            1, 1 << 3, PriorityClassifier.byDscp(PriorityClassifier.classSelectors()), policy, PauseTimeLaw.DEFAULT,
            0, 2,
            new PfcLink(
                "", 1, GBPS, 20_000, 5_000, 10_000, HeadroomModel.OWN.compute(new HeadroomRequest(GBPS)),
                MacFlowControl.OFF),
            Map.of(), new EcnSettings(1, 1_000, 10_000, 0.5), new WatchdogSettings(100, 100, 100, StormAction.DROP));
        try (RouterFixture router = RouterFixture.lossless(config, 1);
            MemoryRegion templates = MemoryRegion.ofBytes((kinds.length + controls.length) * ROOM))
        {
            for (int k = 0; k < kinds.length + controls.length; k++)
            {
                FrameMemory.putBytes(
                    templates.address() + (long)k * ROOM, k < kinds.length ? kinds[k] : controls[k - kinds.length]);
            }
            long allocated = Long.MAX_VALUE;
            for (int attempt = 0; attempt < ATTEMPTS && allocated != 0; attempt++)
            {
                final long start = threads.getCurrentThreadAllocatedBytes();
                run(router, templates.address());
                allocated = threads.getCurrentThreadAllocatedBytes() - start;
            }
            assertEquals(0, allocated, "bytes allocated");
            assertEverythingHappened(router);
        }
    }

    private static void assertEverythingHappened(final RouterFixture router)
    {
        final LosslessReport report = LosslessReport.of(router.counters());
        assertTrue(report.get(0, 3, PfcCounter.XOFF_TX) > 10);
        assertTrue(report.get(1, 3, PfcCounter.XOFF_RX) > 100);
        assertTrue(report.get(1, 3, PfcCounter.XON_RX) > 100);
        assertTrue(report.get(1, 3, PfcCounter.ECN_MARKED) > 100);
        assertTrue(report.get(1, 3, PfcCounter.STORMS_DETECTED) > 0);
        assertTrue(report.get(1, 3, PfcCounter.STORMS_RESTORED) > 0);
        assertTrue(router.report().get(DropReason.PFC_STORM) > 0);
        assertTrue(router.report().get(DropReason.PFC_BEYOND_HEADROOM) > 0);
        router.assertBalanced();
    }

    private void run(final RouterFixture router, final long templates)
    {
        for (int sent = 0; sent < FRAMES; sent += BATCH)
        {
            for (int i = 0; i < BATCH; i++)
            {
                final int kind = i % kinds.length;
                send(router, 0, templates + (long)kind * ROOM, kinds[kind].length);
            }
            // A fifth of the time a storm, a fifth for its end, then pauses that last for two thirds of the time.
            final int fifth = sent % (FRAMES / 2) / (FRAMES / 10);
            final int control = fifth == 0 ? 1 : fifth > 1 && sent / BATCH % 6 < 4 ? 0 : 2;
            send(router, 1, templates + (long)(kinds.length + control) * ROOM, controls[control].length);
            router.clock.advance(STEP_NS);
            router.agent.doWork();
            drain(router);
        }
        send(router, 1, templates + (long)(kinds.length + 2) * ROOM, controls[2].length);
        for (int i = 0; i < 100; i++)
        {
            router.clock.advance(10 * STEP_NS);
            router.agent.doWork();
            drain(router);
        }
    }

    private static void send(final RouterFixture router, final int port, final long template, final int length)
    {
        final long chunk = router.hostPool.allocate();
        FrameMemory.copy(template, chunk + FramePool.HEADROOM, length);
        assertTrue(router.hosts.get(port).txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, length));
        router.hosts.get(port).txQueue(0).flush();
    }

    private void drain(final RouterFixture router)
    {
        for (int p = 0; p < router.hosts.size(); p++)
        {
            final Port port = router.hosts.get(p);
            host.clear();
            while (port.rxQueue(0).receive(host) > 0)
            {
                for (int i = 0; i < host.size(); i++)
                {
                    router.hostPool.release(host.handle(i));
                }
                host.clear();
            }
            port.txQueue(0).flush();
        }
    }

    private static byte[] lossless(final int ecn)
    {
        return TestFrame.ipv4().trafficClass(3 << 5 | ecn).payload(1000).bytes();
    }

    private static String hex(final byte[] bytes)
    {
        return HexFormat.of().formatHex(bytes);
    }
}
