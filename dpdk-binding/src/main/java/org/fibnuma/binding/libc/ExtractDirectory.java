package org.fibnuma.binding.libc;

import org.fibnuma.core.port.PortException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where jffi lays the native library that it has in its jar: a directory that may be written and whose files may be
 * executed. jffi tries the one for temporary files and the current one only; a machine may forbid both.
 */
final class ExtractDirectory
{
    private static final String PROPERTY = "jffi.extract.dir";

    private ExtractDirectory()
    {
    }

    /**
     * Tells jffi, before it loads, unless somebody has told it already.
     *
     * @throws PortException with one line for the user where there is no such directory.
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
            .orElseThrow(() -> new PortException("native calls need a directory that may be written and is not " +
                "mounted noexec; none of " + directories.stream().map(Path::toString).collect(
                Collectors.joining(", ")) + " is: give one by FIBNUMA_JAVA_OPTS=-D" + PROPERTY + "=DIRECTORY"));
    }

    /** access(2) refuses to execute any file where the file system is mounted noexec. */
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
            // Empty, and in a directory for temporary files.
        }
    }
}
