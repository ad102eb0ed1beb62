package org.fibnuma.fibnic.control;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.fibnic.lossless.LosslessPorts;
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
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What is said of counts that somebody changes; the counters have the layout of a running router. */
class StormLogTest
{
    private static final int COUNTERS = 128;
    private static final long GBPS = 1_000_000_000L;

    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.METADATA_LENGTH)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.COUNTER_LENGTH)));
    private final List<String> lines = new ArrayList<>();

    @Test
    void shouldTellOfTheBeginningAndTheEndOnce()
    {
        final StormLog log = log(StormAction.DROP);
        assertEquals(0, log.poll());
        set(PfcCounter.STORMS_DETECTED, 1);
        assertEquals(1, log.poll());
        assertEquals(0, log.poll());
        set(PfcCounter.DROPPED_IN_STORM, 7);
        set(PfcCounter.STORMS_RESTORED, 1);
        assertEquals(1, log.poll());
        assertEquals(0, log.poll());
        assertEquals(List.of(
            "port right: storm of pauses: the peer has stopped priority 3 for 300 ms; " +
                "until no pause arrives for 400 ms, its frames are dropped",
            "port right: the storm of pauses for priority 3 is over; frames dropped during it: 7"), lines);
    }

    @Test
    void shouldTellOfStormsBetweenTwoLooksInTurn()
    {
        final StormLog log = log(StormAction.ALERT);
        set(PfcCounter.STORMS_DETECTED, 2);
        set(PfcCounter.STORMS_RESTORED, 1);
        assertEquals(3, log.poll());
        assertEquals(2, lines.stream().filter(line -> line.endsWith("its frames stay queued")).count());
    }

    private StormLog log(final StormAction action)
    {
        final PfcConfig config = new PfcConfig(
            1, 1 << 3, PriorityClassifier.byPcp(), PausePolicyKind.POOC, PauseTimeLaw.DEFAULT, 0, 2,
            new PfcLink(
                "", 1, GBPS, 20_000, 5_000, 10_000, HeadroomModel.OWN.compute(new HeadroomRequest(GBPS)),
                MacFlowControl.OFF),
            Map.of(), null, new WatchdogSettings(100, 300, 400, action));
        final List<String> ports = List.of("left", "right");
        new LosslessPorts(config, ports, 1, counters);
        assertEquals(1 << 3, LosslessReport.of(counters).priorities());
        return new StormLog(config, ports, counters, lines::add);
    }

    private void set(final PfcCounter counter, final long value)
    {
        counters.forEach((id, type, key, label) ->
        {
            if (label.equals("port right priority 3 " + counter.label()))
            {
                counters.setCounterValue(id, value);
            }
        });
    }
}
