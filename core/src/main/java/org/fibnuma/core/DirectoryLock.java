package org.fibnuma.core;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Exclusive ownership of a directory by a process, through a lock on a file in it. The kernel releases the lock when
 * the process ends. Closing removes the lock file, and the directory if it is then empty.
 */
public final class DirectoryLock implements AutoCloseable
{
    private static final String FILE_NAME = "lock";
    private static final Integer ROOT = 0;
    private static final int RETRIES = 4;
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(5);

    // A POSIX lock does not exclude its own process, which would release it by closing any descriptor of the file.
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(final Path directory, final FileChannel channel)
    {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Acquires the lock of a directory, given absolute and normalized; creates the directory if it is missing.
     *
     * @return null if another owner has it.
     * @throws IOException if the directory cannot be created or written.
     */
    public static DirectoryLock tryAcquire(final Path directory) throws IOException
    {
        if (!HELD_HERE.add(directory))
        {
            return null;
        }
        FileChannel channel = null;
        try
        {
            channel = lock(directory);
        }
        finally
        {
            if (channel == null)
            {
                HELD_HERE.remove(directory);
            }
        }
        return channel == null ? null : new DirectoryLock(directory, channel);
    }

    /**
     * Returns whether a process owns a directory, given absolute and normalized, without changing it. True also if this
     * process may not read the lock file; false if there is none.
     *
     * @throws IOException if the lock file cannot be read for another reason.
     */
    public static boolean isHeld(final Path directory) throws IOException
    {
        if (!HELD_HERE.add(directory))
        {
            return true;
        }
        try (FileChannel channel = FileChannel.open(
            directory.resolve(FILE_NAME), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true))
        {
            return lock == null;
        }
        catch (final NoSuchFileException ex)
        {
            return false;
        }
        catch (final AccessDeniedException ex)
        {
            return true;
        }
        finally
        {
            HELD_HERE.remove(directory);
        }
    }

    private static FileChannel lock(final Path directory) throws IOException
    {
        final Path file = directory.resolve(FILE_NAME);
        while (true)
        {
            createMissing(directory, file);
            final Object inode = inode(file);
            FileChannel channel = null;
            boolean kept = false;
            try
            {
                channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                if (channel.tryLock() == null && !isFreeSoon(channel))
                {
                    return null;
                }
                // The previous holder deletes the file when it releases it, and a lock on a deleted file excludes no
                // process.
                kept = inode != null && inode.equals(inode(file));
                if (kept)
                {
                    return channel;
                }
            }
            catch (final NoSuchFileException ignore)
            {
                // The previous holder has just deleted it.
            }
            finally
            {
                if (!kept && channel != null)
                {
                    channel.close();
                }
            }
        }
    }

    /** Acquires a lock that {@link #isHeld} of another process has for a moment; returns false if an owner has it. */
    private static boolean isFreeSoon(final FileChannel channel) throws IOException
    {
        boolean acquired = false;
        for (int i = 0; i < RETRIES && !acquired; i++)
        {
            LockSupport.parkNanos(RETRY_NS);
            acquired = channel.tryLock() != null;
        }
        return acquired;
    }

    private static void createMissing(final Path directory, final Path file) throws IOException
    {
        try
        {
            Files.createDirectories(directory);
            requireTrusted(directory);
            Files.createFile(file);
        }
        catch (final FileAlreadyExistsException ex)
        {
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS))
            {
                throw ex;
            }
        }
        catch (final NoSuchFileException ignore)
        {
            // The previous holder has just removed the directory; the caller tries again.
        }
    }

    private static void requireTrusted(final Path directory) throws IOException
    {
        // Every user may write in /dev/shm: another user may have created the directory to redirect writes.
        final Object owner = Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        final Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        if (!owner.equals(self) && !owner.equals(ROOT))
        {
            throw new AccessDeniedException(
                directory.toString(), null, "it belongs to user " + owner + ", this process runs as user " + self);
        }
    }

    private static Object inode(final Path file) throws IOException
    {
        try
        {
            return Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
        }
        catch (final NoSuchFileException ignore)
        {
            return null;
        }
    }

    /** Releases the directory. */
    @Override
    public void close() throws IOException
    {
        try (channel)
        {
            Files.deleteIfExists(directory.resolve(FILE_NAME));
            Files.deleteIfExists(directory);
        }
        catch (final DirectoryNotEmptyException ignore)
        {
            // Other files are in the directory.
        }
        finally
        {
            HELD_HERE.remove(directory);
        }
    }
}
