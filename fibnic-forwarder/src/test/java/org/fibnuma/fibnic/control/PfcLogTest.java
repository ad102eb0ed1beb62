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

/** The test changes counters that have the layout of a running router. */
class PfcLogTest
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
        final PfcLog log = log(new WatchdogSettings(100, 300, 400, StormAction.DROP));
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
        final PfcLog log = log(new WatchdogSettings(100, 300, 400, StormAction.ALERT));
        set(PfcCounter.STORMS_DETECTED, 2);
        set(PfcCounter.STORMS_RESTORED, 1);
        assertEquals(3, log.poll());
        assertEquals(2, lines.stream().filter(line -> line.endsWith("its frames stay queued")).count());
    }

    @Test
    void shouldLogTheIgnoredPrioritiesOfAPortOnce()
    {
        final PfcLog log = log(null);
        assertEquals(0, log.poll());
        set("port right priority 0 xoff-ignored", 1);
        set("port right priority 7 xoff-ignored", 1);
        assertEquals(1, log.poll());
        set("port right priority 0 xoff-ignored", 50);
        assertEquals(0, log.poll());
        set("port left priority 0 xoff-ignored", 1);
        set("port right priority 5 xoff-ignored", 1);
        assertEquals(2, log.poll());
        assertEquals(0, log.poll());
        assertEquals(List.of(ignored("right", "priority 0, priority 7"), ignored("left", "priority 0"),
            ignored("right", "priority 5")), lines);
    }

    @Test
    void shouldLogNothingOfPausesOfALosslessPriorityOrWithoutOne()
    {
        final PfcLog log = log(null);
        set("port right priority 3 xoff-rx", 1);
        assertEquals(0, log.poll());
        assertEquals(0, new PfcLog(null, List.of("left"), counters, lines::add).poll());
    }

    private static String ignored(final String port, final String priorities)
    {
        return "port " + port + ": the peer pauses " + priorities + ", not lossless here; pauses of these are not " +
            "obeyed; add them to lossless in [pfc] or disable them at the peer";
    }

    private PfcLog log(final WatchdogSettings watchdog)
    {
        final PfcConfig config = new PfcConfig(
            1, 1 << 3, PriorityClassifier.byPcp(), PausePolicyKind.POOC, PauseTimeLaw.DEFAULT, 0, 2,
            new PfcLink(
                "", 1, GBPS, 20_000, 5_000, 10_000, HeadroomModel.OWN.compute(new HeadroomRequest(GBPS)),
                MacFlowControl.OFF),
            Map.of(), null, watchdog);
        final List<String> ports = List.of("left", "right");
        new LosslessPorts(config, ports, 1, counters);
        assertEquals(1 << 3, LosslessReport.of(counters).priorities());
        return new PfcLog(config, ports, counters, lines::add);
    }

    private void set(final PfcCounter counter, final long value)
    {
        set("port right priority 3 " + counter.label(), value);
    }

    private void set(final String label, final long value)
    {
        final int[] found = {0};
        counters.forEach((id, type, key, text) ->
        {
            if (text.equals(label))
            {
                counters.setCounterValue(id, value);
                found[0]++;
            }
        });
        assertEquals(1, found[0], label);
    }
}
