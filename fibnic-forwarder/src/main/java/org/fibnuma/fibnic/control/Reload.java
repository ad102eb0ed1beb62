package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.config.ConfigException;
import org.fibnuma.core.service.ServiceNotifications;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.AccessTable;
import org.fibnuma.fibnic.config.ConfigChange;
import org.fibnuma.fibnic.config.ConfigComparison;
import org.fibnuma.fibnic.config.ConfigFile;
import org.fibnuma.fibnic.config.ConfigReader;
import org.fibnuma.fibnic.config.RouterConfig;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reads the configuration file of a running router again and applies what has changed: everything, or nothing if the
 * file is wrong or a key differs that only a restart changes. The file is read and the tables of the access lists are
 * computed on a thread of its own, one reload after the other. The control thread publishes the lists in one step; the
 * answer follows when no worker uses the replaced lists and limits any more.
 */
final class Reload implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(Reload.class);

    /** Waiting reloads; a further one is refused. */
    private static final int WAITING = 16;

    /** Interval in which a full queue of the control thread is tried again: one of its duty cycles. */
    private static final long RETRY_MS = 1;

    private static final String CHANGES = "changes";
    private static final String STOPPING = "the router is stopping: the reload was cancelled";

    private final AccessTable access;
    private final Consumer<RouterConfig> settings;
    private final ControlAgent control;
    private final ReaderEpochs epochs;
    private final PortChanges portChanges;
    private final ServiceNotifications notifications;
    /** Names of the ports by index. */
    private final List<String> ports;
    private final ThreadPoolExecutor thread;
    private volatile boolean closed;
    private final RouterConfig started;
    /** In force; thread of the reloads. */
    private RouterConfig running;

    /**
     * Creates the reload of a router.
     *
     * @param running       configuration of the router, as it was read.
     * @param access        lists of the router.
     * @param settings      applies the limits and intervals of a configuration; called on the control thread.
     * @param control       the control thread.
     * @param epochs        of the workers.
     * @param portChanges   removes and adds ports, on the control thread.
     * @param notifications told of the begin and end of each reload.
     */
    Reload(
        final RouterConfig running,
        final AccessTable access,
        final Consumer<RouterConfig> settings,
        final ControlAgent control,
        final ReaderEpochs epochs,
        final PortChanges portChanges,
        final ServiceNotifications notifications)
    {
        this.started = running;
        this.running = running;
        this.portChanges = portChanges;
        this.access = access;
        this.settings = settings;
        this.control = control;
        this.epochs = epochs;
        this.notifications = notifications;
        ports = running.portNames();
        thread = new ThreadPoolExecutor(
            1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), Reload::newThread);
        thread.allowCoreThreadTimeOut(true);
    }

    private static Thread newThread(final Runnable reloads)
    {
        final Thread created = new Thread(reloads, "reload");
        created.setDaemon(true);
        return created;
    }

    /**
     * Starts a reload, behind those that wait; any thread.
     *
     * @param answer called once, on any thread, with what has changed or an error of one line.
     */
    void start(final Consumer<JsonNode> answer)
    {
        try
        {
            thread.execute(() -> answer.accept(notifyingReload()));
        }
        catch (final RejectedExecutionException ex)
        {
            answer.accept(refusal(closed ? STOPPING : "too many reloads are waiting; ask again when they are done"));
        }
    }

    /** Cancels all reloads, which are answered, and waits for the end of the last. Not for the control thread. */
    @Override
    public void close()
    {
        closed = true;
        thread.shutdownNow().forEach(Runnable::run);
        try
        {
            thread.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private JsonNode notifyingReload()
    {
        if (closed)
        {
            return refusal(STOPPING);
        }
        notifications.reloading();
        final JsonNode answer = reload();
        if (!closed)
        {
            notifications.ready(answer.has(ControlProtocol.ERROR) ?
                "reload refused: " + answer.get(ControlProtocol.ERROR).asText() :
                "reloaded " + running.file() + ", changes: " + answer.get(CHANGES).size());
        }
        return answer;
    }

    private JsonNode reload()
    {
        if (running.file() == null)
        {
            return refusal("the router was started without a file; restart it with -c FILE");
        }
        try
        {
            return apply();
        }
        catch (final ConfigException ex)
        {
            return refusal(firstOf(ex.problems()));
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return refusal(STOPPING);
        }
        catch (final RuntimeException | OutOfMemoryError ex)
        {
            return refusal(running.file() + ": " + ex);
        }
    }

    private JsonNode apply() throws ConfigException, InterruptedException
    {
        final ConfigFile file = ConfigReader.readWithLines(running.file());
        final ConfigComparison comparison = ConfigComparison.of(started, running, file);
        if (!comparison.refusals().isEmpty())
        {
            return refusal(firstOf(comparison.refusals()));
        }
        if (!comparison.changes().isEmpty())
        {
            final String problem = apply(file.config(), comparison.removedPorts(), comparison.addedPorts());
            if (problem != null)
            {
                return refusal(problem);
            }
        }
        running = file.config();
        return answer(comparison.changes());
    }

    /**
     * Removes ports, applies lists and limits, adds ports: in this order a port never forwards without its lists.
     * Returns null, or why everything is as before.
     */
    private String apply(final RouterConfig config, final List<String> toRemove, final List<String> toAdd)
        throws InterruptedException
    {
        final List<String> removed = new ArrayList<>();
        String problem = change(toRemove, false, removed);
        if (problem == null)
        {
            final List<String> added = new ArrayList<>();
            publish(config.accessLists(access.current(), ports), config);
            problem = change(toAdd, true, added);
            if (problem != null)
            {
                change(added, false, new ArrayList<>());
                publish(running.accessLists(access.current(), ports), running);
            }
        }
        if (problem != null)
        {
            change(removed, true, new ArrayList<>());
        }
        return problem;
    }

    /** Changes ports until one is refused; returns its reason, or null. */
    private String change(final List<String> names, final boolean wanted, final List<String> changed)
        throws InterruptedException
    {
        for (final String name : names)
        {
            final BlockingQueue<JsonNode> answers = new ArrayBlockingQueue<>(1);
            while (!control.offer(() -> portChanges.set(name, wanted, answers::add)))
            {
                Thread.sleep(RETRY_MS);
            }
            final JsonNode answer = answers.take();
            if (answer.has(ControlProtocol.ERROR))
            {
                return answer.get(ControlProtocol.ERROR).asText();
            }
            if (!answer.isEmpty())
            {
                changed.add(name);
            }
        }
        return null;
    }

    private void publish(final AccessLists lists, final RouterConfig config) throws InterruptedException
    {
        final CountDownLatch unused = new CountDownLatch(1);
        final Runnable publication = () ->
        {
            access.replace(lists);
            settings.accept(config);
            epochs.retire(() ->
            {
                lists.settle();
                unused.countDown();
            });
        };
        while (!control.offer(publication))
        {
            Thread.sleep(RETRY_MS);
        }
        unused.await();
    }

    private ObjectNode answer(final List<ConfigChange> changes)
    {
        final ObjectNode answer = ControlProtocol.object().put("file", running.file().toString());
        final ArrayNode rows = answer.putArray(CHANGES);
        for (final ConfigChange change : changes)
        {
            LOG.info("reload: {}", change.text());
            rows.addObject().put("subject", change.subject()).put("change", change.change());
        }
        if (changes.isEmpty())
        {
            LOG.info("reload: {} changes nothing", running.file());
        }
        return answer;
    }

    private static JsonNode refusal(final String why)
    {
        LOG.warn("reload refused, nothing has changed: {}", why);
        return ControlProtocol.error(why);
    }

    private static String firstOf(final List<String> problems)
    {
        final int others = problems.size() - 1;
        return problems.get(0) + (others == 0 ? "" : " (and " + others + " more)");
    }
}
