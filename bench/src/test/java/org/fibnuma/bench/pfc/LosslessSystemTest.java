package org.fibnuma.bench.pfc;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Lossless priorities on the wire. {@code -Dfibnuma.pfc.seconds=60} holds the traffic for longer than the default.
 */
class LosslessSystemTest
{
    private static final Duration DURATION = Duration.ofSeconds(Integer.getInteger("fibnuma.pfc.seconds", 6));
    private static final Duration DRAIN = Duration.ofMillis(300);
    private static final double LOSSLESS_RATE = 200e6;
    private static final double LOSSY_RATE = 50e6;
    private static final long PERIOD_NS = 4_000_000;
    /** Three of four milliseconds at a gigabit. */
    private static final int HOLD_QUANTA = 5_859;
    private static final String MARKS = "xoff-bytes = 20000\nxon-bytes = 5000\n";

    @BeforeEach
    void needs()
    {
        Require.root();
        Require.scapy();
        Require.program("ip", "iproute2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pooc", "cdptc", "drain"})
    void shouldLoseNothingBehindAHeldBackEgress(final String policy) throws Exception
    {
        try (LosslessLab lab = LosslessLab.open("policy = \"" + policy + "\"\n" + MARKS, true))
        {
            holdBack(lab);
            lab.sender().stream(LosslessLab.LOSSLESS, LOSSLESS_RATE).stream(LosslessLab.LOSSY, LOSSY_RATE);
            lab.run(DURATION);
            lab.sender().stream(LosslessLab.LOSSLESS, 0).stream(LosslessLab.LOSSY, 0);
            lab.pattern(nowNs ->
            {
            });
            lab.run(DRAIN);

            final JsonNode drops = lab.drops();
            assertEquals("[]", drops.path("drops").toString());
            assertTrue(drops.path("balanced").asBoolean());
            final long missing = lab.sender().sent(LosslessLab.LOSSLESS) - lab.sink().received(LosslessLab.LOSSLESS);
            assertTrue(missing <= lab.lostOnTheWay(), missing + " missing, lost on the way " + lab.lostOnTheWay());
            assertUnharmed(lab);
            assertCountersOfTheWire(lab, policy);
        }
    }

    @Test
    void shouldDropWhatADisobedientSenderSendsBeyondTheHeadroomAndSeeTheStorm()
    {
        try (LosslessLab lab = LosslessLab.open(
            MARKS + "watchdog = \"alert\"\nheadroom-bytes = 3000000\n", false))
        {
            final long[] nextNs = {System.nanoTime()};
            lab.pattern(nowNs ->
            {
                if (nowNs - nextNs[0] >= 0)
                {
                    nextNs[0] = nowNs + 10_000_000;
                    lab.sink().pause(LosslessLab.LOSSLESS, 65_535);
                }
            });
            lab.run(Duration.ofMillis(50));
            lab.sender().stream(LosslessLab.LOSSLESS, LOSSLESS_RATE);
            lab.run(Duration.ofMillis(60));
            assertEquals(0, lab.pfc("left").path("droppedBeyondHeadroom").asLong(), "there is room still");
            lab.run(Duration.ofMillis(900));
            final JsonNode left = lab.pfc("left");
            assertTrue(left.path("droppedBeyondHeadroom").asLong() > 0, left.toString());
            assertEquals(3_000_000, left.path("headroomHighWater").asLong(), 1024.0, left.toString());
            assertEquals(1, lab.pfc("right").path("stormsDetected").asLong());

            lab.sender().stream(LosslessLab.LOSSLESS, 0);
            lab.pattern(nowNs ->
            {
                if (nowNs - nextNs[0] >= 0)
                {
                    nextNs[0] = nowNs + 10_000_000;
                    lab.sink().pause(LosslessLab.LOSSLESS, 0);
                }
            });
            lab.run(Duration.ofMillis(900));
            final JsonNode right = lab.pfc("right");
            assertEquals(1, right.path("stormsRestored").asLong(), right.toString());
            assertTrue(right.path("xonRx").asLong() > 50, right.toString());
            final JsonNode drops = lab.drops();
            assertEquals("pfc-beyond-headroom", drops.path("drops").path(0).path("reason").asText());
            assertTrue(drops.path("balanced").asBoolean());
        }
    }

    private static void holdBack(final LosslessLab lab)
    {
        final long[] nextNs = {System.nanoTime()};
        lab.pattern(nowNs ->
        {
            if (nowNs - nextNs[0] >= 0)
            {
                nextNs[0] = nowNs + PERIOD_NS;
                lab.sink().pause(LosslessLab.LOSSLESS, HOLD_QUANTA);
            }
        });
    }

    private static void assertUnharmed(final LosslessLab lab)
    {
        final long sent = lab.sender().sent(LosslessLab.LOSSY);
        assertTrue(lab.sink().received(LosslessLab.LOSSY) >= 0.95 * sent,
            lab.sink().received(LosslessLab.LOSSY) + " of " + sent);
        final double offered = LOSSY_RATE / 8 / LosslessLab.FRAME_LENGTH * DURATION.toSeconds();
        assertTrue(sent >= 0.9 * offered, sent + " sent of " + offered);
    }

    private static void assertCountersOfTheWire(final LosslessLab lab, final String policy) throws Exception
    {
        final List<String> lines = decode(lab.captured());
        final long pauses = lines.stream().filter(line -> !"0".equals(line)).count();
        final JsonNode left = lab.pfc("left");
        assertTrue(pauses > 10, pauses + " pauses");
        assertEquals(pauses, left.path("xoffTx").asLong(), left.toString());
        assertEquals(lines.size() - pauses, left.path("xonTx").asLong(), left.toString());
        assertEquals("pooc".equals(policy), lines.contains("0"), "ends of pauses are on/off control's alone");
        final JsonNode right = lab.pfc("right");
        assertEquals(lab.sink().pauses(), right.path("xoffRx").asLong(), right.toString());
        // Late frames may follow each other closely; then they renew one pause.
        final double asked = lab.sink().pauses() * 512.0 * HOLD_QUANTA;
        assertTrue(right.path("pausedRxNs").asDouble() <= 1.001 * asked, right.toString());
        assertTrue(right.path("pausedRxNs").asDouble() >= 0.8 * asked, right.toString());
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
