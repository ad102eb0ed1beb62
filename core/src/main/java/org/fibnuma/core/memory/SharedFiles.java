package org.fibnuma.core.memory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Restores mapped files that another process has truncated. An access to a memory page beyond the end of its file
 * raises SIGBUS. HotSpot skips the access and throws {@link InternalError} on that thread, at once or at a later
 * safepoint or transition from native code. A thread that runs a duty cycle over such files catches that error outside
 * of the cycle and calls {@link #restore}. It extends every file to its length: the mappings are valid again, with
 * zeros in the truncated part. Thread safe.
 */
public final class SharedFiles
{
    private static final int ZEROS = 1 << 16;
    private static final long NOT_TRUNCATED = -1;

    private static volatile Watch[] watches = {};

    private SharedFiles()
    {
    }

    /**
     * Fills a file with zeros, up to a length in bytes, before it is mapped. Lack of memory is then an error here and
     * not a crash at a later store.
     *
     * @throws IOException if there is not enough memory.
     */
    public static void writeZeros(final FileChannel channel, final long length) throws IOException
    {
        final ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS);
        for (long end = 0; end < length;)
        {
            zeros.clear().limit((int)Math.min(ZEROS, length - end));
            end += channel.write(zeros, end);
        }
    }

    /** Registration of a file, until this is closed. */
    public static final class Watch implements AutoCloseable
    {
        private final Path file;
        private final long length;
        /** An interrupt of the thread would close a FileChannel. */
        private final RandomAccessFile content;
        private final Runnable onRestored;
        /** Length in bytes to which the file was truncated since the last report, or {@link #NOT_TRUNCATED}. */
        private long truncatedTo = NOT_TRUNCATED;

        private Watch(final Path file, final long length, final RandomAccessFile content, final Runnable onRestored)
        {
            this.file = file;
            this.length = length;
            this.content = content;
            this.onRestored = onRestored;
        }

        private void restore() throws IOException
        {
            final long found = content.length();
            if (found >= length)
            {
                return;
            }
            truncatedTo = found;
            final byte[] zeros = new byte[ZEROS];
            content.seek(found);
            for (long end = found; end < length; end += ZEROS)
            {
                content.write(zeros, 0, (int)Math.min(ZEROS, length - end));
            }
            try
            {
                onRestored.run();
            }
            catch (final InternalError ignore)
            {
                // Truncated again: the next call restores it.
            }
            drain();
        }

        /** Returns one line about the file once after its restoration; otherwise null. */
        private String report()
        {
            if (truncatedTo == NOT_TRUNCATED)
            {
                return null;
            }
            final String line = file + " was truncated to " + truncatedTo + " bytes by another process; restored to " +
                length + " bytes, filled with zeros";
            truncatedTo = NOT_TRUNCATED;
            return line;
        }

        @Override
        public void close() throws IOException
        {
            remove(this);
            content.close();
        }
    }

    /**
     * Registers a file that is mapped for reading and writing.
     *
     * @param file       of this process.
     * @param length     that it must have, in bytes.
     * @param onRestored writes the initial content if zeros are not enough; called by the thread that calls
     *                   {@link #restore}.
     * @throws IOException if the file cannot be opened.
     */
    public static Watch watch(final Path file, final long length, final Runnable onRestored) throws IOException
    {
        final Watch watch = new Watch(
            file, length, new RandomAccessFile(file.toFile(), "rw"), onRestored);
        synchronized (SharedFiles.class)
        {
            final Watch[] next = Arrays.copyOf(watches, watches.length + 1);
            next[next.length - 1] = watch;
            watches = next;
        }
        return watch;
    }

    private static synchronized void remove(final Watch watch)
    {
        watches = Arrays.stream(watches).filter(other -> other != watch).toArray(Watch[]::new);
    }

    /**
     * Extends every truncated file to its original length. Makes one system call for each file; allocates only if one
     * was truncated.
     *
     * @return one line for the user about the truncated files, or null if there were none.
     */
    public static synchronized String restore()
    {
        String report = null;
        for (final Watch watch : watches)
        {
            final String line = restore(watch);
            if (line != null)
            {
                report = report == null ? line : report + "; " + line;
            }
        }
        return report;
    }

    private static String restore(final Watch watch)
    {
        drain();
        try
        {
            watch.restore();
        }
        catch (final IOException ex)
        {
            return watch.file + " was truncated by another process and cannot be restored: " + ex.getMessage();
        }
        return watch.report();
    }

    /** Makes the JVM throw a pending error of an earlier access here and not in unrelated code. */
    private static void drain()
    {
        try
        {
            // A native method, so that the thread enters and leaves the JVM.
            Thread.holdsLock(SharedFiles.class);
        }
        catch (final InternalError ignore)
        {
            // Caused by a file that was restored or will be.
        }
    }
}
