package org.fibnuma.core.memory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Files that this process has mapped and that another process may shorten. An access to a page behind the end of its
 * file raises SIGBUS. HotSpot skips the access and throws {@link InternalError} on that thread, then or at a later
 * transition from native code or safepoint. A thread that runs a duty cycle over such files catches that error outside
 * of the cycle and calls {@link #restore}, which gives every file its length back; the mappings are valid again then,
 * with zeros where the file was cut. Thread safe.
 */
public final class SharedFiles
{
    private static final int ZEROS = 1 << 16;
    private static final long UNCUT = -1;

    private static volatile Watch[] watches = {};

    private SharedFiles()
    {
    }

    /** A file being watched, until it is closed. */
    public static final class Watch implements AutoCloseable
    {
        private final Path file;
        private final long length;
        /** Not a channel, which an interrupt of the thread would close. */
        private final RandomAccessFile content;
        private final Runnable onRestored;
        /** Since it was told last. */
        private long cutTo = UNCUT;

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
            cutTo = found;
            // Written rather than left sparse: full memory is an error here, not a crash at a later store.
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
                // Cut again: the next call restores it.
            }
            drain();
        }

        /** What to tell of a restored file, once; null where it was not cut. */
        private String told()
        {
            if (cutTo == UNCUT)
            {
                return null;
            }
            final String told = file + " was cut to " + cutTo + " bytes by another process: it has its " + length +
                " bytes again, with zeros";
            cutTo = UNCUT;
            return told;
        }

        @Override
        public void close() throws IOException
        {
            remove(this);
            content.close();
        }
    }

    /**
     * Watches a file that is mapped for reading and writing.
     *
     * @param file       of this process.
     * @param length     that it has and keeps, in bytes.
     * @param onRestored writes what the file has to begin with, where zeros are not enough; called by the thread that
     *                   calls {@link #restore}.
     * @return the watch; the caller closes it.
     * @throws IOException where the file cannot be opened.
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
     * Gives every file that is too short its length back. One system call for each file; allocates only where one is
     * too short.
     *
     * @return one line for the user about the files that were too short, null where none was.
     */
    public static synchronized String restore()
    {
        String told = null;
        for (final Watch watch : watches)
        {
            final String line = restore(watch);
            if (line != null)
            {
                told = told == null ? line : told + "; " + line;
            }
        }
        return told;
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
            return watch.file + " was cut by another process and cannot be restored: " + ex.getMessage();
        }
        return watch.told();
    }

    /** Lets the JVM throw the error of an earlier access here, rather than within somebody's book-keeping. */
    private static void drain()
    {
        try
        {
            // Native, so that the thread enters and leaves the JVM.
            Thread.holdsLock(SharedFiles.class);
        }
        catch (final InternalError ignore)
        {
            // Of a file that is about to be restored, or was.
        }
    }
}
