package org.fibnuma.bench.forward;

import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.DpdkTelemetry;
import org.fibnuma.bench.lab.Testpmd;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * DPDK's sample router l3fwd, built from the source in DPDK's package, with the whole tables in rte_lpm, whose lookup
 * resolves four addresses at a time, and in rte_lpm6, which l3fwd calls for each frame.
 */
public final class L3fwdProgram
{
    /** Name in the results. */
    public static final String NAME = "l3fwd";

    private static final Path EXAMPLES = Path.of("/usr/share/dpdk/examples");
    private static final Path SOURCE = EXAMPLES.resolve("l3fwd");
    /** End of the names of C files that are included by other files and not compiled. */
    private static final String INCLUDED = "_route_parse.c";
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    /** Longest start: rte_lpm scans all routes of a length for each new route, half a minute for 950,000 routes. */
    private static final Duration START_PATIENCE = Duration.ofMinutes(10);
    /** Shell command that filters the line that l3fwd prints for each added route. */
    private static final String QUIETLY = "exec \"$@\" > >(exec grep -v --line-buffered 'Adding route')";

    private final Path directory;

    private L3fwdProgram(final Path directory)
    {
        this.directory = directory;
    }

    /** Returns one line with what to install to build l3fwd, or null if nothing is missing. */
    public static String missing()
    {
        final List<String> missing = new ArrayList<>();
        if (!ChildProcess.isInstalled("gcc"))
        {
            missing.add("gcc");
        }
        if (!ChildProcess.isInstalled("pkg-config"))
        {
            missing.add("pkg-config");
        }
        else if (!hasLibrary())
        {
            missing.add("libdpdk-dev");
        }
        if (!Files.isReadable(SOURCE.resolve("main.c")))
        {
            missing.add("dpdk-doc");
        }
        return missing.isEmpty() ? null : "DPDK's sample router is built from its source, for which something is " +
            "not installed: apt-get install " + String.join(" ", missing);
    }

    private static boolean hasLibrary()
    {
        try
        {
            ChildProcess.run(PATIENCE, "pkg-config", "--exists", "libdpdk");
            return true;
        }
        catch (final UserException ignore)
        {
            return false;
        }
    }

    /**
     * Builds l3fwd.
     *
     * @param table  routes, which all lead to its second device.
     * @param frames that its devices may keep, besides those on the way.
     * @param parent directory that gets a subdirectory with the program.
     * @return the program, ready to run.
     * @throws UserException if the source is of another version or does not compile.
     */
    public static L3fwdProgram build(final DualStackTable table, final int frames, final Path parent)
    {
        final L3fwdProgram program = new L3fwdProgram(parent.resolve("l3fwd"));
        try
        {
            Files.createDirectory(program.directory);
            final L3fwdRules rules = new L3fwdRules(table);
            new L3fwdSource(SOURCE).copy(program.directory, L3fwdSource.changes(rules, frames));
            rules.write(program.ipv4Rules(), program.ipv6Rules());
            program.compile();
            return program;
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot build l3fwd in " + program.directory + ": " + ex.getMessage(), ex);
        }
    }

    private void compile() throws IOException
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "-O3", "-march=native", "-w", "-DALLOW_EXPERIMENTAL_API", "-I" + EXAMPLES.resolve("common"),
            "-o", directory.resolve(NAME).toString()));
        try (Stream<Path> files = Files.list(directory))
        {
            files.map(Path::toString).filter(name -> name.endsWith(".c")).sorted()
                .filter(name -> !name.endsWith(INCLUDED)).forEach(arguments::add);
        }
        arguments.addAll(Arrays.asList(
            ChildProcess.run(PATIENCE, "pkg-config", "--cflags", "--libs", "libdpdk").trim().split("\\s+")));
        final Path file = directory.resolve("arguments");
        Files.write(file, arguments);
        ChildProcess.run(PATIENCE, "gcc", "@" + file);
    }

    /**
     * Starts the program.
     *
     * @param host host that it runs in.
     * @param core of its thread.
     * @param in   DPDK's description of the first device.
     * @param out  of the second one, to which all routes lead.
     * @return the running program.
     * @throws UserException if it does not start.
     */
    public Contestant.Running start(final Host host, final int core, final String in, final String out)
    {
        final String prefix = Testpmd.prefix("bench-l3fwd");
        final ChildProcess l3fwd = host.start(
            "bash", "-c", QUIETLY, NAME, directory.resolve(NAME).toString(),
            "--no-pci", "--in-memory", "--log-level=lib.eal:warning", "--file-prefix", prefix,
            "--lcores", "0@" + core, "--vdev", in, "--vdev", out,
            "--", "-p", "0x3", "-P", "--parse-ptype", "--lookup=lpm", "--config", "(0,0,0),(1,0,0)",
            "--rule_ipv4=" + ipv4Rules(), "--rule_ipv6=" + ipv6Rules());
        try
        {
            // This is the last complete line before l3fwd forwards: later output stays in its buffer.
            l3fwd.awaitLine("Port 1: softly parse packet type info"::equals, START_PATIENCE);
            return Contestant.Running.of(NAME, l3fwd, DpdkTelemetry.connect(prefix));
        }
        catch (final RuntimeException ex)
        {
            l3fwd.close();
            DpdkTelemetry.remove(prefix);
            throw new UserException("l3fwd did not start: " + cause(l3fwd, ex) +
                " (its tables take 140 MB of huge pages, 210 MB with 200,000 IPv6 routes; " +
                "its frames 2.4 MB a thousand)", ex);
        }
    }

    /** Returns the cause that DPDK prints when it exits, or else the failure's message. */
    private static String cause(final ChildProcess l3fwd, final RuntimeException failure)
    {
        final String marker = "Cause: ";
        return l3fwd.errors().stream().filter(line -> line.contains(marker)).findFirst()
            .map(line -> line.substring(line.indexOf(marker) + marker.length())).orElse(failure.getMessage());
    }

    private Path ipv4Rules()
    {
        return directory.resolve("ipv4.rules");
    }

    private Path ipv6Rules()
    {
        return directory.resolve("ipv6.rules");
    }
}
