package org.fibnuma.bench.soak;

import org.fibnuma.bench.lab.RouterMemory;
import org.fibnuma.bench.lab.RouterProcess;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the router uses.
 *
 * @param heapBytes   bytes of reachable objects.
 * @param rssBytes    resident memory outside the heap.
 * @param descriptors open files.
 * @param threads     threads of the process.
 */
record Usage(long heapBytes, long rssBytes, long descriptors, long threads)
{
    private static final long MEBIBYTE = 1 << 20;
    private static final String THREADS = "Threads:";
    private static final List<Limit> LIMITS = List.of(
        new Limit("heapBytes", 10, 16 * MEBIBYTE, "10 % or 16 MiB"),
        // Code is compiled after the warm-up too, and the collector's own memory grows with the committed heap.
        new Limit("rssBytes", 10, 64 * MEBIBYTE, "10 % or 64 MiB"),
        // Jars are opened at their first use.
        new Limit("descriptors", 0, 4, "4"),
        // The JVM starts threads for compilers and collections as it needs them.
        new Limit("threads", 0, 4, "4"));

    /** Measures a router, which collects its garbage first. */
    static Usage of(final RouterProcess process) throws IOException
    {
        final long heapBytes = RouterMemory.liveBytes(process);
        return new Usage(
            heapBytes, RouterMemory.trimmedBytes(process), process.settledOpenFiles(), threads(process));
    }

    /** Returns the values that are cheap to read, as text. */
    static String state(final RouterProcess process) throws IOException
    {
        return (RouterMemory.anonymousBytes(process) >>> 20) + " MiB outside the heap, " + process.openFiles() +
            " descriptors, " + threads(process) + " threads";
    }

    private static long threads(final RouterProcess process) throws IOException
    {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
            .filter(line -> line.startsWith(THREADS))
            .mapToLong(line -> Long.parseLong(line.substring(THREADS.length()).strip()))
            .findFirst().orElseThrow(() -> new IOException("the router has ended"));
    }

    /** Returns the values by their names in the result. */
    Map<String, Long> toMap()
    {
        final Map<String, Long> map = new LinkedHashMap<>();
        map.put("heapBytes", heapBytes);
        map.put("rssBytes", rssBytes);
        map.put("descriptors", descriptors);
        map.put("threads", threads);
        return map;
    }

    /** Returns a line for each value that is above that of an earlier state by more than its limit. */
    List<String> grownSince(final Usage before)
    {
        final List<String> grown = new ArrayList<>();
        for (final Limit limit : LIMITS)
        {
            final long was = before.toMap().get(limit.name);
            final long is = toMap().get(limit.name);
            if (is - was > Math.max(limit.least, was * limit.percent / 100))
            {
                grown.add(limit.name + " grew from " + was + " after the warm-up to " + is + ", by more than " +
                    limit.text);
            }
        }
        return grown;
    }

    /** Growth that is no leak: the greater one of a percentage and a number. */
    private record Limit(String name, long percent, long least, String text)
    {
    }
}
