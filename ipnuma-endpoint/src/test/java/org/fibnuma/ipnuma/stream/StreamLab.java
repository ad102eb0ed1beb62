package org.fibnuma.ipnuma.stream;

import org.agrona.CloseHelper;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.config.EndpointConfigReader;
import org.fibnuma.ipnuma.endpoint.Endpoint;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two endpoints of this process, PC IDs 1 and 2, and the directory of ports. Each has its own thread, or runs on the
 * thread of its program.
 */
public final class StreamLab implements AutoCloseable
{
    private static final AtomicLong LABS = new AtomicLong();
    private static final int DIRECTORY = 100;

    private final Path files;
    private final String prefix = "test-streams-" + ProcessHandle.current().pid() + "-" + LABS.incrementAndGet();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final boolean haveThreads;
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
        this(files, faults, more, true);
    }

    /** Opens both for one program each, whose thread runs the endpoint. */
    static StreamLab withoutThreads(final Path files, final String faults) throws Exception
    {
        return new StreamLab(files, faults, "", false);
    }

    private StreamLab(final Path files, final String faults, final String more, final boolean haveThreads)
        throws Exception
    {
        this.files = files;
        this.haveThreads = haveThreads;
        try
        {
            start(1, 2, faults, more);
            start(2, 1, faults, more);
        }
        catch (final Exception ex)
        {
            close();
            throw ex;
        }
    }

    private void start(final int id, final int peer, final String faults, final String more) throws Exception
    {
        final Path file = Files.writeString(files.resolve(prefix + id + ".toml"), """
            [endpoint]
            name = "%s-%d"
            device = "%sshm:%s%s"
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
            %s""".formatted(prefix, id, faults, prefix, id == 1 ? "" : "@far", id, peer, peer, DIRECTORY, more));
        final Endpoint endpoint = Endpoint.open(EndpointConfigReader.read(file), ChannelListener.NONE);
        endpoints.put(id, endpoint);
        if (!haveThreads)
        {
            endpoint.start();
            open.push(endpoint);
            return;
        }
        final AtomicBoolean stopped = new AtomicBoolean();
        final Thread thread = new Thread(() ->
        {
            endpoint.start();
            while (!stopped.get())
            {
                if (endpoint.agent().doWork() == 0)
                {
                    LockSupport.parkNanos(10_000);
                }
            }
            endpoint.close();
        }, "endpoint-" + id);
        thread.start();
        open.push(() ->
        {
            stopped.set(true);
            thread.join(TimeUnit.SECONDS.toMillis(10));
        });
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
    void stopFarEndpoint() throws Exception
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
