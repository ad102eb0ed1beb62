package org.fibnuma.core.service.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Directory for files of running processes of this user: control sockets ({@code NAME.sock}) and, in a directory for
 * each name, records of their changes of this host. It is the first of
 * <ul>
 * <li>{@code $RUNTIME_DIRECTORY}, which systemd sets for a service with a directory of its own;
 * <li>{@code /run/fibnuma} for root;
 * <li>{@code $XDG_RUNTIME_DIR/fibnuma};
 * <li>{@code /tmp/fibnuma-UID}.
 * </ul>
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

    /** Returns the control socket of a router of this user by its name: {@code /run/fibnuma/NAME.sock} for root. */
    public static Path controlSocketOf(final String name)
    {
        return controlSocketOf(path(), name);
    }

    /**
     * Returns the control socket by which a client reaches the router of a name. This user's router comes first; the
     * router that systemd runs is second, if this user may read its directory.
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

    /**
     * Returns the control sockets of {@link #controlSocketFor} by the name of the router. Some may be of killed
     * routers.
     */
    public static SortedMap<String, Path> controlSockets()
    {
        return controlSockets(path(), SERVICE);
    }

    static SortedMap<String, Path> controlSockets(final Path run, final Path service)
    {
        final SortedMap<String, Path> sockets = new TreeMap<>();
        for (final Path directory : List.of(service, run))
        {
            // Null if the directory is missing or this user may not read it.
            final String[] files = directory.toFile().list((parent, file) -> file.endsWith(SOCKET_SUFFIX));
            for (final String file : files == null ? new String[0] : files)
            {
                sockets.put(file.substring(0, file.length() - SOCKET_SUFFIX.length()), directory.resolve(file));
            }
        }
        return sockets;
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
     * Creates a directory, usually {@link #path()}, if it is missing. Its mode is 0700: no other user has access before
     * the files have their modes.
     *
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
