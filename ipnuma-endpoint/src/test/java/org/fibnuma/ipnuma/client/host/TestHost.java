package org.fibnuma.ipnuma.client.host;

import org.agrona.DirectBuffer;
import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.client.AnswerListener;
import org.fibnuma.ipnuma.client.CompanionEndpoint;
import org.fibnuma.ipnuma.client.CompanionWrites;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.client.OwnRegion;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An endpoint on the test's thread that runs when the test calls it, and the events of its clients. */
final class TestHost implements AutoCloseable
{
    static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(5);

    final Path directory = LoopbackEndpoint.directory("rings");
    final List<String> answers = new ArrayList<>();
    final AnswerListener listener = new AnswerListener()
    {
        @Override
        public void onRead(
            final long correlation, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            answers.add("read " + correlation + " " + status + (length >= 8 ? " " + buffer.getLong(offset) : ""));
        }

        @Override
        public void onAtomic(final long correlation, final int status, final long previous)
        {
            answers.add("atomic " + correlation + " " + status + " " + previous);
        }

        @Override
        public void onWritten(final long correlation, final int status)
        {
            answers.add("written " + correlation + " " + status);
        }

        @Override
        public void onDone(final long correlation, final int status)
        {
            answers.add("done " + correlation + " " + status);
        }

        @Override
        public void onPeer(final int type, final int peerId, final int status, final long value)
        {
            answers.add("peer " + type + " " + peerId + " " + status + " " + value);
        }
    };
    private LoopbackEndpoint endpoint;
    private long nowNs = System.nanoTime();

    /** Fails if a condition is not met within a minute. */
    static void await(final BooleanSupplier condition)
    {
        final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - end < 0, "waited for a minute in vain");
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Connects a first client to an endpoint with two slots, whose timeout is longer than a test. */
    EndpointClient connect()
    {
        open(TIMEOUT_NS);
        return EndpointClient.connect(directory, listener);
    }

    /** Connects a client whose thread runs the endpoint, and lets the endpoint notice it. */
    EndpointClient connectCompanion()
    {
        open(TIMEOUT_NS);
        final EndpointClient client = EndpointClient.connect(directory, listener, new CompanionEndpoint()
        {
            @Override
            public int doWork()
            {
                turn();
                return 0;
            }

            @Override
            public void onRequest()
            {
                // Each turn executes requests.
            }

            @Override
            public boolean isBusy()
            {
                return false;
            }

            @Override
            public void onFault(final InternalError fault)
            {
                throw fault;
            }

            @Override
            public CompanionWrites writes(final int slot)
            {
                return endpoint.rings().writes(slot);
            }

            @Override
            public String roleName()
            {
                return "test";
            }
        });
        turn();
        return client;
    }

    void open(final long timeoutNs)
    {
        endpoint = new LoopbackEndpoint(directory, timeoutNs, 2);
    }

    LoopbackEndpoint endpoint()
    {
        return endpoint;
    }

    /** Runs a duty cycle and waits some milliseconds. */
    void turn()
    {
        nowNs = Math.max(nowNs, System.nanoTime());
        for (int i = 0; i < 3; i++)
        {
            nowNs += TimeUnit.MILLISECONDS.toNanos(6);
            endpoint.rings().poll(nowNs);
        }
    }

    /** Runs a duty cycle at a time that is later than the one of the last duty cycle. */
    void turnAfter(final long ns)
    {
        nowNs += ns;
        endpoint.rings().poll(nowNs);
    }

    /** Returns the message with which a client's region is refused. */
    String refusal(final EndpointClient client, final String name, final long size, final String allow)
    {
        return assertThrows(UserException.class, () -> whileServing(() ->
            client.addRegion(name, size, 3, allow))).getMessage();
    }

    /** Adds a region of a client while the endpoint serves it. */
    OwnRegion add(final EndpointClient client, final String name, final long size)
    {
        final OwnRegion[] region = new OwnRegion[1];
        whileServing(() -> region[0] = client.addRegion(name, size, 3, "10.9.0.0/24"));
        return region[0];
    }

    /** Runs the endpoint on this thread while another one waits for it. */
    private void whileServing(final Runnable waiting)
    {
        final Throwable[] failure = new Throwable[1];
        final Thread waiter = new Thread(waiting);
        waiter.setUncaughtExceptionHandler((thread, thrown) -> failure[0] = thrown);
        waiter.start();
        await(() ->
        {
            turn();
            return !waiter.isAlive();
        });
        if (failure[0] instanceof RuntimeException)
        {
            throw (RuntimeException)failure[0];
        }
    }

    @Override
    public void close()
    {
        if (endpoint != null)
        {
            endpoint.close();
            endpoint = null;
        }
    }
}
