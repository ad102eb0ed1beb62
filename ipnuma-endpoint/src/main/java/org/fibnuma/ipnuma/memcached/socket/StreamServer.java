package org.fibnuma.ipnuma.memcached.socket;

import org.agrona.concurrent.IdleStrategy;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.ipnuma.client.EndpointLostException;
import org.fibnuma.ipnuma.memcached.store.StoreCounter;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.LastingAgent;
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
import java.util.concurrent.locks.LockSupport;

/**
 * Serves connections over streams on a separate thread. The thread polls the memory into which clients store, and
 * executes their commands itself: no command passes another thread, a queue or an event loop. If the endpoint is lost,
 * the connections end. The thread listens again when the endpoint is back.
 */
final class StreamServer implements StreamEvents, AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(StreamServer.class);
    /** Maximum number of reads of a connection before others have their turn. */
    private static final int READS = 16;
    /** The clock is read in one of 64 cycles. Without traffic that is every 10 ms if the idle strategy sleeps. */
    private static final int CLOCK_MASK = 63;
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Maximum time for the stores that close the connections. */
    private static final long END_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final StoreAccess access;
    private final ConnectionLimit limit;
    private final Runnable crawl;
    private final StreamBuffers buffers = new StreamBuffers();
    private final Set<StreamConnection> connections = new HashSet<>();
    /** Connections that may have more work without an event. */
    private final Queue<StreamConnection> unfinished = new ArrayDeque<>();
    private final LastingAgent agents;
    private final boolean canReturn;
    private final int backlog;
    private final IpnumaSocketAddress address;
    private final IdleStrategy idle;
    private final Thread thread = new Thread(this::run, "memcached-streams");
    private volatile boolean isStopped;
    private volatile String failure;
    /** Used by the thread only, as the next field. */
    private StreamAcceptor acceptor;
    private long crawledNs = System.nanoTime();

    private StreamServer(final StreamSettings settings, final int port, final int backlog, final String idle,
        final StoreAccess access, final ConnectionLimit limit, final Runnable crawl) throws IOException
    {
        this.access = access;
        this.limit = limit;
        this.crawl = crawl;
        this.idle = IdleStrategies.of(idle);
        this.backlog = backlog;
        this.canReturn = settings.endpoint() == null;
        this.agents = new LastingAgent(settings, this);
        try
        {
            this.acceptor = agents.current().listen(port, backlog);
            this.address = acceptor.address();
        }
        catch (final IOException | RuntimeException ex)
        {
            agents.close();
            throw ex;
        }
    }

    /**
     * Listens and starts the thread.
     *
     * @param settings of the streams.
     * @param port     to listen on.
     * @param backlog  maximum number of connections that wait.
     * @param idle     strategy of {@link IdleStrategies}.
     * @param access   to the store, shared with other transports.
     * @param limit    of the connections of all transports.
     * @param crawl    called about ten times a second, by the thread.
     * @return the server, which the caller closes.
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
        return address;
    }

    /** Returns the reason why streams are not served for good, or null; any thread. */
    String failure()
    {
        return failure;
    }

    private void run()
    {
        try
        {
            while (!isStopped && failure == null)
            {
                serveUntilFault();
            }
        }
        catch (final RuntimeException | Error ex)
        {
            failure = "streams are not served any more: " + ex;
        }
        end();
    }

    /**
     * Handles the error of an access to a truncated file. The JVM throws it there or at any later point of the thread.
     */
    private void serveUntilFault()
    {
        try
        {
            serve();
        }
        catch (final InternalError fault)
        {
            agents.current().onFault(fault);
        }
    }

    /** Serves until the server is closed or the endpoint is lost. After a loss, waits until the endpoint is back. */
    private void serve()
    {
        int cycles = 0;
        while (!isStopped && agents.current().lost() == null)
        {
            final int work = agents.current().doWork() + serveUnfinished();
            if ((++cycles & CLOCK_MASK) == 0)
            {
                crawlIfDue();
            }
            idle.idle(work);
        }
        final String lost = agents.current().lost();
        if (lost != null && canReturn)
        {
            LOGGER.warn("streams are not served until the endpoint is back: {}", lost);
            closeConnections();
            listenAgain();
        }
        else if (lost != null)
        {
            failure = "streams are not served any more: " + lost;
        }
    }

    /** Repeats until there is an endpoint. The loss of the endpoint is logged before; other reasons are logged here. */
    private void listenAgain()
    {
        String reason = null;
        acceptor = null;
        while (!isStopped && acceptor == null)
        {
            try
            {
                acceptor = agents.usable().listen(address.port(), backlog);
                LOGGER.info("streams are served again on {}", address);
            }
            catch (final IOException ex)
            {
                if (!(ex.getCause() instanceof EndpointLostException) && !ex.getMessage().equals(reason))
                {
                    reason = ex.getMessage();
                    LOGGER.warn("streams are not served yet: {}; the server tries again", reason);
                }
                LockSupport.parkNanos(RETRY_NS);
                agents.current().doWork();
            }
            crawlIfDue();
        }
    }

    private void crawlIfDue()
    {
        final long nowNs = System.nanoTime();
        if (nowNs - crawledNs >= TimeUnit.MILLISECONDS.toNanos(MemcachedServer.CRAWL_MS))
        {
            crawledNs = nowNs;
            crawl.run();
        }
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
            // An error of one client must not end the service for others.
            LOGGER.warn("connection closed remote={} reason={}", connection.remoteAddress(), ex.toString());
            connection.abandon();
            return false;
        }
    }

    private void closeConnections()
    {
        for (final StreamConnection connection : connections)
        {
            connection.close();
            limit.leave();
        }
        connections.clear();
        unfinished.clear();
    }

    /** Ends all connections and gives their stores time to reach the clients. */
    private void end()
    {
        if (acceptor != null)
        {
            acceptor.close();
        }
        closeConnections();
        final StreamAgent agent = agents.current();
        final long endNs = System.nanoTime() + END_NS;
        while (agent.connectionCount() > 0 && agent.lost() == null && System.nanoTime() - endNs < 0)
        {
            idle.idle(agent.doWork());
        }
        agents.close();
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
