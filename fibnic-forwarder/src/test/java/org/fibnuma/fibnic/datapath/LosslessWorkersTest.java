package org.fibnuma.fibnic.datapath;

import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.lossless.LosslessReport;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two workers, each with a queue of both ports: what one of them learns and what both hold counts for both. */
class LosslessWorkersTest
{
    private static final int WORKERS = 2;
    private static final long GBPS = 1_000_000_000L;
    private static final int FRAME = 1000;
    private static final int WIRE = FRAME + 24;
    /** Ten frames, two frames, and five frames of headroom. */
    private static final PfcLink LINK = new PfcLink(
        "", 1, GBPS, 10 * WIRE, 2 * WIRE, 5 * WIRE, HeadroomModel.OWN.compute(new HeadroomRequest(GBPS)),
        MacFlowControl.OFF);
    private static final int ROUNDS = 3_000;

    private RouterFixture router;

    @BeforeEach
    void open()
    {
        router = RouterFixture.lossless(
            new PfcConfig(
                1, 1 << 3, PriorityClassifier.byDscp(PriorityClassifier.classSelectors()), PausePolicyKind.POOC,
                PauseTimeLaw.DEFAULT, 0, 2, LINK, Map.of(), null,
                new WatchdogSettings(100, 200, 200, StormAction.DROP)),
            WORKERS);
        router.run();
    }

    @AfterEach
    void close()
    {
        router.close();
    }

    @Test
    void shouldStopAtEveryWorkerWhatOneIsToldToStop()
    {
        pause(1, 65_535);
        receive(0, 2);
        receive(1, 3);
        assertEquals(List.of(), router.sent(1));
        pause(0, 0);
        assertEquals(5, router.sent(1).size(), "and the other one may end it");
        assertEquals(1, count(1, PfcCounter.XOFF_RX));
        assertEquals(1, count(1, PfcCounter.XON_RX));
        router.assertBalanced();
    }

    @Test
    void shouldStopTheSenderForWhatAllWorkersHold()
    {
        pause(0, 65_535);
        receive(0, 6);
        receive(1, 4);
        assertEquals(List.of(), router.sent(0));
        receive(1, 1);
        assertEquals(1, router.sent(0).size(), "eleven frames are held");
        receive(0, 1);
        assertEquals(0, router.sent(0).size(), "it is stopped already");
        pause(1, 0);
        assertEquals(12, router.sent(1).size());
        assertEquals(1, count(0, PfcCounter.XOFF_TX));
        assertEquals(1, count(0, PfcCounter.XON_TX));
        router.assertBalanced();
    }

    @Test
    void shouldShareTheHeadroom()
    {
        pause(0, 65_535);
        receive(0, 9);
        receive(1, 6);
        receive(0, 1);
        receive(1, 2);
        assertEquals(3, router.report().get(DropReason.PFC_BEYOND_HEADROOM));
        assertEquals(3, count(0, PfcCounter.DROPPED_BEYOND_HEADROOM));
        assertEquals(5 * WIRE, count(0, PfcCounter.HEADROOM_HIGH_WATER));
        pause(0, 0);
        assertEquals(15, router.sent(1).size());
        router.assertBalanced();
    }

    @Test
    void shouldDropAtEveryWorkerInAStorm()
    {
        pause(0, 65_535);
        receive(0, 2);
        receive(1, 2);
        for (int i = 0; i < 30; i++)
        {
            advance(20_000_000);
            pause(i % WORKERS, 65_535);
        }
        assertEquals(1, count(1, PfcCounter.STORMS_DETECTED));
        assertEquals(4, router.report().get(DropReason.PFC_STORM));
        receive(1, 1);
        assertEquals(5, count(1, PfcCounter.DROPPED_IN_STORM));
        router.assertBalanced();
    }

    @Test
    void shouldLoseNoCountWithARealThreadForEachWorker() throws Exception
    {
        final ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
        try
        {
            final List<Future<Integer>> pauses =
                List.of(threads.submit(() -> work(0)), threads.submit(() -> work(1)));
            final int sent = pauses.get(0).get() + pauses.get(1).get();
            pause(0, 0);
            router.run();
            assertEquals(sent, count(1, PfcCounter.XOFF_RX));
        }
        finally
        {
            threads.shutdownNow();
        }
        assertEquals((long)WORKERS * ROUNDS,
            router.count(ForwarderCounter.RECEIVED) - router.count(ForwarderCounter.CONSUMED));
        assertTrue(count(0, PfcCounter.XOFF_TX) > 0);
        assertEquals(count(0, PfcCounter.DROPPED_BEYOND_HEADROOM),
            router.report().get(DropReason.PFC_BEYOND_HEADROOM));
        router.assertBalanced();
        advance(1_000_000_000);
        pause(0, 65_535);
        receive(0, 15);
        assertEquals(0, router.report().get(DropReason.PFC_BEYOND_HEADROOM) - count(0,
            PfcCounter.DROPPED_BEYOND_HEADROOM), "all room is free again");
    }

    /** A worker's thread and the host at its queues; yields how many pauses there were. */
    private int work(final int worker)
    {
        int pauses = 0;
        for (int i = 0; i < ROUNDS; i++)
        {
            router.receive(0, worker, frame());
            if (i % 7 == worker)
            {
                router.receive(1, worker, macControl(200 * (i % 3) + 1));
                pauses++;
            }
            else if (i % 11 == worker)
            {
                router.receive(1, worker, macControl(0));
            }
            for (int port = 0; port < 2; port++)
            {
                router.discard(port, worker);
            }
            router.agents.get(worker).doWork();
            if (worker == 0)
            {
                router.clock.advance(20_000);
            }
        }
        return pauses;
    }

    private void pause(final int queue, final int quanta)
    {
        router.receive(1, queue, macControl(quanta));
        router.run();
    }

    private static byte[] macControl(final int quanta)
    {
        return TestFrame.hex("0180c2000001" + "020000000201" + "8808" + "0101" + "0008" + "0000".repeat(3) +
            String.format("%04x", quanta) + "0000".repeat(4) + "00".repeat(26));
    }

    private void receive(final int queue, final int frames)
    {
        for (int i = 0; i < frames; i++)
        {
            router.receive(0, queue, frame());
        }
        router.run();
    }

    private static byte[] frame()
    {
        return TestFrame.ipv4().trafficClass(3 << 5).payload(FRAME - 34).bytes();
    }

    private void advance(final long nanos)
    {
        router.clock.advance(nanos);
        router.agents.forEach(ForwarderAgent::doWork);
        router.run();
    }

    private long count(final int port, final PfcCounter counter)
    {
        advance(1_000_000);
        return LosslessReport.of(router.counters()).get(port, 3, counter);
    }
}
