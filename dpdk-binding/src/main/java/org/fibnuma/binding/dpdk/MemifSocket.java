package org.fibnuma.binding.dpdk;

import org.fibnuma.core.UserException;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The socket of a memif server. The driver never removes its file, and does not start if the file exists. */
final class MemifSocket
{
    private static final Pattern SERVER = Pattern.compile(",role=(server|master)(,|$)");
    private static final Pattern FILE = Pattern.compile(",socket=(/[^,]+)");
    private static final Pattern NO_FILE = Pattern.compile(",socket-abstract=(yes|no)");

    /** Files of this process, whose ports may share a socket. */
    private static final Set<Path> OURS = new HashSet<>();

    private MemifSocket()
    {
    }

    /**
     * Removes the file of a server that has ended, by the arguments of a device of any driver.
     *
     * @throws UserException if another running process is the server.
     */
    static void prepare(final String arguments)
    {
        final Matcher file = FILE.matcher(arguments);
        final Matcher isAbstract = NO_FILE.matcher(arguments);
        if (MemifConnection.isMemif(arguments) && isServer(arguments) && file.find() &&
            isAbstract.find() && "no".equals(isAbstract.group(1)))
        {
            removeStale(Path.of(file.group(1)));
        }
    }

    /** Returns whether arguments select the server role; the driver's default is the client. */
    static boolean isServer(final String arguments)
    {
        return SERVER.matcher(arguments).find();
    }

    private static synchronized void removeStale(final Path file)
    {
        // A socket of this process is not probed, because the driver would take the probe for its peer.
        if (!OURS.add(file))
        {
            return;
        }
        final boolean isSocket = Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
        if (isSocket && !isListening(file))
        {
            delete(file);
        }
        else if (isSocket)
        {
            OURS.remove(file);
            throw new UserException("another process listens on " + file + ": end it, or give another socket=FILE");
        }
    }

    /** Returns whether a process listens. The driver reports other problems with the file. */
    private static boolean isListening(final Path file)
    {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX))
        {
            return probe.connect(UnixDomainSocketAddress.of(file));
        }
        catch (final IOException ignore)
        {
            return false;
        }
    }

    private static void delete(final Path file)
    {
        try
        {
            Files.delete(file);
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot remove " + file + ", left behind by a process that has ended: rm it", ex);
        }
    }
}
