package org.fibnuma.binding.libc;

import org.fibnuma.core.UserException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses the directory in which jffi extracts the native library of its jar. It must be writable and not mounted
 * noexec. jffi tries only the directory for temporary files and the current directory, and a machine may forbid both.
 */
final class ExtractDirectory
{
    private static final String PROPERTY = "jffi.extract.dir";

    private ExtractDirectory()
    {
    }

    /**
     * Sets jffi's property before jffi loads, unless it or the environment variable is already set.
     *
     * @throws UserException with one line for the user if no directory is usable.
     */
    static void choose()
    {
        if (System.getProperty(PROPERTY) == null && System.getenv("JFFI_EXTRACT_DIR") == null)
        {
            System.setProperty(PROPERTY, firstOf(
                Stream.of(System.getProperty("java.io.tmpdir"), "/var/tmp", "/dev/shm", "/run", "/tmp",
                    System.getProperty("user.home"), System.getProperty("user.dir")).distinct().map(Path::of).toList())
                .toString());
        }
    }

    static Path firstOf(final List<Path> directories)
    {
        return directories.stream().filter(ExtractDirectory::mayHoldPrograms).findFirst()
            .orElseThrow(() -> new UserException("native calls need a directory that may be written and is not " +
                "mounted noexec; none of " + directories.stream().map(Path::toString).collect(
                Collectors.joining(", ")) + " is: give one by FIBNUMA_JAVA_OPTS=-D" + PROPERTY + "=DIRECTORY"));
    }

    /**
     * Returns whether a file in the directory can be executed, which access(2) refuses on a file system mounted noexec.
     */
    private static boolean mayHoldPrograms(final Path directory)
    {
        Path file = null;
        try
        {
            file = Files.createTempFile(directory, "fibnuma-", "",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return Files.isExecutable(file);
        }
        catch (final IOException ex)
        {
            return false;
        }
        finally
        {
            delete(file);
        }
    }

    private static void delete(final Path file)
    {
        try
        {
            if (file != null)
            {
                Files.deleteIfExists(file);
            }
        }
        catch (final IOException ignore)
        {
            // The file is empty and lies in a directory for temporary files.
        }
    }
}
