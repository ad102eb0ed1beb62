package org.fibnuma.bench.pfc;

import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.system.LabDevice;
import org.fibnuma.core.Signal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Pauses that a neighbour sends for priorities that are not lossless, pauses that the router sends for as long as its
 * egress is paused, and its end by a signal; over the ports that {@code -Dfibnuma.system.device} names.
 */
@NamespaceTest
class NeighbourPausesSystemTest
{
    private static final Duration DURATION = Duration.ofSeconds(1);
    private static final Duration DRAIN = Duration.ofMillis(300);
    private static final double RATE = 50e6;
    private static final int LONGEST = 65_535;
    private static final double LONGEST_NS = LONGEST * 512.0;
    private static final long PERIOD_NS = 20_000_000;
    private static final long SHORT_PERIOD_NS = 5_000_000;
    private static final int LOSSY_VECTOR = 1 << LosslessLab.LOSSY;
    private static final int LOSSLESS_VECTOR = 1 << LosslessLab.LOSSLESS;
    private static final String TABLE = "xoff-bytes = 20000\nxon-bytes = 5000\nwatchdog = \"off\"\npolicy = \"%s\"\n";

    @BeforeEach
    void needs()
    {
        LabDevice.chosen().requireHost();
    }

    /** Nothing has to be passed on to the sender, which is what policies are for. */
    @Test
    void shouldNotObeyAPauseOfAPriorityThatIsNotLossless()
    {
        try (LosslessLab lab = open("pooc", true))
        {
            lab.every(PERIOD_NS, () -> lab.sink().pauseAll(LOSSY_VECTOR, LONGEST));
            lab.sender().stream(LosslessLab.LOSSY, RATE);
            lab.run(DURATION);
            lab.drain();
            assertArrived(lab, LosslessLab.LOSSY);
            assertIgnored(lab, List.of(LosslessLab.LOSSY), lab.sink().pauses());
            assertEquals(0, lab.pfc("right").path("xoffRx").asLong());
            assertLogged(lab, "priority 0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pooc", "cdptc", "drain"})
    void shouldObeyOnlyTheLosslessPartOfAPfcFrame(final String policy)
    {
        try (LosslessLab lab = open(policy, true))
        {
            lab.every(SHORT_PERIOD_NS, () -> lab.sink().pauseAll(LOSSY_VECTOR | LOSSLESS_VECTOR, LONGEST));
            assertOnlyLosslessStops(lab, () -> lab.sink().pause(LosslessLab.LOSSLESS, 0));
            assertIgnored(lab, List.of(LosslessLab.LOSSY), lab.sink().pauses());
            assertLogged(lab, "priority 0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pooc", "cdptc", "drain"})
    void shouldObeyAPauseOfTheWholeLinkForLosslessPrioritiesOnly(final String policy)
    {
        try (LosslessLab lab = open(policy, true))
        {
            lab.every(SHORT_PERIOD_NS, () -> lab.sink().pauseLink(LONGEST));
            assertOnlyLosslessStops(lab, () -> lab.sink().pauseLink(0));
            assertIgnored(lab, List.of(0, 1, 2, 4, 5, 6, 7), lab.sink().pauses());
            assertLogged(lab, "priority 0, priority 1, priority 2, priority 4, priority 5, priority 6, priority 7");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pooc", "cdptc", "drain"})
    void shouldRenewPausesAtHalfTheirTime(final String policy, final TestReporter reporter)
    {
        try (LosslessLab lab = open(policy, true))
        {
            lab.every(SHORT_PERIOD_NS, () -> lab.sink().pause(LosslessLab.LOSSLESS, LONGEST));
            lab.sender().stream(LosslessLab.LOSSLESS, RATE).stream(LosslessLab.LOSSY, RATE);
            lab.run(DRAIN);
            final int before = lab.captured().size();
            final long start = System.nanoTime();
            lab.run(DURATION.multipliedBy(2));
            final double elapsedNs = System.nanoTime() - start;
            final long longest = lab.captured().subList(before, lab.captured().size()).stream()
                .filter(frame -> quanta(frame) == LONGEST).count();
            reporter.publishEntry("pauses", longest + " of " + (lab.captured().size() - before) + " in " +
                Math.round(elapsedNs / 1e6) + " ms are longest ones; " + lab.pfc("left"));
            // Renewed just before their end they would be 1 in LONGEST_NS, at half their time they are 2.
            assertTrue(longest >= 1.5 * elapsedNs / LONGEST_NS, longest + " in " + elapsedNs + " ns");
            assertEquals("[]", lab.drops().path("drops").toString());
            lab.pattern(LosslessLab.Pattern.NONE);
            lab.sink().pause(LosslessLab.LOSSLESS, 0);
            lab.drain();
            assertArrived(lab, LosslessLab.LOSSLESS);
            assertArrived(lab, LosslessLab.LOSSY);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void shouldLogTheSignalThatEndsTheRouter(final String signal)
    {
        try (LosslessLab lab = open("drain", true))
        {
            Signal.send(signal, lab.pid());
            assertEquals(0, lab.awaitEnd());
            assertEquals(1, lab.log().stream().filter(line -> line.contains("ends: SIG" + signal)).count(),
                () -> String.join("\n", lab.log()));
        }
    }

    private static LosslessLab open(final String policy, final boolean obeys)
    {
        return LosslessLab.open(String.format(TABLE, policy), obeys);
    }

    /**
     * The pattern pauses both priorities. Both streams have the same rate; the router passes the pause of the lossless
     * one on to the sender. A pause may end before the next is sent if another program has the core, so that all frames
     * may have arrived at the end; the sender has then still sent few of them.
     */
    private static void assertOnlyLosslessStops(final LosslessLab lab, final Runnable resume)
    {
        lab.run(DRAIN);
        lab.sender().stream(LosslessLab.LOSSY, RATE).stream(LosslessLab.LOSSLESS, RATE);
        lab.run(DURATION);
        lab.sender().stream(LosslessLab.LOSSY, 0).stream(LosslessLab.LOSSLESS, 0);
        lab.run(DRAIN);
        assertArrived(lab, LosslessLab.LOSSY);
        final long lossless = lab.sender().sent(LosslessLab.LOSSLESS);
        final long lossy = lab.sender().sent(LosslessLab.LOSSY);
        assertTrue(lossless > 0 && lossless < lossy / 2, lossless + " lossless frames sent, others " + lossy);
        assertTrue(lab.pfc("left").path("xoffTx").asLong() > 0, "the sender was paused");
        lab.pattern(LosslessLab.Pattern.NONE);
        resume.run();
        lab.run(DRAIN);
        assertArrived(lab, LosslessLab.LOSSLESS);
        assertEquals("[]", lab.drops().path("drops").toString());
        lab.assertPausesOfTheSink();
    }

    private static void assertArrived(final LosslessLab lab, final int priority)
    {
        final long sent = lab.sender().sent(priority);
        final long missing = sent - lab.sink().received(priority);
        assertTrue(sent > 0);
        assertTrue(missing <= lab.lostOnTheWay(),
            missing + " of " + sent + " missing, lost on the way " + lab.lostOnTheWay());
    }

    private static void assertIgnored(final LosslessLab lab, final List<Integer> priorities, final long pauses)
    {
        assertTrue(pauses > 10);
        assertEquals(priorities.stream().map(priority -> String.format(
            "{\"port\":\"right\",\"priority\":%d,\"xoffIgnored\":%d}", priority, pauses))
            .collect(Collectors.joining(",", "[", "]")), lab.ignoredPauses().toString());
    }

    private static void assertLogged(final LosslessLab lab, final String priorities)
    {
        assertEquals(1, lab.log().stream().filter(line -> line.contains(
            "port right: the peer pauses " + priorities + ", not lossless here")).count(),
            () -> String.join("\n", lab.log()));
    }

    /** The time of priority 3, which is the only one in the vector. */
    private static int quanta(final String frame)
    {
        final byte[] bytes = HexFormat.of().parseHex(frame);
        assertEquals(LOSSLESS_VECTOR, bytes[17]);
        return (bytes[24] & 0xFF) << 8 | bytes[25] & 0xFF;
    }
}
