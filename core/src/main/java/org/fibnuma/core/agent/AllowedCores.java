package org.fibnuma.core.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The cores on which the kernel allows this process to run: those of the machine, its cpuset and its affinity. */
public final class AllowedCores
{
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String LIST = "Cpus_allowed_list:";

    private AllowedCores()
    {
    }

    /** Returns the allowed cores, a bit for each core from 0; without {@code /proc} as many as there are processors. */
    public static BitSet ofThisProcess()
    {
        try (Stream<String> lines = Files.lines(STATUS))
        {
            return lines.filter(line -> line.startsWith(LIST)).findFirst()
                .map(line -> parse(line.substring(LIST.length()).strip())).orElseGet(AllowedCores::counted);
        }
        catch (final IOException ex)
        {
            return counted();
        }
    }

    /** Parses a list such as {@code 0-3,8}. */
    static BitSet parse(final String list)
    {
        final BitSet cores = new BitSet();
        for (final String range : list.split(","))
        {
            final String[] ends = range.split("-");
            cores.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
        }
        return cores;
    }

    /** Formats cores for a message, such as {@code 0, 1}. */
    public static String format(final BitSet cores)
    {
        return cores.stream().mapToObj(Integer::toString).collect(Collectors.joining(", "));
    }

    private static BitSet counted()
    {
        final BitSet cores = new BitSet();
        cores.set(0, Runtime.getRuntime().availableProcessors());
        return cores;
    }
}
