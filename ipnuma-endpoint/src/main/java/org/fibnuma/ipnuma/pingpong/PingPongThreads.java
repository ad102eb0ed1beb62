package org.fibnuma.ipnuma.pingpong;

import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.ThreadPinning;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A ping-pong between two threads of this process, with the loops and the default cores of {@code pingpong server} and
 * {@code pingpong client}.
 */
public final class PingPongThreads
{
    private static final int TIMEOUT_MS = 5000;

    private PingPongThreads()
    {
    }

    /**
     * Runs the client on the calling thread, which stays pinned to the last core, and the server on another thread,
     * which is pinned to the last but one.
     *
     * @param transport name of the measured transport, for display.
     * @param server    end that answers; closed by the caller.
     * @param client    end that counts; closed by the caller.
     * @param size      of the message in bytes, for display.
     * @param warmUp    round trips that are not measured, 0 or more.
     * @param trips     measured round trips, 1 or more.
     * @param limit     seconds after which no round trip is started.
     * @return the round trips.
     * @throws UserException if there is no answer, or fewer than two cores.
     */
    public static PingPongResult run(
        final String transport,
        final CounterLink server,
        final CounterLink client,
        final int size,
        final long warmUp,
        final long trips,
        final int limit)
    {
        final int cores = Runtime.getRuntime().availableProcessors();
        if (cores < 2)
        {
            throw new UserException("needs two cores, one for each end");
        }
        final AtomicBoolean ended = new AtomicBoolean();
        final Thread serving = new Thread(() ->
        {
            ThreadPinning.load().pinCurrentThread(cores - 2);
            new PingPongServer(server).serve(ended::get);
        }, "ping-pong-server");
        serving.setDaemon(true);
        serving.start();
        ThreadPinning.load().pinCurrentThread(cores - 1);
        try (AnswerWatchdog watchdog = new AnswerWatchdog(TIMEOUT_MS, client::wake))
        {
            return new PingPongResult(transport, client.device(), size,
                new PingPongClient(client, watchdog, ended::get).run(warmUp, trips, TimeUnit.SECONDS.toNanos(limit)));
        }
        finally
        {
            ended.set(true);
            join(serving, server);
        }
    }

    private static void join(final Thread serving, final CounterLink server)
    {
        server.wake();
        try
        {
            serving.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new UserException("interrupted", ex);
        }
    }
}
