package org.fibnuma.ipnuma.memcached.socket;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Processor time of this process in seconds with a fraction, as memcached prints it. */
record CpuTime(String user, String system)
{
    private static final Path STAT = Path.of("/proc/self/stat");
    /** USER_HZ of Linux, in hundredths of a second on every architecture that Java runs on. */
    private static final long TICKS = 100;
    /** Fields 14 and 15 of proc(5), counted from the third field, which follows the name in parentheses. */
    private static final int UTIME = 11;
    private static final int STIME = 12;

    /** Reads the processor time; 0 if the system does not provide it. */
    static CpuTime read()
    {
        try
        {
            final String stat = Files.readString(STAT, StandardCharsets.ISO_8859_1);
            final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return new CpuTime(seconds(fields[UTIME]), seconds(fields[STIME]));
        }
        catch (final IOException ex)
        {
            return new CpuTime("0", "0");
        }
    }

    private static String seconds(final String ticks)
    {
        final long count = Long.parseLong(ticks);
        return String.format("%d.%02d", count / TICKS, count % TICKS);
    }
}
