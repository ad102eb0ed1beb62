package org.fibnuma.bench.fib;

import org.fibnuma.bench.lab.PinnedRun;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.fibnic.routes.Ipv6RouteList;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * DPDK's {@code dpdk-test-fib -6} on the same routes and addresses: {@code rte_fib6} as a trie, with its vector and its
 * scalar lookup, and {@code rte_lpm6}. It prints cycles of the time-stamp counter, whose frequency is in its log.
 */
final class DpdkTestFib
{
    static final String PROGRAM = "dpdk-test-fib";

    private static final Pattern FREQUENCY = Pattern.compile("TSC frequency is ~(\\d+) KHz");
    private static final Pattern FIB_CYCLES = Pattern.compile("AVG FIB lookup ([0-9.]+)");
    private static final Pattern LPM_CYCLES = Pattern.compile("AVG LPM lookup ([0-9.]+)");
    private static final int SLOT_BITS = 24;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Path routesFile;
    private final Path addressesFile;
    private final long tables;
    private List<String> lines = List.of();
    private final Map<String, Double> lookupsPerSecond = new LinkedHashMap<>();

    /** Writes the routes, with the adjacency of each by its index, and the addresses into a folder. */
    DpdkTestFib(
        final Path folder, final Ipv6RouteList routes, final IntUnaryOperator adjacencyOf, final SlowLpm6 reference,
        final long[] highs, final long[] lows)
    {
        routesFile = folder.resolve("routes");
        addressesFile = folder.resolve("addresses");
        tables = secondTablesOf(routes, reference);
        try (BufferedWriter text = Files.newBufferedWriter(routesFile, StandardCharsets.US_ASCII);
            BufferedWriter addresses = Files.newBufferedWriter(addressesFile, StandardCharsets.US_ASCII))
        {
            for (int i = 0; i < routes.size(); i++)
            {
                if (routes.prefix(i).length() > 0)
                {
                    text.write(routes.prefix(i) + " " + adjacencyOf.applyAsInt(i) + "\n");
                }
            }
            for (int i = 0; i < highs.length; i++)
            {
                addresses.write(Ipv6Address.format(highs[i], lows[i]) + "\n");
            }
        }
        catch (final IOException ex)
        {
            throw new UserException(folder + ": cannot be written: " + ex.getMessage());
        }
    }

    /** Measures on the last core; returns lookups per second by the name of the table. */
    Map<String, Double> measure()
    {
        run("rte_fib6 vector", "-v", "v");
        run("rte_fib6 scalar", "-v", "s");
        run("rte_fib6 scalar", "-v", "s", "-c");
        return lookupsPerSecond;
    }

    /** Returns the last line of the last run. */
    String lastOutput()
    {
        return lines.isEmpty() ? "no output" : lines.get(lines.size() - 1);
    }

    private void run(final String name, final String... options)
    {
        final List<String> command = new ArrayList<>(List.of(
            PROGRAM, "--in-memory", "--no-pci", "--force-max-simd-bitwidth=512", "--log-level=lib.eal:debug",
            "-l", Integer.toString(PinnedRun.lastCore()), "--", "-6", "-f",
            routesFile.toString(), "-t", addressesFile.toString(), "-e", "4", "-g", Long.toString(tables)));
        command.addAll(List.of(options));
        try (ChildProcess program = ChildProcess.startTied(command.toArray(new String[0])))
        {
            program.awaitExit(PATIENCE);
            lines = new ArrayList<>(program.output());
            lines.addAll(program.errors());
        }
        final String output = String.join("\n", lines);
        keep(name, FIB_CYCLES, output);
        keep("rte_lpm6", LPM_CYCLES, output);
    }

    private void keep(final String name, final Pattern cyclesOfLookup, final String output)
    {
        final Matcher frequency = FREQUENCY.matcher(output);
        final Matcher cycles = cyclesOfLookup.matcher(output);
        if (frequency.find() && cycles.find())
        {
            final double rate = Long.parseLong(frequency.group(1)) * 1e3 / Double.parseDouble(cycles.group(1));
            lookupsPerSecond.merge(name, rate, Math::max);
        }
    }

    /** Number of second-level tables that rte_fib6 reserves: one for each eight bits below the next shorter route. */
    private static long secondTablesOf(final Ipv6RouteList routes, final SlowLpm6 reference)
    {
        long tables = 1;
        for (int i = 0; i < routes.size(); i++)
        {
            final int length = routes.prefix(i).length();
            final int parent = reference.longestMatch(routes.prefix(i).high(), routes.prefix(i).low(), length - 1);
            tables += Math.max(0, levels(length) - levels(parent));
        }
        return tables + tables / 20;
    }

    private static int levels(final int length)
    {
        return Math.max(0, (length - SLOT_BITS + Byte.SIZE - 1) / Byte.SIZE);
    }
}
