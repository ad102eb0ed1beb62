package org.fibnuma.ipnuma.stream;

import org.agrona.CloseHelper;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.NamespaceAccess;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.config.EndpointConfigReader;
import org.fibnuma.ipnuma.endpoint.Endpoint;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two endpoints of this process, PC IDs 1 and 2, and the directory of ports. Each has its own thread, or runs on the
 * thread of its program. They share memory, are connected within the process, or are in network namespaces
 * of their own.
 */
public final class StreamLab implements AutoCloseable
{
    private static final AtomicLong LABS = new AtomicLong();
    private static final int DIRECTORY = 100;
    private static final String SHM = "shm:";
    private static final String MEMORY = "mem:";
    private static final String XDP = "xdp:";
    private static final String DEVICE = "e0";
    private static final int MTU = 1500;

    private final Path files;
    private final String prefix = "test-streams-" + ProcessHandle.current().pid() + "-" + LABS.incrementAndGet();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final boolean haveThreads;
    private final String deviceKind;
    private final String more;
    /** Of the endpoint with PC ID 1 and of the other one; empty where both are in the namespace of the process. */
    private final List<Host> hosts = new ArrayList<>();
    /** By PC ID. */
    private final Map<Integer, Endpoint> endpoints = new HashMap<>();

    /** Starts both; {@code faults} is empty or such as {@code fault:loss=3,seed=7/}. */
    public StreamLab(final Path files, final String faults) throws Exception
    {
        this(files, faults, "");
    }

    /** Starts both with more configuration, such as further peers. */
    public StreamLab(final Path files, final String faults, final String more) throws Exception
    {
        this(files, faults, more, true, SHM);
    }

    /** Starts both, connected within this process, with more configuration. */
    public static StreamLab overMemory(final Path files, final String more) throws Exception
    {
        return new StreamLab(files, "", more, true, MEMORY);
    }

    /** Starts both in network namespaces of their own, over AF_XDP and a veth pair, with more configuration. */
    public static StreamLab overXdp(final Path files, final String more) throws Exception
    {
        return new StreamLab(files, "", more, true, XDP);
    }

    /** Opens both for one program each, whose thread runs the endpoint. */
    static StreamLab withoutThreads(final Path files, final String faults) throws Exception
    {
        return new StreamLab(files, faults, "", false, SHM);
    }

    private StreamLab(
        final Path files, final String faults, final String more, final boolean haveThreads, final String scheme)
        throws Exception
    {
        this.files = files;
        this.haveThreads = haveThreads;
        this.deviceKind = faults + scheme;
        this.more = more;
        try
        {
            if (scheme.equals(XDP))
            {
                openHosts();
            }
            start(1, 2);
            start(2, 1);
        }
        catch (final Exception ex)
        {
            close();
            throw ex;
        }
    }

    private void openHosts()
    {
        for (final String label : List.of("near", "far"))
        {
            hosts.add(Host.open(label));
            open.push(hosts.get(hosts.size() - 1));
        }
        hosts.get(0).connect(DEVICE, hosts.get(1), DEVICE, MTU);
    }

    private void start(final int id, final int peer) throws Exception
    {
        final String device = deviceKind + (hosts.isEmpty() ? prefix + (id == 1 ? "" : "@far") : DEVICE);
        final Path file = Files.writeString(files.resolve(prefix + id + ".toml"), """
            [endpoint]
            name = "%s-%d"
            device = "%s"
            address = "10.9.0.%d/24"
            client-timeout-ms = 10000
            [[peer]]
            id = %d
            address = "10.9.0.%d"
            [[region]]
            name = "streams"
            id = %d
            size-kib = 2048
            access = "read"
            key = "none"
            %s""".formatted(prefix, id, device, id, peer, peer, DIRECTORY, more));
        final EndpointConfig config = EndpointConfigReader.read(file);
        if (!haveThreads)
        {
            final Endpoint endpoint = Endpoint.open(config, ChannelListener.NONE);
            endpoints.put(id, endpoint);
            endpoint.start();
            open.push(endpoint);
            return;
        }
        final AtomicBoolean stopped = new AtomicBoolean();
        final CompletableFuture<Endpoint> opened = new CompletableFuture<>();
        final Thread thread = new Thread(() ->
        {
            try
            {
                inNamespace(id, () -> run(config, opened, stopped));
            }
            catch (final RuntimeException | Error ex)
            {
                opened.completeExceptionally(ex);
                throw ex;
            }
        }, "endpoint-" + id);
        thread.start();
        open.push(() ->
        {
            stopped.set(true);
            thread.join(TimeUnit.SECONDS.toMillis(10));
        });
        endpoints.put(id, opened.get());
    }

    private void inNamespace(final int id, final Runnable action)
    {
        if (hosts.isEmpty())
        {
            action.run();
            return;
        }
        NamespaceAccess.load().call(hosts.get(id - 1).namespaceFile(), () ->
        {
            action.run();
            return null;
        });
    }

    private static void run(
        final EndpointConfig config, final CompletableFuture<Endpoint> opened, final AtomicBoolean stopped)
    {
        try (Endpoint endpoint = Endpoint.open(config, ChannelListener.NONE))
        {
            endpoint.start();
            opened.complete(endpoint);
            while (!stopped.get())
            {
                if (endpoint.agent().doWork() == 0)
                {
                    LockSupport.parkNanos(10_000);
                }
            }
        }
    }

    /** Name of an endpoint. */
    public String endpoint(final int id)
    {
        return prefix + "-" + id;
    }

    /** Settings of a program at an endpoint. */
    public StreamSettings settings(final int id)
    {
        return StreamSettings.of(endpoint(id), id);
    }

    /** Directory of an endpoint. */
    Path directory(final int id)
    {
        return CountersFile.directoryOf(prefix + "-" + id);
    }

    /** Opens a program at an endpoint, which the lab closes. */
    StreamAgent agent(final int id, final int connections, final int ringCapacity)
    {
        final StreamSettings settings = settings(id).withRings(connections, ringCapacity);
        final StreamAgent agent = StreamAgent.open(
            haveThreads ? settings : settings.withEndpoint(endpoints.get(id).companion()), StreamEvents.NONE);
        open.push(agent::onClose);
        return agent;
    }

    /** Returns a published count of all sessions of an endpoint. */
    long count(final int id, final String label)
    {
        final long[] found = new long[1];
        endpoints.get(id).counters().forEach((value, key, name) -> found[0] += name.endsWith(" " + label) ? value : 0);
        return found[0];
    }

    /** Ends the endpoint that was started last, PC ID 2, while programs use it. */
    public void stopFarEndpoint() throws Exception
    {
        final Deque<AutoCloseable> programs = new ArrayDeque<>();
        while (open.size() > 2)
        {
            programs.addLast(open.pop());
        }
        open.pop().close();
        while (!programs.isEmpty())
        {
            open.push(programs.removeLast());
        }
    }

    /** Starts the endpoint with PC ID 2 again, after {@link #stopFarEndpoint}. */
    public void startFarEndpoint() throws Exception
    {
        start(2, 1);
    }

    /** Runs agents until a condition is met; fails after a minute. */
    static void run(final BooleanSupplier condition, final StreamAgent... agents)
    {
        final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            int work = 0;
            for (final StreamAgent agent : agents)
            {
                work += agent.doWork();
            }
            assertTrue(System.nanoTime() - end < 0, "waited for a minute in vain");
            if (work == 0)
            {
                LockSupport.parkNanos(5_000);
            }
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(open);
        open.clear();
    }
}
