package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.notify.ServiceNotifications;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.AccessTable;
import org.fibnuma.fibnic.config.AddedPort;
import org.fibnuma.fibnic.config.ConfigComparison;
import org.fibnuma.fibnic.config.ConfigFile;
import org.fibnuma.fibnic.config.ConfigReader;
import org.fibnuma.fibnic.config.PortConfig;
import org.fibnuma.fibnic.config.RouterConfig;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Changes the configuration of a running router. A reload reads the file again and applies all changes, or none if the
 * file is wrong or a key differs that only a restart changes. Ports are also added and removed one by one. A thread of
 * its own makes one change after the other: it reads the file and computes the tables of the access lists. The control
 * thread publishes the lists in one step. The answer follows when no worker uses the replaced lists and limits.
 */
final class Reload implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Reload.class);

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
    private final PortPlaces places;
    private final ThreadPoolExecutor thread;
    private volatile boolean closed;
    private final RouterConfig started;
    /** In force; thread of the reloads. */
    private RouterConfig running;

    /**
     * Changes the configuration as it was read.
     *
     * @param settings applies the limits and intervals of a configuration; called on the control thread.
     */
    Reload(
        final RouterConfig running,
        final AccessTable access,
        final Consumer<RouterConfig> settings,
        final ControlAgent control,
        final ReaderEpochs epochs,
        final PortPlaces places,
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
        this.places = places;
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
        execute(this::notifyingReload, answer);
    }

    /**
     * Starts to add a port, behind the changes that wait; any thread.
     *
     * @param port   to be added.
     * @param answer called once, on any thread, with the port's name and device or an error of one line.
     */
    void addPort(final AddedPort port, final Consumer<JsonNode> answer)
    {
        execute(() -> changePort(() -> add(port)), answer);
    }

    /** Starts to remove a port, as {@link #addPort} adds one. */
    void removePort(final String name, final Consumer<JsonNode> answer)
    {
        execute(() -> changePort(() -> ask(reply -> portChanges.remove(name, reply))), answer);
    }

    private void execute(final Supplier<JsonNode> change, final Consumer<JsonNode> answer)
    {
        try
        {
            thread.execute(() -> answer.accept(change.get()));
        }
        catch (final RejectedExecutionException ex)
        {
            answer.accept(refusal(closed ? STOPPING : "too many changes are waiting; ask again when they are done"));
        }
    }

    private JsonNode changePort(final Callable<JsonNode> change)
    {
        if (closed)
        {
            return ControlProtocol.error(STOPPING);
        }
        try
        {
            return change.call();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return ControlProtocol.error(STOPPING);
        }
        catch (final Exception ex)
        {
            return ControlProtocol.error(
                ex instanceof IllegalArgumentException || ex instanceof UserException ?
                ex.getMessage() : ex.toString());
        }
    }

    /** Cancels and answers all changes, and waits for the end of the last. Not for the control thread. */
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
        final String problem = comparison.changes().isEmpty() ? null :
            apply(file.config(), comparison.removedPorts(), comparison.addedPorts());
        if (problem != null)
        {
            return refusal(problem);
        }
        running = file.config();
        for (int place = 0; place < places.size(); place++)
        {
            final PortConfig port = places.get(place) == null ? null : running.port(places.get(place).name());
            if (port != null)
            {
                places.set(place, port);
            }
        }
        return answer(comparison.changes());
    }

    /**
     * Removes ports, applies lists and limits, adds ports: in this order no port forwards without its lists. Returns
     * null, or why nothing has changed.
     */
    private String apply(final RouterConfig config, final List<String> toRemove, final List<PortConfig> toAdd)
        throws InterruptedException
    {
        final String missing = missingList(config, toRemove);
        if (missing != null)
        {
            return missing;
        }
        final List<String> removed = new ArrayList<>();
        String problem = remove(toRemove, removed);
        if (problem == null)
        {
            final List<String> added = new ArrayList<>();
            publish(config);
            problem = add(toAdd, config, added);
            if (problem != null)
            {
                remove(added, new ArrayList<>());
                publish(running);
            }
        }
        if (problem != null)
        {
            add(removed.stream().map(running::port).toList(), running, new ArrayList<>());
        }
        return problem;
    }

    /** Returns why a port that a command has added cannot keep its access lists, or null. */
    private String missingList(final RouterConfig config, final List<String> toRemove)
    {
        for (int place = 0; place < places.size(); place++)
        {
            final PortConfig port = places.get(place);
            if (port != null && config.port(port.name()) == null && !toRemove.contains(port.name()) &&
                !portChanges.isRemoved(place))
            {
                for (final String list : Stream.of(port.aclIn(), port.aclOut()).filter(Objects::nonNull).toList())
                {
                    if (config.acls().stream().noneMatch(known -> known.name().equals(list)))
                    {
                        return config.file() + ": has no [[acl]] \"" + list + "\", which port " + port.name() +
                            " uses; keep it, or port remove " + port.name() + " first";
                    }
                }
            }
        }
        return null;
    }

    /** Removes ports until one is refused; returns its reason, or null. */
    private String remove(final List<String> names, final List<String> removed) throws InterruptedException
    {
        for (final String name : names)
        {
            final JsonNode answer = ask(reply -> portChanges.set(name, false, reply));
            if (answer.has(ControlProtocol.ERROR))
            {
                return answer.get(ControlProtocol.ERROR).asText();
            }
            if (!answer.isEmpty())
            {
                removed.add(name);
            }
        }
        return null;
    }

    /** Adds ports until one is refused; returns its reason, or null. */
    private String add(final List<PortConfig> toAdd, final RouterConfig config, final List<String> added)
        throws InterruptedException
    {
        for (final PortConfig port : toAdd)
        {
            final JsonNode answer = add(port, config);
            if (answer.has(ControlProtocol.ERROR))
            {
                return answer.get(ControlProtocol.ERROR).asText();
            }
            if (!answer.isEmpty())
            {
                added.add(port.name());
            }
        }
        return null;
    }

    /** Adds the port of a command; a port that is running is refused. */
    private JsonNode add(final AddedPort wanted) throws InterruptedException
    {
        final int own = places.placeOf(wanted.name());
        final PortConfig known = own == PortPlaces.NONE ? running.port(wanted.name()) : places.get(own);
        if (own != PortPlaces.NONE && !portChanges.isRemoved(own))
        {
            return ask(reply -> portChanges.add(wanted.name(), reply));
        }
        return add(known != null && wanted.isNameOnly() ? known : wanted.config(running), running);
    }

    /** Adds a port with the lists of a configuration; the answer is an empty object if the port is running. */
    private JsonNode add(final PortConfig port, final RouterConfig config) throws InterruptedException
    {
        final int own = places.placeOf(port.name());
        final boolean isKnown = own != PortPlaces.NONE && places.get(own).isLike(port);
        final int other = places.placeOfDevice(port.device(), portChanges::isRemoved);
        if (other != PortPlaces.NONE && other != own)
        {
            return ControlProtocol.error("port " + port.name() + ": \"" + port.device() + "\" is taken by port " +
                places.get(other).name() + "; give another");
        }
        if (own != PortPlaces.NONE && !isKnown && !portChanges.isRemoved(own))
        {
            return ControlProtocol.error("port " + port.name() + " (" + places.get(own).device() +
                ") was added with other settings; port remove " + port.name() + " removes it");
        }
        return isKnown ? ask(reply -> portChanges.set(port.name(), true, reply)) : addNew(port, config);
    }

    private JsonNode addNew(final PortConfig port, final RouterConfig config) throws InterruptedException
    {
        final int place = places.placeFor(port.name(), portChanges::isRemoved,
            each -> places.get(each) != null && config.port(places.get(each).name()) != null);
        if (place == PortPlaces.NONE)
        {
            return ControlProtocol.error("port " + port.name() + " (" + port.device() + "): all " + places.size() +
                " places have ports: remove one, or set spare-ports in " + config.fileText() + " to more than " +
                started.sparePlaces() + " and restart");
        }
        final PortConfig before = places.get(place);
        places.set(place, port);
        publish(config);
        final JsonNode answer = ask(reply -> portChanges.addNew(place, port, reply));
        if (answer.has(ControlProtocol.ERROR))
        {
            places.set(place, portChanges.isPortOf(place, before) ? before : null);
            publish(config);
        }
        return answer;
    }

    private JsonNode ask(final Consumer<Consumer<JsonNode>> change) throws InterruptedException
    {
        final BlockingQueue<JsonNode> answers = new ArrayBlockingQueue<>(1);
        offer(() -> change.accept(answers::add));
        return answers.take();
    }

    private void offer(final Runnable task) throws InterruptedException
    {
        while (!control.offer(task))
        {
            Thread.sleep(RETRY_MS);
        }
    }

    /** Publishes the lists and limits of a configuration; returns when no worker uses others. */
    private void publish(final RouterConfig config) throws InterruptedException
    {
        final AccessLists lists = config.accessLists(access.current(), places.ports());
        final CountDownLatch unused = new CountDownLatch(1);
        offer(() ->
        {
            access.replace(lists);
            settings.accept(config);
            epochs.retire(() ->
            {
                lists.settle();
                unused.countDown();
            });
        });
        unused.await();
    }

    private ObjectNode answer(final List<ConfigComparison.Change> changes)
    {
        final ObjectNode answer = ControlProtocol.object().put("file", running.file().toString());
        final ArrayNode rows = answer.putArray(CHANGES);
        for (final ConfigComparison.Change change : changes)
        {
            LOGGER.info("reload: {}", change.text());
            rows.addObject().put("subject", change.subject()).put("change", change.change());
        }
        if (changes.isEmpty())
        {
            LOGGER.info("reload: {} changes nothing", running.file());
        }
        return answer;
    }

    private static JsonNode refusal(final String why)
    {
        LOGGER.warn("reload refused, nothing has changed: {}", why);
        return ControlProtocol.error(why);
    }

    private static String firstOf(final List<String> problems)
    {
        final int others = problems.size() - 1;
        return problems.get(0) + (others == 0 ? "" : " (and " + others + " more)");
    }
}
