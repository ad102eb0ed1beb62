package org.fibnuma.core.port.shm;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.DirectoryLock;
import org.fibnuma.core.IoFailure;
import org.fibnuma.core.SharedMemoryDirectory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.SharedFiles;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.ring.LineRingConsumer;
import org.fibnuma.core.ring.LineRingProducer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One end of a link in {@code /dev/shm/fibnuma-link-NAME}. The kernel releases the end when its process ends. While the
 * process of the other end lives, the next owner of this end continues with the same rings; otherwise it makes new
 * ones. The last end that closes removes them.
 */
final class ShmLink implements AutoCloseable
{
    private static final String FAR_SUFFIX = "@far";
    private static final String NEAR = "near";
    private static final String FAR = "far";
    private static final String SETUP = "setup";
    private static final String RINGS = "rings";

    private static final int TRIES = 1000;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Path directory;
    private final boolean far;
    private final DirectoryLock end;
    private final AtomicBuffer file;
    private final int ringSize;
    private final SharedFiles.Watch watch;
    private boolean closed;

    private ShmLink(
        final Path directory,
        final boolean far,
        final DirectoryLock end,
        final AtomicBuffer file,
        final int ringSize,
        final SharedFiles.Watch watch)
    {
        this.directory = directory;
        this.far = far;
        this.end = end;
        this.file = file;
        this.ringSize = ringSize;
        this.watch = watch;
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.register(file.addressOffset(), file.capacity(), file.capacity());
        }
    }

    /**
     * Acquires an end.
     *
     * @throws UserException with one line for the user if the name is invalid, a living process has the end, or the
     * other end has rings of another size.
     */
    static ShmLink open(final PortRequest request)
    {
        final boolean far = request.device().endsWith(FAR_SUFFIX);
        final String name = far ?
            request.device().substring(0, request.device().length() - FAR_SUFFIX.length()) : request.device();
        final String port = "port " + request.name() + ": shm:" + request.device();
        if (!SharedMemoryDirectory.isName(name))
        {
            throw new UserException(port + ": a link needs a name of up to 64 letters, digits, hyphens, underscores " +
                "and dots, such as shm:a, and shm:a@far for the other end");
        }
        final Path directory =
            SharedMemoryDirectory.path().resolve("fibnuma-link-" + name).toAbsolutePath().normalize();
        try
        {
            final DirectoryLock setup = setup(directory);
            try
            {
                return open(request, port, directory, far);
            }
            finally
            {
                setup.close();
            }
        }
        catch (final IOException ex)
        {
            throw new UserException(port + ": cannot make " + directory + ": " + IoFailure.reason(ex), ex);
        }
    }

    private static ShmLink open(
        final PortRequest request, final String port, final Path directory, final boolean far) throws IOException
    {
        final DirectoryLock end = DirectoryLock.tryAcquire(directory.resolve(far ? FAR : NEAR));
        if (end == null)
        {
            throw new UserException(port + ": a running process has this end; stop it, or use the other end" +
                (far ? "" : " (" + FAR_SUFFIX + ")") + " or another name");
        }
        boolean complete = false;
        try
        {
            final Path rings = directory.resolve(RINGS);
            final int ringSize = request.settings().txRingSize();
            if (!isTaken(directory.resolve(far ? NEAR : FAR)) || !Files.exists(rings))
            {
                create(rings, ringSize, request.queueCount());
            }
            final AtomicBuffer file = map(rings);
            requireSame(port, file, ringSize, request.queueCount());
            ShmLayout.announce(file, far, 0);
            final SharedFiles.Watch watch = SharedFiles.watch(rings, file.capacity(),
                () -> ShmLayout.writeHeader(file, ringSize, request.queueCount()));
            complete = true;
            return new ShmLink(directory, far, end, file, ringSize, watch);
        }
        finally
        {
            if (!complete)
            {
                end.close();
            }
        }
    }

    private static DirectoryLock setup(final Path directory) throws IOException
    {
        for (int i = 0; i < TRIES; i++)
        {
            final DirectoryLock lock = DirectoryLock.tryAcquire(directory.resolve(SETUP));
            if (lock != null)
            {
                return lock;
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        throw new IOException("another process has been opening it for over 1 s; try again");
    }

    private static boolean isTaken(final Path end) throws IOException
    {
        try (DirectoryLock lock = DirectoryLock.tryAcquire(end))
        {
            return lock == null;
        }
    }

    private static void create(final Path rings, final int ringSize, final int queueCount) throws IOException
    {
        final long length = ShmLayout.fileLength(ringSize, queueCount);
        if (length > Integer.MAX_VALUE)
        {
            throw new IOException("rings of " + ringSize + " frames and " + queueCount + " queues are over 2 GiB");
        }
        Files.deleteIfExists(rings);
        try (FileChannel channel = FileChannel.open(
            rings, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            SharedFiles.writeZeros(channel, length);
            ShmLayout.writeHeader(
                new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, length)), ringSize, queueCount);
        }
    }

    private static AtomicBuffer map(final Path rings) throws IOException
    {
        try (FileChannel channel = FileChannel.open(rings, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            return new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size()));
        }
    }

    private static void requireSame(
        final String port, final AtomicBuffer file, final int ringSize, final int queueCount)
    {
        if (!ShmLayout.isLink(file))
        {
            throw new UserException(port + ": its file is of another version; stop the process at the other end");
        }
        if (ShmLayout.ringSize(file) != ringSize || ShmLayout.queueCount(file) != queueCount ||
            file.capacity() != ShmLayout.fileLength(ringSize, queueCount))
        {
            throw new UserException(port + ": the other end has " + ShmLayout.queueCount(file) + " queues of " +
                ShmLayout.ringSize(file) + " frames, this end needs " + queueCount + " of " + ringSize +
                "; give both the same number of workers and the same tx-ring-size");
        }
    }

    ShmDirection receiving(final int queue)
    {
        return ShmLayout.direction(file, ringSize, queue, far);
    }

    ShmDirection sending(final int queue)
    {
        return ShmLayout.direction(file, ringSize, queue, !far);
    }

    LineRingProducer producer()
    {
        return ShmLayout.producer(file, !far);
    }

    LineRingConsumer consumer()
    {
        return ShmLayout.consumer(file, far);
    }

    /** Stores the IPv4 address of the endpoint of this end, 0 for none. */
    void announce(final int ipv4)
    {
        ShmLayout.announce(file, far, ipv4);
    }

    /** Returns the IPv4 address of the endpoint of the other end, 0 for none. */
    int announcedByOther()
    {
        return ShmLayout.announced(file, !far);
    }

    /** Releases the end. The garbage collector unmaps the memory, because a late access must not crash. */
    @Override
    public void close()
    {
        if (closed)
        {
            return;
        }
        closed = true;
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.unregister(file.addressOffset());
        }
        try
        {
            watch.close();
            final DirectoryLock setup = setup(directory);
            try
            {
                end.close();
                if (!isTaken(directory.resolve(far ? NEAR : FAR)))
                {
                    Files.deleteIfExists(directory.resolve(RINGS));
                }
            }
            finally
            {
                setup.close();
            }
            if (!Files.exists(directory.resolve(RINGS)))
            {
                removeEmpty();
            }
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot remove " + directory + ": " + IoFailure.reason(ex), ex);
        }
    }

    private void removeEmpty() throws IOException
    {
        try
        {
            Files.deleteIfExists(directory);
        }
        catch (final DirectoryNotEmptyException ignore)
        {
            // Another process is opening the link.
        }
    }
}
