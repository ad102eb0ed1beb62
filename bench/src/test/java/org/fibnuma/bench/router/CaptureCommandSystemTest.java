package org.fibnuma.bench.router;

import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Await;
import org.fibnuma.core.service.netns.ChildProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Captures of a router that forwards between two hosts, read by tshark, and captures that end badly. */
@Timeout(240)
@NamespaceTest({"tshark", "ping"})
class CaptureCommandSystemTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern COUNTS = Pattern.compile("frames captured: (\\d+), lost: (\\d+)");
    /** An echo is received and sent twice. */
    private static final int FRAMES_PER_ECHO = 4;
    /** More than the ring of a worker and a socket hold of 1,400 bytes. */
    private static final int FLOOD = 3000;

    @AutoClose
    private static RouterLifeLab lab;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start()
    {
        lab = RouterLifeLab.open();
        lab.start();
        lab.assertPings(1);
    }

    @Test
    void shouldHaveFramesReceivedSentAndDropped()
    {
        final Path file = directory.resolve("all.pcapng");
        try (ChildProcess capture = capture("--drops", "--filter", "icmp", "-w", file.toString()))
        {
            assertEquals(3, echoes("-c", "3", "-i", "0.05"));
            lab.left().run("sh", "-c", "ping -n -c 1 -t 1 -W 1 10.0.1.2; true");
            lab.assertPings(1);
            final ChildProcess second = ChildProcess.start(
                lab.command("capture", "-w", directory.resolve("second").toString()));
            assertEquals(1, second.awaitExit(PATIENCE));
            assertEquals(
                List.of("fibnuma: another capture runs; a router makes one at a time: end that first"),
                second.errors());
            capture.terminate();
            assertEquals(0, capture.awaitExit(PATIENCE));
            assertEquals(0, lost(capture));
        }
        final List<String> frames = tshark(file, "frame.interface_name", "frame.packet_flags_direction", "icmp.type",
            "ip.ttl", "frame.comment");
        assertEquals(4, count(frames, "left|0x00000001|8|64|"));
        assertEquals(4, count(frames, "right|0x00000002|8|63|"));
        assertEquals(4, count(frames, "right|0x00000001|0|64|"));
        assertEquals(4, count(frames, "left|0x00000002|0|63|"));
        assertEquals(1, count(frames, "left|0x00000001|8|1|"));
        assertEquals(1, count(frames, "left|0x00000001|8|1|dropped: ipv4-ttl-expired"));
        // Its TTL, and in it that of the expired packet.
        assertEquals(1, frames.stream().filter(frame -> frame.startsWith("left|0x00000002|11")).count());
        assertEquals(4 * FRAMES_PER_ECHO + 3, frames.size(), String.join("\n", frames));
    }

    @Test
    void shouldHaveOnlyWhatWasAskedForAndEndByItself()
    {
        final Path file = directory.resolve("few.pcapng");
        try (ChildProcess capture = capture(
            "--port", "right", "--direction", "out", "--filter", "icmp and dst host 10.0.1.2", "--count", "2",
            "--snaplen", "40", "-w", file.toString()))
        {
            lab.assertPings(4);
            assertEquals(0, capture.awaitExit(PATIENCE));
        }
        assertEquals(
            List.of("right|40|98|0x00000002", "right|40|98|0x00000002"),
            tshark(file, "frame.interface_name", "frame.cap_len", "frame.len", "frame.packet_flags_direction"));
        final ChildProcess wrong = ChildProcess.start(
            lab.command("capture", "--filter", "udp and (", "-w", file.toString()));
        assertEquals(1, wrong.awaitExit(PATIENCE));
        assertEquals(
            List.of("fibnuma: filter \"udp and (\": can't parse filter expression: syntax error"), wrong.errors());
    }

    @Test
    void shouldKeepAReadableFileOnAFullDisk()
    {
        final String mount = directory.toString();
        final String file = mount + "/full.pcapng";
        final String script = "mount -t tmpfs -o size=64k tmpfs " + mount + " && \"$@\"; echo status $?; " +
            "tshark -r " + file + " 2>/dev/null | wc -l";
        try (ChildProcess capture = start(List.of("unshare", "-m", "sh", "-c", script, "sh"), "-w", file))
        {
            assertEquals(100, echoes("-f", "-c", "100", "-s", "1400"));
            assertEquals(0, capture.awaitExit(PATIENCE));
            assertEquals("status 1", capture.output().get(0));
            final long frames = counts(capture, 1);
            assertTrue(frames > 20, () -> capture.errors().toString());
            assertTrue(lost(capture) > 0);
            assertEquals(Long.toString(frames), capture.output().get(1).strip());
            assertTrue(capture.errors().stream().anyMatch(line ->
                line.startsWith("fibnuma: cannot write " + file + ": No space left on device; ")));
        }
        lab.assertPings(1);
    }

    @Test
    void shouldEndWithItsPipe()
    {
        final String script = "\"$@\" | head -c 2000 | wc -c; echo ${PIPESTATUS[0]}";
        try (ChildProcess capture = start(List.of("bash", "-c", script, "bash"), "-w", "-"))
        {
            // head may read late: only a frame after its end shows that the pipe is broken.
            Await.until("the capture to end", () -> echoes("-c", "20", "-i", "0.02") == 20 && !capture.isAlive());
            assertEquals(0, capture.awaitExit(PATIENCE));
            assertEquals(List.of("2000", "1"), capture.output().stream().map(String::strip).toList());
            assertTrue(capture.errors().stream().anyMatch(line ->
                line.startsWith("fibnuma: cannot write standard output: Broken pipe; frames captured: ")));
        }
        lab.assertPings(1);
    }

    @Test
    void shouldLeaveAReadableFileWhenKilledAndLetTheNextOneCapture()
    {
        final Path file = directory.resolve("killed.pcapng");
        try (ChildProcess capture = capture("-w", file.toString()))
        {
            assertEquals(20, echoes("-c", "20", "-i", "0.02"));
            Await.atLeast("frames in the file", 20 * FRAMES_PER_ECHO, () -> (long)tshark(file, "frame.number").size());
            capture.kill();
            capture.awaitExit(PATIENCE);
        }
        assertEquals(20 * FRAMES_PER_ECHO, tshark(file, "frame.number").size());
        try (ChildProcess next = capture("--seconds", "1", "-w", directory.resolve("next.pcapng").toString()))
        {
            assertEquals(0, next.awaitExit(PATIENCE));
        }
    }

    @Test
    void shouldForwardEverythingPastACommandThatStandsStill()
    {
        try (ChildProcess capture = capture("--filter", "icmp", "-w", directory.resolve("slow.pcapng").toString()))
        {
            ChildProcess.run(PATIENCE, "sh", "-c", "kill -STOP " + capture.pid());
            assertEquals(FLOOD, echoes("-f", "-c", Integer.toString(FLOOD), "-s", "1400"));
            ChildProcess.run(PATIENCE, "sh", "-c", "kill -CONT " + capture.pid());
            capture.terminate();
            assertEquals(0, capture.awaitExit(PATIENCE));
            assertTrue(lost(capture) > 0);
            assertEquals((long)FLOOD * FRAMES_PER_ECHO, counts(capture, 1) + lost(capture));
        }
    }

    private static ChildProcess capture(final String... options)
    {
        return start(List.of(), options);
    }

    private static ChildProcess start(final List<String> wrapper, final String... options)
    {
        return RouterLifeLab.startUntilItRuns("fibnuma: capturing at ", Stream.concat(
            wrapper.stream(), Stream.of(lab.command("capture", options))).toArray(String[]::new));
    }

    /** Sends echo requests from left to right and returns how many were answered. */
    private static int echoes(final String... options)
    {
        final List<String> command = new ArrayList<>(List.of("ping", "-n", "-q", "-W", "20"));
        command.addAll(Arrays.asList(options));
        command.add("10.0.1.2");
        final Matcher received = Pattern.compile("(\\d+) received")
            .matcher(lab.left().run(command.toArray(new String[0])));
        assertTrue(received.find());
        return Integer.parseInt(received.group(1));
    }

    /** Returns the fields of each frame, separated by bars; reading also succeeds for a file that still grows. */
    private static List<String> tshark(final Path file, final String... fields)
    {
        final String script = "tshark -n -r " + file + " -T fields -E separator='|' -e " + String.join(" -e ", fields);
        return ChildProcess.run(PATIENCE, "sh", "-c", script + " 2>/dev/null || true").lines().toList();
    }

    private static long count(final List<String> frames, final String frame)
    {
        return frames.stream().filter(frame::equals).count();
    }

    private static long lost(final ChildProcess capture)
    {
        return counts(capture, 2);
    }

    private static long counts(final ChildProcess capture, final int group)
    {
        final Matcher counts = COUNTS.matcher(String.join("\n", capture.errors()));
        assertTrue(counts.find(), () -> capture.errors().toString());
        return Long.parseLong(counts.group(group));
    }
}
