package org.fibnuma.core.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The directory in which processes of this user keep what ends with them: control sockets ({@code NAME.sock}) and, in
 * a directory for each name, records of what they change on this host. For root it is {@code /run/fibnuma}; else
 * {@code $XDG_RUNTIME_DIR/fibnuma}, or {@code /tmp/fibnuma-UID} where that is not set.
 */
public final class RunDirectory
{
    private static final Path RUN = Path.of("/run/fibnuma");
    private static final String SOCKET_SUFFIX = ".sock";
    private static final int ROOT = 0;

    private RunDirectory()
    {
    }

    /**
     * That of the user who runs this process.
     *
     * @return an absolute path; it need not exist.
     */
    public static Path path()
    {
        return of(uid(), System.getenv("XDG_RUNTIME_DIR"));
    }

    static Path of(final int uid, final String runtimeDirectory)
    {
        if (uid == ROOT)
        {
            return RUN;
        }
        return runtimeDirectory == null || runtimeDirectory.isEmpty() ?
            Path.of("/tmp/fibnuma-" + uid) : Path.of(runtimeDirectory, "fibnuma");
    }

    /**
     * The control socket of a router that this user runs.
     *
     * @param name of the router.
     * @return {@code /run/fibnuma/NAME.sock} for root.
     */
    public static Path controlSocketOf(final String name)
    {
        return controlSocketOf(path(), name);
    }

    static Path controlSocketOf(final Path run, final String name)
    {
        return run.resolve(name + SOCKET_SUFFIX);
    }

    /**
     * The directory in which a router or endpoint records what it changes on this host.
     *
     * @param name of the router or endpoint.
     * @return {@code /run/fibnuma/NAME} for root; it need not exist.
     */
    public static Path recordsOf(final String name)
    {
        return path().resolve(name);
    }

    /**
     * Makes a directory where it is missing, closed to others: nobody slips in before the files in it have their modes.
     *
     * @param directory usually {@link #path()}.
     * @throws IOException with one line for the user where it cannot be made or is another user's.
     */
    public static void make(final Path directory) throws IOException
    {
        Files.createDirectories(
            directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        if (!Files.getAttribute(directory, "unix:uid").equals(uid()))
        {
            throw new IOException(directory + " belongs to another user; remove it");
        }
    }

    private static int uid()
    {
        try
        {
            return (Integer)Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException("cannot tell the user of this process: /proc is not mounted", ex);
        }
    }
}
