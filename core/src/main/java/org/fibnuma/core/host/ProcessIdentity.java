package org.fibnuma.core.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which process: a number alone is used again after its end.
 *
 * @param namespace of process numbers, as {@code /proc/self/ns/pid} names it.
 * @param pid       in that namespace.
 * @param start     clock ticks from boot to its start (proc(5), {@code /proc/PID/stat}, field 22).
 */
record ProcessIdentity(String namespace, long pid, long start)
{
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

    /** Of the fields behind the command, of which the state is the third of the file. */
    private static final int START_FIELD = 22 - 3;

    /** The process that calls. */
    static ProcessIdentity own() throws IOException
    {
        final long pid = ProcessHandle.current().pid();
        return new ProcessIdentity(Files.readSymbolicLink(NAMESPACE).toString(), pid, startOf(pid));
    }

    /** Whether it has ended; of a process of another namespace that cannot be seen, and the answer is no. */
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
        // The command is in parentheses and may have blanks and parentheses itself.
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[START_FIELD]);
    }
}
