package org.fibnuma.bench.control;

import org.fibnuma.bench.lab.Rounds;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long a table took from a BGP neighbour to the router by FPM, and to the kernel.
 *
 * @param routes           number of routes.
 * @param announcedSeconds from the first UPDATE until TCP had taken the last one.
 * @param fibSeconds       from the first UPDATE until the router's FIB had all routes.
 * @param kernelSeconds    from the first UPDATE until the kernel had all routes; it is looked at once a second.
 * @param cpuSeconds       CPU time by process and thread until both had all.
 * @param memoryMiB        memory of each process then.
 */
record FpmResult(
    int routes,
    double announcedSeconds,
    double fibSeconds,
    double kernelSeconds,
    Map<String, Double> cpuSeconds,
    Map<String, Long> memoryMiB)
{
    /** Threads with less are left out. */
    private static final double LEAST_SECONDS = 0.1;

    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("routes", routes);
        map.put("announcedSeconds", Rounds.rounded(announcedSeconds, 2));
        map.put("fibSeconds", Rounds.rounded(fibSeconds, 2));
        map.put("kernelSeconds", Rounds.rounded(kernelSeconds, 2));
        final Map<String, Object> threads = new LinkedHashMap<>();
        cpuSeconds.forEach((thread, seconds) ->
        {
            if (seconds >= LEAST_SECONDS)
            {
                threads.put(thread, Rounds.rounded(seconds, 2));
            }
        });
        map.put("cpuSeconds", threads);
        map.put("memoryMiB", memoryMiB);
        return map;
    }

    void print(final PrintWriter out)
    {
        out.printf("%,d IPv4 routes of a BGP neighbour, seconds from the first UPDATE%n", routes);
        out.printf("%-28s %7.2f%n", "announced", announcedSeconds);
        out.printf("%-28s %7.2f%n", "in the router's FIB, by FPM", fibSeconds);
        out.printf("%-28s %7.2f%n", "in the kernel, by zebra", kernelSeconds);
        out.printf("%-28s %7s%n", "thread", "CPU s");
        cpuSeconds.forEach((thread, seconds) ->
        {
            if (seconds >= LEAST_SECONDS)
            {
                out.printf("%-28s %7.2f%n", thread, seconds);
            }
        });
        memoryMiB.forEach((process, mib) -> out.printf("%-28s %7d MiB%n", process, mib));
    }
}
