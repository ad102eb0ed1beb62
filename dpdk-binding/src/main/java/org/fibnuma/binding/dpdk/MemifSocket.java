package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.DpdkException;

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

/**
 * The socket at which a memif server listens. The driver leaves its file behind, also at an orderly end, and does not
 * start where there is one.
 */
final class MemifSocket
{
    private static final Pattern SERVER = Pattern.compile(",role=(server|master)(,|$)");
    private static final Pattern FILE = Pattern.compile(",socket=(/[^,]+)");
    private static final Pattern NO_FILE = Pattern.compile(",socket-abstract=(yes|no)");

    /** Several ports of one process share a socket. */
    private static final Set<Path> OURS = new HashSet<>();

    private MemifSocket()
    {
    }

    /**
     * Removes the file of a server that is gone.
     *
     * @param arguments of a device of any driver.
     * @throws DpdkException where the server is another process that lives.
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

    /** Whether arguments are of an end that listens; the other role is what the driver takes without any. */
    static boolean isServer(final String arguments)
    {
        return SERVER.matcher(arguments).find();
    }

    private static synchronized void removeStale(final Path file)
    {
        // The driver takes a connection of our own for its peer's, so one that we listen on is not asked.
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
            throw new DpdkException("another process listens on " + file + ": end it, or give another socket=FILE");
        }
    }

    /** Whatever else it may be, the driver says what it thinks of it. */
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
            throw new DpdkException("cannot remove " + file + ", which a process that is gone left behind: rm it", ex);
        }
    }
}
