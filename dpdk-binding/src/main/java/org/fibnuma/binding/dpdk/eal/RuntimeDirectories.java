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
 * Removes the directories that DPDK creates for its processes, one for each file prefix. This process's directory is
 * removed when it ends, those of killed processes with the next start. A directory that cannot be removed stays and is
 * harmless.
 */
final class RuntimeDirectories
{
    private static final Pattern OF_A_PROCESS = Pattern.compile("fibnuma-([1-9][0-9]{0,9})");
    private static final String TELEMETRY_SOCKETS = "dpdk_telemetry.v2*";

    private final Path directories;

    /** Uses the parent of the directories of all processes. */
    RuntimeDirectories(final Path directories)
    {
        this.directories = directories;
    }

    /** Returns the file prefix of a process with its own directory; all others share a fixed prefix. */
    static String prefixOf(final long pid)
    {
        return "fibnuma-" + pid;
    }

    /** Removes the directories of ended processes with their files; symbolic links are not followed. */
    void removeStale()
    {
        // DPDK does not create links.
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
            // The parent contains no directories of this user.
        }
    }

    /** Removes one directory with its files. */
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

    /** Removes a directory by name relative to the open parent, so that no link can replace it meanwhile. */
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
            // The directory belongs to another user, or contains more than DPDK's files.
        }
    }

    private static List<Path> names(final DirectoryStream<Path> directory)
    {
        final List<Path> names = new ArrayList<>();
        directory.forEach(path -> names.add(path.getFileName()));
        return names;
    }

    /**
     * Returns whether the process has ended. The telemetry socket of an invisible process in another container answers.
     */
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
            // The error that DPDK's socket has another type, SOCK_SEQPACKET, occurs only if a process listens.
            return true;
        }
    }
}
