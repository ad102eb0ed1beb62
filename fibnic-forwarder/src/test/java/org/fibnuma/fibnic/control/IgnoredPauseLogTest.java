package org.fibnuma.fibnic.control;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.fibnic.lossless.LosslessPorts;
import org.fibnuma.pfc.config.MacFlowControl;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcLink;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.fibnuma.pfc.headroom.HeadroomRequest;
import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.priority.PriorityClassifier;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The test changes counters that have the layout of a running router. */
class IgnoredPauseLogTest
{
    private static final int COUNTERS = 128;
    private static final long GBPS = 1_000_000_000L;

    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.METADATA_LENGTH)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.COUNTER_LENGTH)));
    private final List<String> lines = new ArrayList<>();

    @Test
    void shouldLogThePrioritiesOfAPortOnce()
    {
        final IgnoredPauseLog log = log();
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
        assertEquals(List.of(line("right", "priority 0, priority 7"), line("left", "priority 0"),
            line("right", "priority 5")), lines);
    }

    @Test
    void shouldLogNothingOfALosslessPriorityOrWithoutOne()
    {
        final IgnoredPauseLog log = log();
        set("port right priority 3 xoff-rx", 1);
        assertEquals(0, log.poll());
        assertEquals(0, new IgnoredPauseLog(null, List.of("left"), counters, lines::add).poll());
    }

    private static String line(final String port, final String priorities)
    {
        return "port " + port + ": the peer pauses " + priorities + ", not lossless here; pauses of these are not " +
            "obeyed; add them to lossless in [pfc] or disable them at the peer";
    }

    private IgnoredPauseLog log()
    {
        final PfcConfig config = new PfcConfig(
            1, 1 << 3, PriorityClassifier.byPcp(), PausePolicyKind.POOC, PauseTimeLaw.DEFAULT, 0, 2,
            new PfcLink(
                "", 1, GBPS, 20_000, 5_000, 10_000, HeadroomModel.OWN.compute(new HeadroomRequest(GBPS)),
                MacFlowControl.OFF),
            Map.of(), null, null);
        final List<String> ports = List.of("left", "right");
        new LosslessPorts(config, ports, 1, counters);
        return new IgnoredPauseLog(config, ports, counters, lines::add);
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
