package org.fibnuma.ipnuma.endpoint;

import org.agrona.CloseHelper;
import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.notify.ServiceNotifications;
import org.fibnuma.ipnuma.config.EndpointChanges;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.config.EndpointConfigReader;
import org.fibnuma.ipnuma.naming.etcd.DirectoryEntry;
import org.fibnuma.ipnuma.naming.etcd.DirectoryListener;
import org.fibnuma.ipnuma.naming.etcd.DirectoryWatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reloads the configuration file of a running endpoint and applies the changes. Nothing is applied if the file is
 * invalid or a key has changed that needs a restart. A reload is also started when a peer of the directory appears,
 * moves or vanishes. The file is read on a separate thread, one reload after the other. The endpoint's thread applies
 * the changes between two duty cycles. The outcome is in the log and in the {@link ReloadOutcome} that {@code fibnuma
 * ipnuma reload} reads.
 */
public final class EndpointReload implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(EndpointReload.class);

    /**
     * Maximum number of waiting reloads. A waiting reload reads the file when it begins and serves all requests before.
     */
    private static final int WAITING = 1;

    private final Endpoint endpoint;
    private final ServiceNotifications notifications;
    private final ReloadOutcome outcome;
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
        1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), EndpointReload::newThread,
        new ThreadPoolExecutor.DiscardPolicy());
    /** Run by the endpoint's thread; null if no changes are ready. */
    private volatile Runnable task;
    /** Addresses in the directory by name of the endpoint. */
    private final ConcurrentMap<String, Integer> addresses = new ConcurrentHashMap<>();
    private DirectoryWatch directory;
    /** The configuration in force, written by the thread of the reloads. */
    private volatile EndpointConfig running;
    private long number;

    private EndpointReload(
        final Endpoint endpoint, final ServiceNotifications notifications, final ReloadOutcome outcome)
    {
        this.endpoint = endpoint;
        this.notifications = notifications;
        this.outcome = outcome;
        this.running = endpoint.config();
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Prepares an endpoint for reloads.
     *
     * @param endpoint      whose thread calls {@link #poll}.
     * @param notifications receives the begin and end of each reload.
     * @return the reloads, closed before the endpoint.
     * @throws UserException if the outcome of reloads cannot be written.
     */
    public static EndpointReload open(final Endpoint endpoint, final ServiceNotifications notifications)
    {
        final EndpointReload reload = new EndpointReload(endpoint, notifications,
            new ReloadOutcome(CountersFile.directoryOf(endpoint.config().name())));
        try
        {
            reload.outcome.write(0, List.of(), "");
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot write " + reload.outcome.file() + ": " + IoFailure.reason(ex), ex);
        }
        if (endpoint.config().directory() != null)
        {
            reload.directory = DirectoryWatch.start(endpoint.config().directory().settings(), reload.new Followed());
        }
        return reload;
    }

    /** Reloads when a peer of the directory appears, moves or vanishes. */
    private final class Followed implements DirectoryListener
    {
        @Override
        public void onEndpoint(final DirectoryEntry entry)
        {
            final Integer before = addresses.put(entry.name(), entry.ipv4());
            if (before == null || before != entry.ipv4())
            {
                requestFor(entry.name());
            }
        }

        @Override
        public void onGone(final DirectoryEntry last)
        {
            addresses.remove(last.name());
            requestFor(last.name());
        }

        private void requestFor(final String name)
        {
            if (running.directory().peers().contains(name))
            {
                request();
            }
        }
    }

    private static Thread newThread(final Runnable reloads)
    {
        final Thread created = new Thread(reloads, "reload");
        created.setDaemon(true);
        return created;
    }

    /** Starts a reload after the running one; any thread. A waiting reload serves this request too. */
    public void request()
    {
        thread.execute(this::reload);
    }

    /** Applies changes that are ready. Called by the endpoint's thread between two duty cycles. */
    public void poll()
    {
        final Runnable ready = task;
        if (ready != null)
        {
            task = null;
            ready.run();
        }
    }

    private void reload()
    {
        notifications.reloading();
        String error = "";
        List<String> lines = List.of();
        try
        {
            lines = apply();
            lines.forEach(line -> LOGGER.info("reload: {}", line));
            if (lines.isEmpty())
            {
                LOGGER.info("reload: {} changes nothing", running.file());
            }
        }
        catch (final ConfigException ex)
        {
            final int others = ex.problems().size() - 1;
            error = ex.problems().get(0) + (others == 0 ? "" : " (and " + others + " more)");
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return;
        }
        catch (final RuntimeException ex)
        {
            error = ex instanceof UserException ? ex.getMessage() : running.file() + ": " + ex;
        }
        if (!error.isEmpty())
        {
            LOGGER.warn("reload refused, nothing has changed: {}", error);
        }
        notifications.ready(error.isEmpty() ? "reloaded " + running.file() + ", changes: " + lines.size() :
            "reload refused: " + error);
        try
        {
            outcome.write(++number, lines, error);
        }
        catch (final IOException ex)
        {
            LOGGER.warn("cannot write {}: {}", outcome.file(), IoFailure.reason(ex));
        }
    }

    private List<String> apply() throws ConfigException, InterruptedException
    {
        final EndpointConfig file = EndpointConfigReader.readAgain(running, addresses);
        final EndpointChanges changes = EndpointChanges.of(endpoint.config(), running, file);
        if (!changes.lines().isEmpty())
        {
            final FutureTask<Void> applied = new FutureTask<>(() -> endpoint.apply(changes), null);
            task = applied;
            awaitEnd(applied);
        }
        running = file;
        file.logLevel().apply();
        return changes.lines();
    }

    private static void awaitEnd(final FutureTask<Void> applied) throws InterruptedException
    {
        try
        {
            applied.get();
        }
        catch (final ExecutionException ex)
        {
            throw new IllegalStateException("only a part of the changes is in force: " + ex.getCause(), ex.getCause());
        }
    }

    /** Cancels all reloads. */
    @Override
    public void close()
    {
        CloseHelper.close(directory);
        thread.shutdownNow();
        task = null;
        try
        {
            thread.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        outcome.delete();
    }
}
