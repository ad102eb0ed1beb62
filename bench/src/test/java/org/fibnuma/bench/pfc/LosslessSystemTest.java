package org.fibnuma.bench.pfc;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.system.LabDevice;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Lossless priorities on the wire, over the ports that {@code -Dfibnuma.system.device} names.
 * {@code -Dfibnuma.pfc.seconds=60} holds the traffic for longer than the default.
 */
@NamespaceTest("scapy")
class LosslessSystemTest
{
    private static final Duration DURATION = Duration.ofSeconds(Integer.getInteger("fibnuma.pfc.seconds", 2));
    private static final Duration UNHINDERED = Duration.ofSeconds(1);
    /** With the other one as near to a gigabit as this machine comes. */
    private static final double LOSSLESS_RATE = 900e6;
    private static final double LOSSY_RATE = 50e6;
    private static final double STORM_RATE = 200e6;
    private static final double SLOW_RATE = 100e6;
    private static final long PERIOD_NS = 4_000_000;
    /** Three of four milliseconds at a gigabit. */
    private static final int HOLD_QUANTA = 5_859;
    private static final String MARKS = "xoff-bytes = 20000\nxon-bytes = 5000\n";

    @BeforeEach
    void needs()
    {
        LabDevice.chosen().requireHost();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pooc", "cdptc", "drain"})
    void shouldLoseNothingBehindAnEgressThatIsPaused(final String policy, final TestReporter reporter) throws Exception
    {
        try (LosslessLab lab = LosslessLab.open("policy = \"" + policy + "\"\n" + MARKS, true))
        {
            load(lab, reporter, () -> holdBack(lab));
            assertNothingLost(lab);
            assertPausesOfTheWire(lab);
            final JsonNode right = lab.pfc("right");
            // Late frames may follow each other closely; then they renew one pause.
            final double asked = lab.sink().pauses() * 512.0 * HOLD_QUANTA;
            assertTrue(right.path("pausedRxNs").asDouble() <= 1.001 * asked, right.toString());
            assertTrue(right.path("pausedRxNs").asDouble() >= 0.8 * asked, right.toString());
            final JsonNode left = lab.pfc("left");
            assertTrue(left.path("xonTx").asLong() > 0, left.toString());
            assertTrue(left.path("pausedTxNs").asDouble() <= 1.01 * right.path("pausedRxNs").asDouble(),
                left + ", egress " + right);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pooc", "cdptc", "drain"})
    void shouldLoseNothingBehindAnEgressOfLimitedRate(final String policy, final TestReporter reporter) throws Exception
    {
        try (LosslessLab lab = LosslessLab.open("policy = \"" + policy + "\"\n" + MARKS, true))
        {
            load(lab, reporter, () -> lab.pattern(new SlowSink(lab.sink(), SLOW_RATE, System.nanoTime())));
            assertNothingLost(lab);
            assertPausesOfTheWire(lab);
        }
    }

    @Test
    void shouldGoByTheTagAndKeepIt()
    {
        try (LosslessLab lab = LosslessLab.open("classify = \"pcp\"\n" + MARKS, true))
        {
            lab.sender().byTag();
            holdBack(lab);
            lab.sender().stream(LosslessLab.LOSSLESS, STORM_RATE).stream(LosslessLab.LOSSY, LOSSY_RATE);
            lab.run(UNHINDERED);
            lab.drain();
            assertEquals("[]", lab.drops().path("drops").toString());
            assertTrue(lab.pfc("left").path("xoffTx").asLong() > 10, lab.pfc("left").toString());
            final long missing = lab.sender().sent(LosslessLab.LOSSLESS) - lab.sink().tagged(LosslessLab.LOSSLESS);
            assertTrue(missing <= lab.lostOnTheWay(), missing + " missing, lost on the way " + lab.lostOnTheWay());
            assertTrue(lab.sink().tagged(LosslessLab.LOSSY) > 0);
            assertEquals(0, lab.sink().received(LosslessLab.LOSSLESS) + lab.sink().received(LosslessLab.LOSSY));
        }
    }

    @Test
    void shouldDropWhatADisobedientSenderSendsBeyondTheHeadroomAndSeeTheStorm()
    {
        try (LosslessLab lab = LosslessLab.open(
            MARKS + "watchdog = \"alert\"\nheadroom-bytes = 4000000\n", false))
        {
            lab.every(10_000_000, () -> lab.sink().pause(LosslessLab.LOSSLESS, 65_535));
            lab.run(Duration.ofMillis(50));
            lab.sender().stream(LosslessLab.LOSSLESS, STORM_RATE);
            lab.run(Duration.ofMillis(60));
            assertEquals(0, lab.pfc("left").path("droppedBeyondHeadroom").asLong(), "there is room still");
            runUntil(lab, () -> lab.pfc("left").path("droppedBeyondHeadroom").asLong() > 0 &&
                lab.pfc("right").path("storm").asBoolean());
            final JsonNode left = lab.pfc("left");
            assertTrue(left.path("droppedBeyondHeadroom").asLong() > 0, left.toString());
            assertEquals(4_000_000, left.path("headroomHighWater").asLong(), 1600.0, left.toString());
            final JsonNode storm = lab.pfc("right");
            assertTrue(storm.path("storm").asBoolean(), storm.toString());

            lab.sender().stream(LosslessLab.LOSSLESS, 0);
            lab.every(10_000_000, () -> lab.sink().pause(LosslessLab.LOSSLESS, 0));
            runUntil(lab, () -> !lab.pfc("right").path("storm").asBoolean() && lab.log().stream().anyMatch(
                line -> line.contains("port right: the storm of pauses for priority 3 is over")));
            final JsonNode right = lab.pfc("right");
            assertEquals(right.path("stormsDetected"), right.path("stormsRestored"), right.toString());
            assertEquals(right.path("stormsDetected").asLong(), lab.log().stream().filter(line -> line.contains(
                "port right: storm of pauses: the peer has stopped priority 3 for 200 ms")).count());
            assertTrue(right.path("xonRx").asLong() > 10, right.toString());
            final JsonNode drops = lab.drops();
            assertEquals("pfc-beyond-headroom", drops.path("drops").path(0).path("reason").asText());
            assertTrue(drops.path("balanced").asBoolean());
        }
    }

    private static void runUntil(final LosslessLab lab, final BooleanSupplier condition)
    {
        for (int i = 0; i < 100 && !condition.getAsBoolean(); i++)
        {
            lab.run(Duration.ofMillis(100));
        }
    }

    private static void holdBack(final LosslessLab lab)
    {
        lab.every(PERIOD_NS, () -> lab.sink().pause(LosslessLab.LOSSLESS, HOLD_QUANTA));
    }

    /**
     * Traffic without and with something in its way: what is sent of the other priority arrives. The rates are
     * published.
     */
    private static void load(final LosslessLab lab, final TestReporter reporter, final Runnable hindrance)
    {
        lab.sender().stream(LosslessLab.LOSSLESS, LOSSLESS_RATE).stream(LosslessLab.LOSSY, LOSSY_RATE);
        lab.run(UNHINDERED);
        final long lossless = lab.sender().sent(LosslessLab.LOSSLESS);
        final long offered = lab.sender().sent(LosslessLab.LOSSY);
        final long before = lab.sink().received(LosslessLab.LOSSY);
        hindrance.run();
        lab.run(DURATION);
        final long moreLossless = lab.sender().sent(LosslessLab.LOSSLESS) - lossless;
        final long moreOffered = lab.sender().sent(LosslessLab.LOSSY) - offered;
        lab.drain();
        final long held = lab.sink().received(LosslessLab.LOSSY) - before;
        final String rates = String.format("lossless %.0f Mb/s without, %.0f with, the other one %.1f and %.1f",
            megabits(lossless, UNHINDERED), megabits(moreLossless, DURATION), megabits(before, UNHINDERED),
            megabits(held, DURATION));
        reporter.publishEntry("rates", rates + ", lost on the way " + lab.lostOnTheWay());
        assertTrue(held + lab.lostOnTheWay() >= 0.95 * moreOffered, held + " of " + moreOffered + ": " + rates);
    }

    private static double megabits(final long frames, final Duration duration)
    {
        return frames * LosslessLab.FRAME_LENGTH * 8 / 1e3 / duration.toMillis();
    }

    private static void assertNothingLost(final LosslessLab lab)
    {
        final JsonNode drops = lab.drops();
        assertEquals("[]", drops.path("drops").toString(),
            () -> lab.pfc("left") + ", lost on the way " + lab.lostOnTheWay());
        assertTrue(drops.path("balanced").asBoolean());
        final long missing = lab.sender().sent(LosslessLab.LOSSLESS) - lab.sink().received(LosslessLab.LOSSLESS);
        assertTrue(missing <= lab.lostOnTheWay(), missing + " missing, lost on the way " + lab.lostOnTheWay());
    }

    private static void assertPausesOfTheWire(final LosslessLab lab) throws Exception
    {
        final List<String> lines = decode(lab.captured());
        final long pauses = lines.stream().filter(line -> !"0".equals(line)).count();
        final JsonNode left = lab.pfc("left");
        assertTrue(pauses > 0, left.toString());
        assertEquals(pauses, left.path("xoffTx").asLong(), left.toString());
        assertEquals(lines.size() - pauses, left.path("xonTx").asLong(), left.toString());
        lab.assertPausesOfTheSink();
    }

    /** The pause time of priority 3 in each frame, as scapy reads it; it has to be the only one named. */
    private static List<String> decode(final List<String> frames) throws Exception
    {
        final Path input = Files.createTempFile("fibnuma-pfc-", ".hex");
        Files.write(input, frames);
        final Process scapy = new ProcessBuilder("/usr/bin/python3", "-c",
            "import sys\n" +
            "from scapy.all import Ether\n" +
            "from scapy.contrib.mac_control import MACControlClassBasedFlowControl as Pfc\n" +
            "for line in sys.stdin:\n" +
            "    p = Ether(bytes.fromhex(line.strip()))\n" +
            "    assert p.dst == '01:80:c2:00:00:01' and len(p) == 60\n" +
            "    f = p[Pfc]\n" +
            "    assert [n for n in range(8) if getattr(f, 'c%d_enabled' % n)] == [3]\n" +
            "    print(f.c3_pause_time)\n")
            .redirectInput(input.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final List<String> lines =
            new String(scapy.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertEquals(0, scapy.waitFor());
        Files.delete(input);
        assertEquals(frames.size(), lines.size());
        return lines;
    }
}
