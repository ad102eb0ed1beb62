package org.fibnuma.fibnic.demo;

import org.fibnuma.core.SharedMemoryDirectory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.counter.CountersFile;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Removes the counters of demos that SIGKILL has ended, 1.4 MB of shared memory each. */
final class AbandonedDemos
{
    private static final String PREFIX = "demo-";

    private AbandonedDemos()
    {
    }

    /** Returns the name of the router of this process. */
    static String nameOfThis()
    {
        return PREFIX + ProcessHandle.current().pid();
    }

    /** Removes the counters of demos whose process has ended. */
    static void remove()
    {
        final String pattern = CountersFile.directoryOf(PREFIX).getFileName() + "*";
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(SharedMemoryDirectory.path(), pattern))
        {
            for (final Path directory : directories)
            {
                removeAbandoned(directory);
            }
        }
        catch (final IOException ignore)
        {
            // The demo works without this.
        }
    }

    private static void removeAbandoned(final Path directory)
    {
        final String name = directory.getFileName().toString();
        final String pid = name.substring(name.lastIndexOf('-') + 1);
        if (pid.matches("[0-9]{1,9}") && ProcessHandle.of(Long.parseLong(pid)).isEmpty())
        {
            try
            {
                // New counters replace those of a dead process; closing removes them.
                CountersFile.create(directory, 1).close();
            }
            catch (final UserException ignore)
            {
                // The counters belong to another user, or another demo removes them now.
            }
        }
    }
}
