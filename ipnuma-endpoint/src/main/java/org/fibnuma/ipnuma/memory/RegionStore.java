package org.fibnuma.ipnuma.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.fibnuma.core.DirectoryLock;
import org.fibnuma.core.IoFailure;

import java.io.IOException;
import java.nio.ByteBuffer;
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
 * The directory of an endpoint's regions, which belongs to one process at a time, however the one before ended.
 * <p>
 * What a dead endpoint left is in one of these states: a file without its name yet ({@code .new}) is removed; a region
 * that this endpoint asks for again by the same name and size is {@link RegionState#RECOVERED} with its content;
 * every other one is revoked by {@link #revokeLeftovers}. One thread calls it.
 */
public final class RegionStore implements AutoCloseable
{
    private static final String DIRECTORY = "regions";
    private static final String UNFINISHED = ".new";
    private static final int ZEROS = 1 << 16;
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
     * Takes the directory.
     *
     * @param endpointDirectory usually {@code /dev/shm/fibnuma-NAME}; the regions are in {@code regions} below it.
     * @param epoch             of this start of the endpoint, unsigned, greater than that of any before.
     * @return the store; the caller closes it after its regions.
     * @throws RegionException where a living process has it or it cannot be made.
     */
    public static RegionStore open(final Path endpointDirectory, final int epoch)
    {
        final Path directory = directoryOf(endpointDirectory);
        try
        {
            final DirectoryLock lock = DirectoryLock.tryAcquire(directory);
            if (lock == null)
            {
                throw new RegionException(directory +
                    " belongs to a running endpoint: stop it or choose another name");
            }
            return new RegionStore(lock, directory, epoch);
        }
        catch (final IOException ex)
        {
            throw new RegionException("cannot make " + directory + ": " + IoFailure.reason(ex), ex);
        }
    }

    /**
     * Where an endpoint's regions are.
     *
     * @param endpointDirectory of the endpoint.
     * @return absolute path.
     */
    public static Path directoryOf(final Path endpointDirectory)
    {
        return endpointDirectory.resolve(DIRECTORY).toAbsolutePath().normalize();
    }

    /**
     * Where the file of a region is.
     *
     * @param name of the region.
     * @return absolute path.
     */
    public Path fileOf(final String name)
    {
        return directory.resolve(name);
    }

    /**
     * Opens a region: recovered where a dead endpoint left it, else made anew with zeros.
     *
     * @param request what it shall be; not open yet in this store.
     * @return the file; the caller closes it.
     * @throws RegionException where there is no memory left, or the file that was left has another size.
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
            throw new RegionException("region " + request.name() + ": cannot write " + file + ": " +
                IoFailure.reason(ex), ex);
        }
    }

    /** Null where what was left had ended already and may be replaced. */
    private RegionFile recover(final Path file, final RegionRequest request) throws IOException
    {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
        {
            throw new RegionException("region " + request.name() + ": " + file + " is not a file: remove it");
        }
        final RegionMapping mapping = RegionMapping.open(file);
        boolean kept = false;
        try
        {
            final RegionState state = mapping.state();
            if (state == null || !state.isLive())
            {
                return null;
            }
            if (mapping.size() != request.size() || !mapping.name().equals(request.name()))
            {
                throw new RegionException("region " + request.name() + ": " + file + " was left with " +
                    mapping.size() + " bytes by an endpoint that died, and " + request.size() +
                    " are asked for: ask for its size, or remove it");
            }
            final AtomicBuffer page = mapping.page();
            final int next = mapping.epoch() + 1;
            final int recoveredEpoch = Integer.compareUnsigned(epoch, next) < 0 ? next : epoch;
            RegionFileLayout.write(page, request, recoveredEpoch, RegionState.RECOVERED);
            final RegionFile recovered = new RegionFile(mapping, request, recoveredEpoch, RegionState.RECOVERED);
            kept = true;
            return recovered;
        }
        finally
        {
            if (!kept)
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
            throw new RegionException("region " + request.name() + ": somebody has changed the length of " + file);
        }
        return new RegionFile(mapping, request, epoch, RegionState.OPEN);
    }

    private static void writeZeros(final Path file, final long length) throws IOException
    {
        Files.createFile(file, OWNER_ONLY);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            // Written rather than left sparse: full memory is an error here, not a crash at a later store.
            final ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS);
            for (long written = 0; written < length;)
            {
                zeros.clear().limit((int)Math.min(ZEROS, length - written));
                written += channel.write(zeros);
            }
        }
    }

    /**
     * Revokes and removes what a dead endpoint left and nobody opened since: the regions of its clients. To be called
     * once, after the configured regions are open.
     *
     * @param isOpen says of a name whether it is open in this store.
     * @return how many regions were revoked.
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
            throw new RegionException("cannot read " + directory + ": " + IoFailure.reason(ex), ex);
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
        catch (final RegionException ignore)
        {
            // Somebody else's file, such as the lock.
            return false;
        }
    }

    /** Gives the directory up; removes it where no file is left. */
    @Override
    public void close()
    {
        try
        {
            lock.close();
        }
        catch (final IOException ex)
        {
            throw new RegionException("cannot remove " + directory + ": " + IoFailure.reason(ex), ex);
        }
    }
}
