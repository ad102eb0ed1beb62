package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.service.netns.ChildProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Traces of a router that forwards between two hosts, and its live screen in a terminal. */
@Timeout(240)
@NamespaceTest({"ping", "tmux"})
class TraceCommandSystemTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();

    @Test
    void shouldPrintTheWaysOfFramesAndShowFigures(@TempDir final Path directory) throws IOException
    {
        lab.start();
        lab.assertPings(1);
        printsForwardedFrames();
        printsAnExpiredFrameAsJson();
        refusesWhatIsWrong();
        forwardsAfterAKilledCommand();
        showsFiguresInATerminal(directory);
    }

    private void printsForwardedFrames()
    {
        try (ChildProcess trace = trace("--port", "left", "--match", "icmp and dst host 10.0.1.2", "--count", "2"))
        {
            lab.assertPings(4);
            assertEquals(0, trace.awaitExit(PATIENCE));
            final List<String> lines = trace.output();
            final List<String> frames = lines.stream().filter(line -> !line.startsWith(" ")).toList();
            assertEquals(2, frames.size(), lines::toString);
            assertTrue(frames.get(0).contains("port left, 98 bytes: IPv4 10.0.0.2 > 10.0.1.2 icmp type 8 code 0"),
                frames.get(0));
            assertEquals(2, lines.stream().filter(line -> line.contains("EgressQueues") &&
                line.endsWith("sent by right, 98 bytes")).count(), lines::toString);
            assertTrue(lines.stream().anyMatch(line -> line.contains("Ipv4Rewrite") &&
                line.contains("ttl 64 -> 63")), lines::toString);
            assertTrue(trace.errors().contains("fibnuma: frames traced: 2, lost: 0"), trace.errors()::toString);
        }
    }

    private void printsAnExpiredFrameAsJson() throws IOException
    {
        try (ChildProcess trace = trace("--match", "icmp and ip[8] = 1", "--count", "1", "--json"))
        {
            lab.left().run("sh", "-c", "ping -n -c 1 -t 1 -W 1 10.0.1.2; true");
            assertEquals(0, trace.awaitExit(PATIENCE));
            final JsonNode document = new ObjectMapper().readTree(String.join("\n", trace.output()));
            assertEquals(0, document.path("lost").asInt(-1));
            final JsonNode frame = document.path("frames").path(0);
            assertEquals("left", frame.path("port").asText());
            assertEquals("dropped", frame.path("fate").path("event").asText());
            assertEquals("ipv4-ttl-expired", frame.path("fate").path("reason").asText());
            final List<JsonNode> messages = StreamSupport.stream(frame.path("steps").spliterator(), false)
                .filter(step -> step.path("stage").asText().equals("IcmpErrors")).toList();
            assertEquals(1, messages.size(), document::toString);
            assertEquals("message-written", messages.get(0).path("event").asText());
            assertTrue(messages.get(0).path("text").asText().endsWith(" > 10.0.0.2 icmp type 11 code 0"));
        }
    }

    private void refusesWhatIsWrong()
    {
        assertRefused("fibnuma: filter \"udp and (\": can't parse filter expression: syntax error",
            "--match", "udp and (");
        assertRefused("fibnuma: no port \"top\"; the router has left, right", "--port", "top");
        try (ChildProcess first = trace("--match", "udp port 9"))
        {
            assertRefused("fibnuma: another trace runs; a router makes one at a time: end that first");
            first.terminate();
            assertEquals(0, first.awaitExit(PATIENCE));
        }
    }

    private void assertRefused(final String line, final String... options)
    {
        final ChildProcess wrong = ChildProcess.start(lab.command("trace", options));
        assertEquals(1, wrong.awaitExit(PATIENCE));
        assertEquals(List.of(line), wrong.errors());
    }

    private void forwardsAfterAKilledCommand()
    {
        try (ChildProcess trace = trace("--count", "10000"))
        {
            lab.assertPings(2);
            trace.kill();
            trace.awaitExit(PATIENCE);
        }
        lab.assertPings(2);
        // A trace starts only after the router has ended the one before and switched its tap off.
        printsForwardedFrames();
        lab.assertPings(2);
    }

    private void showsFiguresInATerminal(final Path directory) throws IOException
    {
        final Path top = Files.write(directory.resolve("top.sh"), List.of("exec '" + String.join("' '",
            lab.command("top", "--interval", "0.5")) + "'"));
        final Path before = directory.resolve("before");
        final Path after = directory.resolve("after");
        try (TmuxTerminal terminal = new TmuxTerminal(lab.router(), directory, 100, 30);
            ChildProcess ping = lab.left().start("ping", "-q", "-i", "0.01", "10.0.1.2"))
        {
            terminal.command("stty -g > " + before + "; echo earlier output");
            terminal.await("the output", screen -> screen.contains("\nearlier output\n"));
            terminal.command("sh " + top);
            final String first = terminal.await("traffic", screen -> received(screen) > 50);
            assertTrue(terminal.isFullScreen());
            assertFalse(first.contains("earlier output"), first);
            assertTrue(first.contains("\nleft   up") && first.contains("\nright  up") && first.contains("held now 0"),
                first);
            terminal.await("other numbers", screen -> received(screen) > 50 &&
                !screen.lines().toList().get(1).equals(first.lines().toList().get(1)));

            terminal.resize(50, 20);
            terminal.await("cut lines", screen -> received(screen) > 50 && screen.contains("\nWORKER") &&
                !screen.contains("held now") && screen.lines().allMatch(line -> line.length() <= 50));
            terminal.resize(120, 30);
            terminal.await("whole lines", screen -> received(screen) > 50 && screen.contains("held now 0"));

            ping.kill();
            terminal.await("no traffic", screen -> received(screen) == 0);
            terminal.type("q");
            // What is typed before the shell's prompt is echoed in front of it.
            terminal.await("the screen of the shell", screen ->
                screen.contains("earlier output\n") && screen.stripTrailing().endsWith("\n%"));
            assertTrue(terminal.isOfShell());
            terminal.command("echo status $?; stty -g > " + after + "; echo end");
            terminal.await("an end", screen -> screen.contains("\nstatus 0\nend\n"));
            assertEquals(Files.readString(before), Files.readString(after), "settings of the terminal");
        }
    }

    /** Returns the received packets a second that a screen of top shows, -1 for another screen. */
    private static double received(final String screen)
    {
        final Matcher number = Pattern.compile("packets/s:  received +([0-9.]+)(k?) ").matcher(screen);
        return !number.find() ? -1 :
            Double.parseDouble(number.group(1)) * (number.group(2).isEmpty() ? 1 : 1000);
    }

    private ChildProcess trace(final String... options)
    {
        return RouterLifeLab.startUntilItRuns("fibnuma: tracing at ", lab.command("trace", options));
    }
}
