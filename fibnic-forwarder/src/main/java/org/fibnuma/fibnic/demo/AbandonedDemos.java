package org.fibnuma.fibnic.demo;

import org.fibnuma.core.SharedMemoryDirectory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.counter.CountersFile;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What demos could not clean up because they were killed outright: 1.3 MB of counters each in shared memory. */
final class AbandonedDemos
{
    private static final String PREFIX = "demo-";

    private AbandonedDemos()
    {
    }

    /** The name of this process's router. */
    static String nameOfThis()
    {
        return PREFIX + ProcessHandle.current().pid();
    }

    /** Removes the counters of demos whose process is no more. */
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
            // What cannot be listed cannot be cleaned; the demo does not need it.
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
                // Whoever makes counters replaces what a dead process left, and takes them away at the end.
                CountersFile.create(directory, 1).close();
            }
            catch (final UserException ignore)
            {
                // Another user's, or another demo is about the same.
            }
        }
    }
}
