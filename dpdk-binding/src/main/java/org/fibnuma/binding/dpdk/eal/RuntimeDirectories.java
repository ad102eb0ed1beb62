package org.fibnuma.binding.dpdk.eal;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directories that DPDK makes for its processes, one for each file prefix, and never removes. Ours are removed with
 * their process, and those of processes that were killed with the start of the next. A directory that cannot be removed
 * stays: it takes some bytes and hinders nobody.
 */
final class RuntimeDirectories
{
    private static final Pattern OF_A_PROCESS = Pattern.compile("fibnuma-([1-9][0-9]{0,9})");
    private static final String TELEMETRY_SOCKETS = "dpdk_telemetry.v2*";

    private final Path directories;

    /** Where the directory of each process lies. */
    RuntimeDirectories(final Path directories)
    {
        this.directories = directories;
    }

    /** The directory of a file prefix that a process has for itself; the prefix of all others is fixed. */
    static String prefixOf(final long pid)
    {
        return "fibnuma-" + pid;
    }

    /** Removes those that processes of ours left behind, files and all; symbolic links are not followed. */
    void removeStale()
    {
        // What a link leads to was not made by DPDK.
        if (!Files.isDirectory(directories, LinkOption.NOFOLLOW_LINKS))
        {
            return;
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directories))
        {
            for (final Path directory : names(found))
            {
                if (isStale(directory))
                {
                    remove(found, directory);
                }
            }
        }
        catch (final IOException ignore)
        {
            // Not ours to list: nothing of ours is in there.
        }
    }

    /** Removes one of them with the files in it. */
    void remove(final Path directory)
    {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directories))
        {
            remove(found, directory.getFileName());
        }
        catch (final IOException ignore)
        {
            // The next start tries again.
        }
    }

    /** Removes one of them, unless there is anything in it. */
    void removeEmpty(final Path directory)
    {
        try
        {
            Files.deleteIfExists(directory);
        }
        catch (final IOException ignore)
        {
            // The next start tries again.
        }
    }

    /** Opened by its name relative to the open parent, so that nobody puts a link in its place meanwhile. */
    private static void remove(final DirectoryStream<Path> parent, final Path name)
    {
        if (!(parent instanceof SecureDirectoryStream<Path> secure))
        {
            return;
        }
        try (SecureDirectoryStream<Path> files = secure.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS))
        {
            for (final Path file : names(files))
            {
                files.deleteFile(file);
            }
            secure.deleteDirectory(name);
        }
        catch (final IOException ignore)
        {
            // Somebody else's, or more in it than DPDK puts there.
        }
    }

    private static List<Path> names(final DirectoryStream<Path> directory)
    {
        final List<Path> names = new ArrayList<>();
        directory.forEach(path -> names.add(path.getFileName()));
        return names;
    }

    /** A process that is not seen may live in another container: then its telemetry socket answers. */
    private boolean isStale(final Path name)
    {
        final Matcher matcher = OF_A_PROCESS.matcher(name.toString());
        return matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty() &&
            !isListening(directories.resolve(name));
    }

    private static boolean isListening(final Path directory)
    {
        try (DirectoryStream<Path> sockets = Files.newDirectoryStream(directory, TELEMETRY_SOCKETS))
        {
            for (final Path socket : sockets)
            {
                if (answers(socket))
                {
                    return true;
                }
            }
            return false;
        }
        catch (final IOException ex)
        {
            return true;
        }
    }

    private static boolean answers(final Path socket)
    {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX))
        {
            probe.connect(UnixDomainSocketAddress.of(socket));
            return true;
        }
        catch (final ConnectException ex)
        {
            return false;
        }
        catch (final IOException ex)
        {
            // DPDK's is no stream (SOCK_SEQPACKET): one that somebody listens on says so, one of nobody refuses.
            return true;
        }
    }
}
