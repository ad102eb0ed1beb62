package org.fibnuma.ipnuma.naming.etcd;

import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.naming.NameProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Follows the endpoints in the directory, on a separate thread. While etcd does not answer, the last known endpoints
 * stay. The list is read again after each time of a lease, because a connection whose other side has vanished reports
 * nothing.
 */
public final class DirectoryWatch implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(DirectoryWatch.class);

    private static final long RETRY_MS = 500;
    private static final long CLOSE_PATIENCE_MS = 10_000;

    private final DirectorySettings settings;
    private final EtcdClient etcd;
    private final DirectoryListener listener;
    private final Thread thread = new Thread(this::run, "directory-watch");
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task ->
    {
        final Thread daemon = new Thread(task, "directory-watch-timer");
        daemon.setDaemon(true);
        return daemon;
    });
    private volatile boolean isClosed;
    private volatile EtcdClient.Watch current;
    /** Used by the thread only, as the next fields. */
    private final Map<String, DirectoryEntry> known = new TreeMap<>();
    private final Set<String> refused = new HashSet<>();
    private boolean isLost;

    private DirectoryWatch(final DirectorySettings settings, final DirectoryListener listener)
    {
        this.settings = settings;
        this.listener = listener;
        this.etcd = settings.newClient();
        thread.setDaemon(true);
    }

    /**
     * Starts to follow the directory. Returns at once, even if etcd does not answer.
     *
     * @param settings of the directory.
     * @param listener receives every endpoint, then the changes.
     * @return the watch.
     * @throws UserException if a certificate cannot be used.
     */
    public static DirectoryWatch start(final DirectorySettings settings, final DirectoryListener listener)
    {
        final DirectoryWatch watch = new DirectoryWatch(settings, listener);
        watch.thread.start();
        watch.timer.scheduleWithFixedDelay(
            watch::endCurrent, settings.leaseSeconds(), settings.leaseSeconds(), TimeUnit.SECONDS);
        return watch;
    }

    /**
     * Reads the directory once.
     *
     * @param settings of the directory.
     * @return the endpoints by name, without invalid entries.
     * @throws UserException with one line if etcd does not answer.
     */
    public static List<DirectoryEntry> list(final DirectorySettings settings)
    {
        final List<DirectoryEntry> entries = new ArrayList<>();
        final DirectoryWatch reader = new DirectoryWatch(settings, new DirectoryListener()
        {
            @Override
            public void onEndpoint(final DirectoryEntry entry)
            {
                entries.add(entry);
            }

            @Override
            public void onGone(final DirectoryEntry last)
            {
                entries.remove(last);
            }
        });
        reader.timer.shutdownNow();
        try
        {
            reader.readAll();
        }
        catch (final IOException ex)
        {
            throw new UserException(ex.getMessage(), ex);
        }
        return entries;
    }

    private void run()
    {
        while (!isClosed)
        {
            try
            {
                final long revision = readAll();
                logRecovery();
                follow(revision + 1);
            }
            catch (final IOException ex)
            {
                logLoss(ex);
                pause();
            }
        }
    }

    private void follow(final long fromRevision) throws IOException
    {
        try (EtcdClient.Watch watch = etcd.watch(settings.endpoints(), fromRevision))
        {
            current = watch;
            if (!isClosed)
            {
                watch.read(new EtcdClient.WatchListener()
                {
                    @Override
                    public void onPut(final String key, final String value)
                    {
                        put(key, value);
                    }

                    @Override
                    public void onDelete(final String key)
                    {
                        remove(key);
                    }
                });
            }
        }
        finally
        {
            current = null;
        }
    }

    /** Reads all entries and returns the revision of the store. */
    private long readAll() throws IOException
    {
        final EtcdClient.Range range = etcd.range(settings.endpoints());
        for (final String key : List.copyOf(known.keySet()))
        {
            if (!range.values().containsKey(key))
            {
                remove(key);
            }
        }
        range.values().forEach(this::put);
        return range.revision();
    }

    private void put(final String key, final String value)
    {
        final DirectoryEntry entry;
        try
        {
            entry = DirectoryEntry.parse(value);
        }
        catch (final IllegalArgumentException ex)
        {
            if (refused.add(key))
            {
                LOGGER.warn("directory: ignores {}, which is not an endpoint: {}",
                    NameProtocol.printable(key), ex.getMessage());
            }
            remove(key);
            return;
        }
        if (!entry.equals(known.put(key, entry)))
        {
            listener.onEndpoint(entry);
        }
    }

    private void remove(final String key)
    {
        final DirectoryEntry last = known.remove(key);
        if (last != null)
        {
            listener.onGone(last);
        }
    }

    private void endCurrent()
    {
        final EtcdClient.Watch watch = current;
        if (watch != null)
        {
            watch.close();
        }
    }

    private void logLoss(final IOException cause)
    {
        if (!isLost && !isClosed)
        {
            isLost = true;
            LOGGER.warn("directory: {}; keeps {} known endpoints and tries again", cause.getMessage(), known.size());
        }
    }

    private void logRecovery()
    {
        if (isLost)
        {
            isLost = false;
            LOGGER.info("directory: etcd answers again; {} endpoints", known.size());
        }
    }

    private void pause()
    {
        try
        {
            Thread.sleep(RETRY_MS);
        }
        catch (final InterruptedException ignore)
        {
            isClosed = true;
        }
    }

    /** Ends the watch. The listener is not called after this has returned. */
    @Override
    public void close()
    {
        isClosed = true;
        timer.shutdownNow();
        thread.interrupt();
        endCurrent();
        try
        {
            thread.join(CLOSE_PATIENCE_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
