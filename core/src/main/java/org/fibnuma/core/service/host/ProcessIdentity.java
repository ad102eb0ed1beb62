package org.fibnuma.core.service.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Identifies a process even if its number is reused.
 *
 * @param namespace PID namespace, as in {@code /proc/self/ns/pid}.
 * @param pid       in that namespace.
 * @param start     clock ticks from boot to its start (proc(5), {@code /proc/PID/stat}, field 22).
 */
record ProcessIdentity(String namespace, long pid, long start)
{
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

    /** Index among the fields after the command, of which the first is field 3. */
    private static final int START_FIELD = 22 - 3;

    static ProcessIdentity own() throws IOException
    {
        final long pid = ProcessHandle.current().pid();
        return new ProcessIdentity(Files.readSymbolicLink(NAMESPACE).toString(), pid, startOf(pid));
    }

    /** Returns whether the process has ended; false if it is in another PID namespace, where that is unknown. */
    boolean isDead() throws IOException
    {
        if (!namespace.equals(Files.readSymbolicLink(NAMESPACE).toString()))
        {
            return false;
        }
        try
        {
            return startOf(pid) != start;
        }
        catch (final IOException ex)
        {
            return !Files.exists(Path.of("/proc", Long.toString(pid)));
        }
    }

    private static long startOf(final long pid) throws IOException
    {
        final String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        // The command is in parentheses and may contain blanks and parentheses.
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[START_FIELD]);
    }
}
