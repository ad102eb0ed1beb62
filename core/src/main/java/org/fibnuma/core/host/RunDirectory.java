package org.fibnuma.core.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Directory for files of running processes of this user: control sockets ({@code NAME.sock}) and, in a directory for
 * each name, records of what they change on this host. It is {@code $RUNTIME_DIRECTORY} for a process that systemd has
 * started with a directory of its own, {@code /run/fibnuma} for any other process of root, else
 * {@code $XDG_RUNTIME_DIR/fibnuma}, or {@code /tmp/fibnuma-UID} if that variable is not set.
 */
public final class RunDirectory
{
    private static final Path RUN = Path.of("/run/fibnuma");
    /** Runtime directory of the systemd units that the Debian package contains. */
    private static final Path SERVICE = Path.of("/run/fibnuma-service");
    private static final String SOCKET_SUFFIX = ".sock";
    private static final int ROOT = 0;

    private RunDirectory()
    {
    }

    /** Returns the directory of the user who runs this process, as an absolute path; it need not exist. */
    public static Path path()
    {
        return of(uid(), System.getenv("XDG_RUNTIME_DIR"), System.getenv("RUNTIME_DIRECTORY"));
    }

    static Path of(final int uid, final String runtimeDirectory, final String serviceDirectory)
    {
        if (serviceDirectory != null && !serviceDirectory.isEmpty())
        {
            return Path.of(serviceDirectory);
        }
        if (uid == ROOT)
        {
            return RUN;
        }
        return runtimeDirectory == null || runtimeDirectory.isEmpty() ?
            Path.of("/tmp/fibnuma-" + uid) : Path.of(runtimeDirectory, "fibnuma");
    }

    /**
     * Returns the control socket of a router of this user by its name, such as {@code /run/fibnuma/NAME.sock} for root.
     */
    public static Path controlSocketOf(final String name)
    {
        return controlSocketOf(path(), name);
    }

    /**
     * Returns the control socket by which a client reaches a router: that of this user's router of the name or, if
     * there is none, that of the router that systemd runs, if this user may see it.
     */
    public static Path controlSocketFor(final String name)
    {
        return controlSocketFor(path(), SERVICE, name);
    }

    static Path controlSocketFor(final Path run, final Path service, final String name)
    {
        final Path own = controlSocketOf(run, name);
        final Path ofService = controlSocketOf(service, name);
        return !Files.exists(own) && Files.exists(ofService) ? ofService : own;
    }

    static Path controlSocketOf(final Path run, final String name)
    {
        return run.resolve(name + SOCKET_SUFFIX);
    }

    /**
     * Returns the directory in which a router or endpoint records its changes of this host, such as
     * {@code /run/fibnuma/NAME} for root; it need not exist.
     */
    public static Path recordsOf(final String name)
    {
        return path().resolve(name);
    }

    /**
     * Creates a directory, if missing, with mode 0700, so that no other user has access before its files have their
     * modes.
     *
     * @param directory usually {@link #path()}.
     * @throws IOException with one line for the user if it cannot be created or belongs to another user.
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
            throw new IllegalStateException("cannot read the user of this process: mount /proc", ex);
        }
    }
}
