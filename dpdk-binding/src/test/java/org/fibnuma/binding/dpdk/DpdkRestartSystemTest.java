package org.fibnuma.binding.dpdk;

import org.fibnuma.core.ChildJvm;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Checks what remains when a process is killed, and when it ends in order. */
class DpdkRestartSystemTest
{
    /** About a second each; {@code JAVA_TOOL_OPTIONS=-Dfibnuma.dpdk.restarts=500} for a long run. */
    private static final int RESTARTS = Integer.getInteger("fibnuma.dpdk.restarts", 20);
    private static final String NULL = "dpdk:net_null0,size=64";
    private static final String TAP = "fibtap" + ProcessHandle.current().pid() % 100_000;
    private static final Path DIRECTORIES = Path.of("/var/run/dpdk");
    private static final Pattern OF_A_PROCESS = Pattern.compile("fibnuma-(\\d+)");
    private static final String COUNTERS = "/dev/shm/fibnuma-";
    private static final Path INTERFACES = Path.of("/sys/class/net");
    private static final Path FREE_HUGE_PAGES = Path.of("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages");

    @BeforeEach
    void require()
    {
        Require.root();
        Require.that(Files.exists(Path.of("/dev/net/tun")), "needs TAP interfaces: modprobe tun");
        RequireDpdk.libraries();
    }

    @Test
    void shouldLeaveNothingBehindWhenKilledAgainAndAgain() throws IOException, InterruptedException
    {
        endInOrder(NULL, false);
        final Set<String> files = files();
        final int pages = freeHugePages();
        for (int restart = 0; restart < RESTARTS; restart++)
        {
            final String when = "after restart " + restart;
            final boolean telemetry = restart % 2 == 1;
            final Process process = start(restart % 5 == 4 ? "dpdk:net_tap0,iface=" + TAP : NULL, telemetry);
            final String own = "fibnuma-" + process.pid();
            try
            {
                assertEquals(Set.of(), directoriesOfTheDead(), when);
                assertEquals(telemetry, Files.exists(DIRECTORIES.resolve(own)), when);
            }
            finally
            {
                kill(process);
            }
            assertEquals(telemetry ? Set.of(own) : Set.of(), directoriesOfTheDead(), when);
            assertEquals(files, files(), when);
            assertFalse(Files.exists(INTERFACES.resolve(TAP)), when);
        }
        // Others on this machine may have taken some; each restart would take one at the least.
        final int taken = pages - freeHugePages();
        assertTrue(taken < Math.max(2, RESTARTS / 2), taken + " huge pages fewer");

        endInOrder(NULL, true);
        assertEquals(Set.of(), directoriesOfTheDead());
        assertFalse(Files.exists(DIRECTORIES.resolve("fibnuma")), "the directory of processes without telemetry");
    }

    private static void endInOrder(final String device, final boolean telemetry)
        throws IOException, InterruptedException
    {
        final Process process = start(device, telemetry);
        try
        {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            assertTrue(process.waitFor(60, TimeUnit.SECONDS));
            assertEquals(0, process.exitValue());
            assertFalse(Files.exists(DIRECTORIES.resolve("fibnuma-" + process.pid())));
        }
        finally
        {
            kill(process);
        }
    }

    private static Process start(final String device, final boolean telemetry) throws IOException, InterruptedException
    {
        final Process process = ChildJvm.startServing(DpdkPortHolder.class, device, Boolean.toString(telemetry));
        boolean ready = false;
        try
        {
            // This is the first line: DPDK writes nothing to standard output.
            assertEquals("ready",
                new BufferedReader(new InputStreamReader(process.getInputStream())).readLine());
            ready = true;
            return process;
        }
        finally
        {
            if (!ready)
            {
                kill(process);
            }
        }
    }

    private static void kill(final Process process) throws InterruptedException
    {
        process.destroyForcibly();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    }

    /** Other processes of ours may live on this machine. */
    private static Set<String> directoriesOfTheDead() throws IOException
    {
        try (Stream<Path> found = Files.list(DIRECTORIES))
        {
            return found.map(path -> path.getFileName().toString()).filter(name ->
            {
                final Matcher matcher = OF_A_PROCESS.matcher(name);
                return matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty();
            }).collect(Collectors.toSet());
        }
    }

    /**
     * Lists the named memory that DPDK creates. Counters of routers ({@code /dev/shm/fibnuma-NAME}) are not among it:
     * the process of this test has none, and other routers on this machine may come and go.
     */
    private static Set<String> files() throws IOException
    {
        final List<Path> places = new ArrayList<>(List.of(Path.of("/dev/shm")));
        for (final String mount : Files.readAllLines(Path.of("/proc/mounts")))
        {
            final String[] fields = mount.split(" ");
            if ("hugetlbfs".equals(fields[2]))
            {
                places.add(Path.of(fields[1]));
            }
        }
        final Set<String> files = new TreeSet<>();
        for (final Path place : places)
        {
            try (Stream<Path> found = Files.list(place))
            {
                found.map(Path::toString).filter(name -> name.matches(".*/(rte|.*(fibnuma|rtemap)).*"))
                    .filter(name -> !name.startsWith(COUNTERS)).forEach(files::add);
            }
        }
        return files;
    }

    private static int freeHugePages() throws IOException
    {
        return Files.exists(FREE_HUGE_PAGES) ? Integer.parseInt(Files.readString(FREE_HUGE_PAGES).trim()) : 0;
    }
}
