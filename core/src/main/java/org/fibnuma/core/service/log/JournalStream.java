package org.fibnuma.core.service.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Detects whether systemd's journal reads the standard error of this process. */
final class JournalStream
{
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private JournalStream()
    {
    }

    static boolean isStandardError()
    {
        return is(System.getenv("JOURNAL_STREAM"), STANDARD_ERROR);
    }

    /**
     * Returns whether the journal reads a file. The inherited variable may be about another file.
     *
     * @param variable {@code $JOURNAL_STREAM}: device and inode, {@code 9:12345} (systemd.exec(5)); may be null.
     * @param file     to check.
     */
    static boolean is(final String variable, final Path file)
    {
        if (variable == null)
        {
            return false;
        }
        try
        {
            return variable.equals(Files.getAttribute(file, "unix:dev") + ":" + Files.getAttribute(file, "unix:ino"));
        }
        catch (final IOException ex)
        {
            return false;
        }
    }
}
