package org.fibnuma.bench.lab;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What another process uses, from {@code /proc/PID} (proc(5)). */
public final class ProcessUsage
{
    /** {@code sysconf(_SC_CLK_TCK)} on x86-64. */
    private static final double TICKS_PER_SECOND = 100;
    /** Fields of {@code stat} after the name: state is the first, utime the 12th, stime the 13th. */
    private static final int USER_TIME = 11;
    private static final int SYSTEM_TIME = 12;
    private static final String PROPORTIONAL = "Pss:";

    private ProcessUsage()
    {
    }

    /**
     * Returns the seconds that the threads of a process have run, in user mode and in the kernel.
     *
     * @param pid of the process.
     * @return by the name of the thread, the first 15 characters of it; threads of the same name are added up.
     * @throws IOException if the process has ended.
     */
    public static Map<String, Double> cpuSeconds(final long pid) throws IOException
    {
        final Map<String, Double> seconds = new TreeMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task")))
        {
            for (final Path task : tasks)
            {
                add(task.resolve("stat"), seconds);
            }
        }
        return seconds;
    }

    private static void add(final Path stat, final Map<String, Double> seconds) throws IOException
    {
        final String line;
        try
        {
            line = Files.readString(stat);
        }
        catch (final NoSuchFileException ignore)
        {
            // The thread has ended since.
            return;
        }
        final int end = line.lastIndexOf(')');
        final String[] fields = line.substring(end + 2).split(" ");
        seconds.merge(line.substring(line.indexOf('(') + 1, end),
            (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME])) / TICKS_PER_SECOND, Double::sum);
    }

    /**
     * Returns the memory of a process, in MiB.
     *
     * @param pid of the process.
     * @return its proportional set size. The resident set of a JVM with ZGC counts its heap up to three times.
     * @throws IOException if the process has ended.
     */
    public static long memoryMiB(final long pid) throws IOException
    {
        return memoryKiB(pid) >>> 10;
    }

    /** Returns the memory of a process as {@link #memoryMiB} does, in KiB. */
    public static long memoryKiB(final long pid) throws IOException
    {
        return Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup")).stream()
            .filter(line -> line.startsWith(PROPORTIONAL))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
            .findFirst().orElseThrow(() -> new IOException("process " + pid + " has ended"));
    }
}
