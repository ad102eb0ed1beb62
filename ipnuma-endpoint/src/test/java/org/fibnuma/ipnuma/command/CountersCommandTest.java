package org.fibnuma.ipnuma.command;

import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.ipnuma.fate.DropReason;
import org.fibnuma.ipnuma.fate.EndpointCounters;
import org.fibnuma.ipnuma.fate.PeerCounterSpace;
import org.fibnuma.ipnuma.fate.PeerCounters;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CountersCommandTest
{
    @Test
    void shouldPrintMacAddresses()
    {
        final String name = "test-counters-" + ProcessHandle.current().pid();
        try (CountersFile file = CountersFile.create(CountersFile.directoryOf(name), CountersFile.DEFAULT_CAPACITY))
        {
            final PeerCounters known = new PeerCounters(
                new PeerCounterSpace(file.counters(), 100), 2, "2 10.9.0.2 fibnuma", List.of());
            known.set(PeerCounters.MAC, 0x0200_0A09_0002L);
            known.set(PeerCounters.PENDING_WRITES, 1234);
            new PeerCounters(new PeerCounterSpace(file.counters(), 100), 3, "3 10.9.0.3 fibnuma", List.of());

            final String printed = run("counters", "--name", name);
            assertTrue(printed.matches("(?s).*peer 2 mac +02:00:0a:09:00:02\n.*"), printed);
            assertTrue(printed.matches("(?s).*peer 2 pending-writes +1,234\n.*"), printed);
            assertFalse(printed.contains("peer 3"), printed);

            final String json = run("counters", "--name", name, "--json");
            assertTrue(json.contains("\"peer 2 mac\" : \"02:00:0a:09:00:02\""), json);
            assertTrue(json.contains("\"peer 3 mac\" : \"\""), json);
        }
    }

    @Test
    void shouldExplainTheReasonsThatOccurred()
    {
        final String name = "test-reasons-" + ProcessHandle.current().pid();
        try (CountersFile file = CountersFile.create(CountersFile.directoryOf(name), CountersFile.DEFAULT_CAPACITY))
        {
            final EndpointCounters counters = new EndpointCounters(file.counters());
            counters.dropped(DropReason.UNKNOWN_SOURCE);
            counters.publish();
            final String printed = run("counters", "--name", name, "--all");
            assertTrue(printed.matches("(?s).*drop unknown-source +1\n.*drop other-port +0\n.*"), printed);
            assertTrue(printed.endsWith(
                "\nunknown-source\n  The source address is not that of a peer.\n" +
                "  Add a [[peer]] with this address, or correct the address that the sender has.\n"), printed);
        }
    }

    /** A killed endpoint leaves its file, here a copy in a directory without an owner. */
    @Test
    void shouldPrintTheLastCountsOfAKilledEndpointOnce() throws IOException
    {
        final String name = "test-killed-" + ProcessHandle.current().pid();
        final Path directory = Files.createDirectory(CountersFile.directoryOf(name));
        try (CountersFile file = CountersFile.create(CountersFile.directoryOf(name + "-living"), 16))
        {
            file.counters().newCounter("frames", 1).setRelease(1234);
            Files.copy(file.file(), directory.resolve("counters"));
            final String reason = "fibnuma: process " + ProcessHandle.current().pid() + ", which wrote " +
                directory.resolve("counters") + ", has ended: start it again\n";
            for (final String watch : List.of("", "--watch"))
            {
                final StringWriter out = new StringWriter();
                final StringWriter err = new StringWriter();
                final CommandLine commandLine = IpnumaCommand.commandLine();
                commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
                final String[] command = Stream.of("counters", watch, "--name", name)
                    .filter(word -> !word.isEmpty()).toArray(String[]::new);
                assertEquals(1, commandLine.execute(command));
                assertTrue(out.toString().matches("(?s).*frames +1,234\n"), out::toString);
                assertEquals(reason, err.toString());
                for (final String other : List.of("show", "reload"))
                {
                    err.getBuffer().setLength(0);
                    assertEquals(1, commandLine.execute(other, "--name", name));
                    assertEquals(reason, err.toString());
                }
            }
        }
        finally
        {
            Files.delete(directory.resolve("counters"));
            Files.delete(directory);
        }
    }

    private static String run(final String... arguments)
    {
        final StringWriter out = new StringWriter();
        final CommandLine commandLine = IpnumaCommand.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        assertEquals(0, commandLine.execute(arguments));
        return out.toString();
    }
}
