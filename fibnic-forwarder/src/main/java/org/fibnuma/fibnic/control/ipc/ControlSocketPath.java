package org.fibnuma.fibnic.control.ipc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Where the control socket of a router is. */
public final class ControlSocketPath
{
    private static final Path RUN = Path.of("/run/fibnuma");
    private static final int ROOT = 0;

    private ControlSocketPath()
    {
    }

    /**
     * The socket of a router that this user runs.
     *
     * @param name of the router.
     * @return {@code /run/fibnuma/NAME.sock} for root; else the same in {@code $XDG_RUNTIME_DIR/fibnuma}, or in
     * {@code /tmp/fibnuma-UID} where that is not set.
     */
    public static Path of(final String name)
    {
        return directory(uid(), System.getenv("XDG_RUNTIME_DIR")).resolve(name + ".sock");
    }

    /**
     * The directory of a router for records of what it changes on this host, in that of its socket, which is made here
     * where it is missing, closed to others.
     *
     * @param name of the router.
     * @return {@code /run/fibnuma/NAME} for root; it need not exist.
     * @throws IOException with one line for the user where the parent cannot be made or is another user's.
     */
    public static Path recordsOf(final String name) throws IOException
    {
        makeDirectory(of(name));
        return of(name).resolveSibling(name);
    }

    static Path directory(final int uid, final String runtimeDirectory)
    {
        if (uid == ROOT)
        {
            return RUN;
        }
        return runtimeDirectory == null || runtimeDirectory.isEmpty() ?
            Path.of("/tmp/fibnuma-" + uid) : Path.of(runtimeDirectory, "fibnuma");
    }

    /** Makes the directory of a socket, closed to others: nobody slips in before the socket has its own mode. */
    static void makeDirectory(final Path socket) throws IOException
    {
        final Path directory = socket.getParent();
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
