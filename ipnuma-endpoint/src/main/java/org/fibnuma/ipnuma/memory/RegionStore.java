package org.fibnuma.ipnuma.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.fibnuma.core.DirectoryLock;
import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.SharedFiles;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Predicate;

/**
 * Directory with an endpoint's region files. It belongs to one process at a time, even after a crash of the previous
 * one.
 * <p>
 * A dead endpoint may leave files. Those without their final name ({@code .new}) are removed. A region that is opened
 * again with the same name and size is {@link RegionState#RECOVERED} with its content. {@link #revokeLeftovers} revokes
 * all others. One thread calls this class.
 */
public final class RegionStore implements AutoCloseable
{
    private static final String DIRECTORY = "regions";
    private static final String UNFINISHED = ".new";
    private static final FileAttribute<?> OWNER_ONLY =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final DirectoryLock lock;
    private final Path directory;
    private final int epoch;

    private RegionStore(final DirectoryLock lock, final Path directory, final int epoch)
    {
        this.lock = lock;
        this.directory = directory;
        this.epoch = epoch;
    }

    /**
     * Locks the directory, and creates it if it does not exist.
     *
     * @param endpointDirectory usually {@code /dev/shm/fibnuma-NAME}; the regions are in {@code regions} below it.
     * @param epoch             of this start of the endpoint, unsigned, greater than that of any earlier start.
     * @return the store, which the caller closes after its regions.
     * @throws UserException if a live process owns the directory or it cannot be created.
     */
    public static RegionStore open(final Path endpointDirectory, final int epoch)
    {
        final Path directory = directoryOf(endpointDirectory);
        try
        {
            final DirectoryLock lock = DirectoryLock.tryAcquire(directory);
            if (lock == null)
            {
                throw new UserException(directory +
                    " belongs to a running endpoint: stop it or choose another name");
            }
            return new RegionStore(lock, directory, epoch);
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot create " + directory + ": " + IoFailure.reason(ex), ex);
        }
    }

    /** Returns the absolute path of the directory with the regions of an endpoint. */
    public static Path directoryOf(final Path endpointDirectory)
    {
        return endpointDirectory.resolve(DIRECTORY).toAbsolutePath().normalize();
    }

    /** Returns the absolute path of a region's file. */
    public Path fileOf(final String name)
    {
        return directory.resolve(name);
    }

    /**
     * Opens a region, with its content if a dead endpoint left it, otherwise with zeros.
     *
     * @param request of a region that is not open in this store.
     * @return the file, which the caller closes.
     * @throws UserException if there is not enough memory, or the file of the dead endpoint has another size.
     */
    public RegionFile open(final RegionRequest request)
    {
        final Path file = fileOf(request.name());
        try
        {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS))
            {
                final RegionFile recovered = recover(file, request);
                if (recovered != null)
                {
                    return recovered;
                }
            }
            return create(file, request);
        }
        catch (final IOException ex)
        {
            throw new UserException("region " + request.name() + ": cannot write " + file + ": " +
                IoFailure.reason(ex), ex);
        }
    }

    /** Recovers a live region of a dead endpoint. Returns null if the region had ended: the file may be replaced. */
    private RegionFile recover(final Path file, final RegionRequest request) throws IOException
    {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
        {
            throw new UserException("region " + request.name() + ": " + file + " is not a regular file: remove it");
        }
        final RegionMapping mapping = RegionMapping.open(file);
        boolean recovering = false;
        try
        {
            final RegionState state = mapping.state();
            if (state == null || !state.isLive())
            {
                return null;
            }
            if (mapping.size() != request.size() || !mapping.name().equals(request.name()))
            {
                throw new UserException("region " + request.name() + ": " + file + " was left with " +
                    mapping.size() + " bytes by an endpoint that died, and " + request.size() +
                    " are requested: request that size or remove the file");
            }
            final AtomicBuffer page = mapping.page();
            final int next = mapping.epoch() + 1;
            final int recoveredEpoch = Integer.compareUnsigned(epoch, next) < 0 ? next : epoch;
            RegionFileLayout.write(page, request, recoveredEpoch, RegionState.RECOVERED);
            final RegionFile recovered = new RegionFile(mapping, request, recoveredEpoch, RegionState.RECOVERED);
            recovering = true;
            return recovered;
        }
        finally
        {
            if (!recovering)
            {
                mapping.close();
            }
        }
    }

    private RegionFile create(final Path file, final RegionRequest request) throws IOException
    {
        final Path unfinished = directory.resolve("." + request.name() + UNFINISHED);
        Files.deleteIfExists(unfinished);
        boolean complete = false;
        RegionMapping mapping = null;
        try
        {
            writeZeros(unfinished, request.size() + RegionFileLayout.PAGE_LENGTH);
            mapping = RegionMapping.map(unfinished);
            RegionFileLayout.write(mapping.page(), request, epoch, RegionState.OPEN);
            mapping.close();
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            complete = true;
            return openMade(file, request);
        }
        finally
        {
            if (!complete)
            {
                if (mapping != null)
                {
                    mapping.close();
                }
                Files.deleteIfExists(unfinished);
            }
        }
    }

    private RegionFile openMade(final Path file, final RegionRequest request) throws IOException
    {
        final RegionMapping mapping = RegionMapping.open(file);
        if (mapping.size() != request.size())
        {
            mapping.close();
            throw new UserException(
                "region " + request.name() + ": another process has changed the length of " + file);
        }
        return new RegionFile(mapping, request, epoch, RegionState.OPEN);
    }

    private static void writeZeros(final Path file, final long length) throws IOException
    {
        Files.createFile(file, OWNER_ONLY);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            SharedFiles.writeZeros(channel, length);
        }
    }

    /**
     * Revokes and removes all files of a dead endpoint that are not open: the regions of its clients. Called once,
     * after the configured regions are open.
     *
     * @param isOpen returns whether the region with a name is open in this store.
     * @return number of revoked regions.
     */
    public int revokeLeftovers(final Predicate<String> isOpen)
    {
        int revoked = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
        {
            for (final Path file : files)
            {
                final String name = file.getFileName().toString();
                if (name.endsWith(UNFINISHED))
                {
                    Files.deleteIfExists(file);
                }
                else if (!isOpen.test(name) && isRegion(file))
                {
                    RegionMapping.open(file).end(RegionState.REVOKED);
                    revoked++;
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot read " + directory + ": " + IoFailure.reason(ex), ex);
        }
        return revoked;
    }

    private static boolean isRegion(final Path file)
    {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
        {
            return false;
        }
        try (RegionMapping mapping = RegionMapping.open(file))
        {
            return mapping.state() != null;
        }
        catch (final UserException ignore)
        {
            // Another file, such as the lock.
            return false;
        }
    }

    /** Releases the directory, and removes it if it is empty. */
    @Override
    public void close()
    {
        try
        {
            lock.close();
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot remove " + directory + ": " + IoFailure.reason(ex), ex);
        }
    }
}
