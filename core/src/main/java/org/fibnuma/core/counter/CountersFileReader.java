package org.fibnuma.core.counter;

import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.DirectoryLock;
import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads the live counters of another process. After that process has ended, the last values stay readable until
 * {@link #close}.
 */
public final class CountersFileReader implements AutoCloseable
{
    private final Path file;
    private final MappedByteBuffer mapped;
    private final CountersReader counters;
    private final long pid;
    private final long startTimeMs;
    private boolean closed;

    private CountersFileReader(final Path file, final MappedByteBuffer mapped, final UnsafeBuffer buffer)
    {
        this.file = file;
        final int capacity = buffer.getInt(CountersFileLayout.CAPACITY_OFFSET);
        this.mapped = mapped;
        this.pid = buffer.getLong(CountersFileLayout.PID_OFFSET);
        this.startTimeMs = buffer.getLong(CountersFileLayout.START_TIME_OFFSET);
        this.counters = new CountersReader(
            new BoundedMetadata(CountersFileLayout.metadata(buffer, capacity)),
            CountersFileLayout.values(buffer, capacity));
    }

    /** Metadata that limits the length of labels, because another process may have stored any value. */
    private static final class BoundedMetadata extends UnsafeBuffer
    {
        BoundedMetadata(final DirectBuffer metadata)
        {
            super(metadata);
        }

        @Override
        public int getIntVolatile(final int index)
        {
            final int value = super.getIntVolatile(index);
            return index % CountersReader.METADATA_LENGTH == CountersReader.LABEL_OFFSET ?
                Math.max(0, Math.min(value, CountersReader.MAX_LABEL_LENGTH)) : value;
        }
    }

    /**
     * Maps the counters of a directory, usually {@link CountersFile#directoryOf} a name.
     *
     * @throws UserException with one line if no process runs there, or one of another version.
     */
    public static CountersFileReader open(final Path directory)
    {
        final Path file = directory.toAbsolutePath().normalize().resolve(CountersFile.FILE_NAME);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
        {
            final long length = channel.size();
            if (length < CountersFileLayout.METADATA_OFFSET || length > Integer.MAX_VALUE)
            {
                throw new UserException(file + " is not a counters file: " + length + " bytes");
            }
            final MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, length);
            final UnsafeBuffer buffer = new UnsafeBuffer(mapped);
            requireReadable(file, buffer);
            return new CountersFileReader(file, mapped, buffer);
        }
        catch (final NoSuchFileException ex)
        {
            throw new UserException("nothing runs under this name: there is no " + file, ex);
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot read " + file + ": " + IoFailure.reason(ex), ex);
        }
    }

    private static void requireReadable(final Path file, final UnsafeBuffer buffer)
    {
        if (buffer.getLong(CountersFileLayout.MAGIC_OFFSET) != CountersFileLayout.MAGIC)
        {
            throw new UserException(file + " is not a counters file");
        }
        final int version = buffer.getInt(CountersFileLayout.VERSION_OFFSET);
        if (version != CountersFileLayout.VERSION)
        {
            throw new UserException(file + " has version " + version + ", this program reads version " +
                CountersFileLayout.VERSION + ": use the fibnuma that the running process was started with");
        }
        final int capacity = buffer.getInt(CountersFileLayout.CAPACITY_OFFSET);
        if (capacity < 1 || capacity > CountersFileLayout.MAX_CAPACITY ||
            buffer.capacity() != CountersFileLayout.fileLength(capacity))
        {
            throw new UserException(file + " is damaged: " + buffer.capacity() + " bytes for " + capacity +
                " counters");
        }
    }

    /**
     * Requires that the process that writes the counters runs. A killed process leaves its file.
     *
     * @throws UserException with one line if it has ended.
     */
    public void requireWriter()
    {
        try
        {
            if (!DirectoryLock.isHeld(file.getParent()))
            {
                throw new UserException("process " + pid + ", which wrote " + file + ", has ended: start it again");
            }
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot see whether process " + pid + " runs, which wrote " + file + ": " +
                IoFailure.reason(ex), ex);
        }
    }

    /** Returns the counters, a view that must not be used after {@link #close}. */
    public CountersReader counters()
    {
        return counters;
    }

    /** Returns the process id of the writer in its own PID namespace. */
    public long pid()
    {
        return pid;
    }

    /** Returns when the writer started, in ms since 1970. */
    public long startTimeMs()
    {
        return startTimeMs;
    }

    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            IoUtil.unmap(mapped);
        }
    }
}
