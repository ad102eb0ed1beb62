package org.fibnuma.core.counter;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.ConcurrentCountersManager;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.core.DirectoryLock;
import org.fibnuma.core.IoFailure;
import org.fibnuma.core.SharedMemoryDirectory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.SharedFiles;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The counters of a running process in a memory-mapped file that other processes read through
 * {@link CountersFileReader}. One process at a time owns the directory of a name; files of a dead owner are replaced.
 */
public final class CountersFile implements AutoCloseable
{
    /** Two hundred counters on each of ten workers; 1.3 MB of memory. */
    public static final int DEFAULT_CAPACITY = 2048;

    static final String FILE_NAME = "counters";

    private final DirectoryLock lock;
    private final Path file;
    private final CountersManager counters;
    private final SharedFiles.Watch watch;
    private boolean closed;

    private CountersFile(
        final DirectoryLock lock, final Path file, final CountersManager counters, final SharedFiles.Watch watch)
    {
        this.lock = lock;
        this.file = file;
        this.counters = counters;
        this.watch = watch;
    }

    /**
     * Returns the default directory of a name's counters: {@code /dev/shm/fibnuma-NAME}, or the same in the directory
     * for temporary files if there is no {@code /dev/shm}.
     *
     * @param name of the router or endpoint: letters, digits, {@code -}, {@code _} and {@code .}, at most 64.
     * @throws IllegalArgumentException if the name is invalid.
     */
    public static Path directoryOf(final String name)
    {
        if (!SharedMemoryDirectory.isName(name))
        {
            throw new IllegalArgumentException("not a name: \"" + name +
                "\"; use up to 64 letters, digits, hyphens, underscores and dots");
        }
        return SharedMemoryDirectory.path().resolve("fibnuma-" + name);
    }

    /**
     * Creates the file without counters and owns it until {@link #close}. Its name becomes visible when its content is
     * complete.
     *
     * @param directory to own, usually {@link #directoryOf} a name; created if missing.
     * @param capacity  number of counters, 1 to 1,048,576.
     * @throws UserException if a living process owns the directory, or it cannot be written.
     */
    public static CountersFile create(final Path directory, final int capacity)
    {
        if (capacity < 1 || capacity > CountersFileLayout.MAX_CAPACITY)
        {
            throw new IllegalArgumentException("counters capacity must be 1 to " + CountersFileLayout.MAX_CAPACITY +
                ": " + capacity);
        }
        final Path absolute = directory.toAbsolutePath().normalize();
        try
        {
            final DirectoryLock lock = DirectoryLock.tryAcquire(absolute);
            if (lock == null)
            {
                throw new UserException(absolute + " belongs to a running process" + pidOf(absolute) +
                    ": stop it or choose another name");
            }
            return create(lock, absolute, capacity);
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot write counters in " + absolute + ": " + IoFailure.reason(ex), ex);
        }
    }

    private static CountersFile create(final DirectoryLock lock, final Path directory, final int capacity)
        throws IOException
    {
        final Path temporary = directory.resolve(FILE_NAME + ".new");
        final Path file = directory.resolve(FILE_NAME);
        boolean created = false;
        try
        {
            Files.deleteIfExists(temporary);
            final UnsafeBuffer buffer = new UnsafeBuffer(mapZeros(temporary, CountersFileLayout.fileLength(capacity)));
            final long startTimeMs = System.currentTimeMillis();
            writeHeader(buffer, capacity, startTimeMs);
            final CountersManager counters = new ConcurrentCountersManager(
                CountersFileLayout.metadata(buffer, capacity), CountersFileLayout.values(buffer, capacity));
            VarHandle.releaseFence();
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            final SharedFiles.Watch watch = SharedFiles.watch(
                file, buffer.capacity(), () -> writeHeader(buffer, capacity, startTimeMs));
            created = true;
            return new CountersFile(lock, file, counters, watch);
        }
        finally
        {
            if (!created)
            {
                lock.close();
            }
        }
    }

    private static void writeHeader(final UnsafeBuffer buffer, final int capacity, final long startTimeMs)
    {
        buffer.putLong(CountersFileLayout.MAGIC_OFFSET, CountersFileLayout.MAGIC);
        buffer.putInt(CountersFileLayout.VERSION_OFFSET, CountersFileLayout.VERSION);
        buffer.putInt(CountersFileLayout.CAPACITY_OFFSET, capacity);
        buffer.putLong(CountersFileLayout.PID_OFFSET, ProcessHandle.current().pid());
        buffer.putLong(CountersFileLayout.START_TIME_OFFSET, startTimeMs);
    }

    private static MappedByteBuffer mapZeros(final Path file, final int length) throws IOException
    {
        try (FileChannel channel = FileChannel.open(
            file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            SharedFiles.writeZeros(channel, length);
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, length);
        }
    }

    /**
     * Returns the counters, which may still be written after {@link #close}. Any thread may allocate and free them;
     * each counter has one writer thread.
     */
    public CountersManager counters()
    {
        return counters;
    }

    /** Returns the absolute path of the file that readers open. */
    public Path file()
    {
        return file;
    }

    /** Removes the file and releases the directory. Readers that have it open keep the last values. */
    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            // The garbage collector unmaps the memory, so that a thread can count after the close.
            try (lock; watch)
            {
                Files.deleteIfExists(file);
            }
            catch (final IOException ex)
            {
                throw new UserException("cannot remove " + file + ": " + IoFailure.reason(ex), ex);
            }
        }
    }

    private static String pidOf(final Path directory)
    {
        try (CountersFileReader reader = CountersFileReader.open(directory))
        {
            return " (pid " + reader.pid() + ")";
        }
        catch (final UserException ignore)
        {
            return "";
        }
    }
}
