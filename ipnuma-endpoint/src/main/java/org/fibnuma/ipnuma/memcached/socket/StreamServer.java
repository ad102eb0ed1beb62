package org.fibnuma.ipnuma.memcached.socket;

import org.agrona.concurrent.IdleStrategy;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.ipnuma.memcached.store.StoreCounter;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamAcceptor;
import org.fibnuma.ipnuma.stream.StreamAgent;
import org.fibnuma.ipnuma.stream.StreamChannel;
import org.fibnuma.ipnuma.stream.StreamEvents;
import org.fibnuma.ipnuma.stream.StreamSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Serves connections over streams, on a thread of its own. The thread polls the memory into which clients store, and
 * executes their commands itself: no command passes another thread, a queue or an event loop.
 */
final class StreamServer implements StreamEvents, AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(StreamServer.class);
    /** Reads of a connection before others have their turn. */
    private static final int READS = 16;
    /** The clock is read in one of 64 cycles: every 10 ms without traffic, if the idle strategy sleeps. */
    private static final int CLOCK_MASK = 63;
    /** Most time for the stores that tell clients of the end. */
    private static final long END_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final StoreAccess access;
    private final ConnectionLimit limit;
    private final Runnable crawl;
    private final StreamBuffers buffers = new StreamBuffers();
    private final Set<StreamConnection> connections = new HashSet<>();
    /** Connections that may have more to do, without an event. */
    private final Queue<StreamConnection> unfinished = new ArrayDeque<>();
    private final StreamAgent agent;
    private final StreamAcceptor acceptor;
    private final IdleStrategy idle;
    private final Thread thread = new Thread(this::run, "memcached-streams");
    private volatile boolean isStopped;

    private StreamServer(final StreamSettings settings, final int port, final int backlog, final String idle,
        final StoreAccess access, final ConnectionLimit limit, final Runnable crawl) throws IOException
    {
        this.access = access;
        this.limit = limit;
        this.crawl = crawl;
        this.idle = IdleStrategies.of(idle);
        this.agent = StreamAgent.open(settings, this);
        try
        {
            this.acceptor = agent.listen(port, backlog);
        }
        catch (final IOException | RuntimeException ex)
        {
            agent.onClose();
            throw ex;
        }
    }

    /**
     * Listens and starts the thread.
     *
     * @param settings of the streams.
     * @param port     to listen on.
     * @param backlog  most connections that wait.
     * @param idle     strategy of {@link IdleStrategies}.
     * @param access   to the store, shared with other transports.
     * @param limit    of the connections of all transports.
     * @param crawl    called about ten times a second, by the thread.
     * @return the server; the caller closes it.
     * @throws IOException   if the port is in use.
     * @throws UserException if the endpoint cannot be used, with the reason in one line.
     */
    static StreamServer open(final StreamSettings settings, final int port, final int backlog, final String idle,
        final StoreAccess access, final ConnectionLimit limit, final Runnable crawl) throws IOException
    {
        final StreamServer server = new StreamServer(settings, port, backlog, idle, access, limit, crawl);
        server.thread.start();
        return server;
    }

    IpnumaSocketAddress address()
    {
        return acceptor.address();
    }

    private void run()
    {
        try
        {
            serve();
        }
        catch (final RuntimeException ex)
        {
            LOGGER.warn("streams are not served any more: {}", ex.toString());
        }
        end();
    }

    /** Serves until the server is closed or the endpoint is lost. */
    private void serve()
    {
        long crawledNs = System.nanoTime();
        int cycles = 0;
        while (!isStopped && agent.lost() == null)
        {
            final int work = agent.doWork() + serveUnfinished();
            if ((++cycles & CLOCK_MASK) == 0)
            {
                crawledNs = crawlIfDue(crawledNs);
            }
            idle.idle(work);
        }
        if (agent.lost() != null)
        {
            LOGGER.warn("streams are not served any more: {}", agent.lost());
        }
    }

    private long crawlIfDue(final long crawledNs)
    {
        final long nowNs = System.nanoTime();
        if (nowNs - crawledNs < TimeUnit.MILLISECONDS.toNanos(MemcachedServer.CRAWL_MS))
        {
            return crawledNs;
        }
        crawl.run();
        return nowNs;
    }

    private int serveUnfinished()
    {
        final int count = unfinished.size();
        for (int i = 0; i < count; i++)
        {
            serve(unfinished.remove());
        }
        return count;
    }

    @Override
    public void onAcceptable(final StreamAcceptor from)
    {
        StreamChannel channel = from.accept();
        while (channel != null)
        {
            accept(channel);
            channel = from.accept();
        }
    }

    private void accept(final StreamChannel channel)
    {
        final StreamConnection connection = new StreamConnection(channel, access, buffers);
        final boolean isAdmitted = limit.enter();
        access.count(isAdmitted ? StoreCounter.TOTAL_CONNECTIONS : StoreCounter.REJECTED_CONNECTIONS, 1);
        if (isAdmitted)
        {
            connections.add(connection);
        }
        else
        {
            connection.refuse(ConnectionHandler.TOO_MANY);
        }
        channel.attach(connection);
        serve(connection);
    }

    @Override
    public void onReady(final StreamChannel channel)
    {
        if (channel.attachment() instanceof final StreamConnection connection)
        {
            serve(connection);
        }
    }

    private void serve(final StreamConnection connection)
    {
        if (!connection.isEnded() && advance(connection))
        {
            unfinished.add(connection);
        }
        else if (connection.isEnded())
        {
            connection.close();
            if (connections.remove(connection))
            {
                limit.leave();
            }
        }
    }

    private static boolean advance(final StreamConnection connection)
    {
        try
        {
            return connection.serve(READS);
        }
        catch (final RuntimeException ex)
        {
            // An error with one client ends the service of no other.
            LOGGER.warn("connection closed remote={} reason={}", connection.remoteAddress(), ex.toString());
            connection.abandon();
            return false;
        }
    }

    /** Ends all connections, and tells the clients. */
    private void end()
    {
        acceptor.close();
        for (final StreamConnection connection : connections)
        {
            connection.close();
            limit.leave();
        }
        connections.clear();
        unfinished.clear();
        final long endNs = System.nanoTime() + END_NS;
        while (agent.connectionCount() > 0 && agent.lost() == null && System.nanoTime() - endNs < 0)
        {
            idle.idle(agent.doWork());
        }
        agent.onClose();
        buffers.close();
    }

    /** Ends the thread and its connections. */
    @Override
    public void close()
    {
        isStopped = true;
        try
        {
            thread.join(MemcachedServer.END_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
