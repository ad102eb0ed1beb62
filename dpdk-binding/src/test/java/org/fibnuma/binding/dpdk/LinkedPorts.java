package org.fibnuma.binding.dpdk;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.port.DelegatingPort;
import org.fibnuma.core.port.Port;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A server and a client whose drivers find each other only after both have started: the later start returns when they
 * have. The client's driver starts after the server's, whatever the order, since it does not ask twice.
 */
final class LinkedPorts
{
    private static final String DOWN = "link down";
    private static final long PATIENCE_MS = 60_000;

    private final List<Port> started = new ArrayList<>();
    private Port server;
    private Port client;

    Port server(final Port port)
    {
        server = port;
        return new End(port);
    }

    Port client(final Port port)
    {
        client = port;
        return new End(port);
    }

    private void start(final Port port)
    {
        started.add(port);
        if (port == server)
        {
            server.start();
        }
        if (started.contains(server) && started.contains(client))
        {
            client.start();
            awaitLink();
        }
    }

    private void awaitLink()
    {
        final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (started.stream().anyMatch(end -> end.mode().contains(DOWN)))
        {
            if (System.nanoTime() > deadline)
            {
                throw new AssertionError("no link: " + started.get(0).mode() + "; " + started.get(1).mode());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        // The client owns the buffers of a memif ring, and initializes them at its first poll.
        assertEquals(0, client.rxQueue(0).receive(new FrameBatch()));
    }

    private final class End extends DelegatingPort
    {
        private final Port port;

        private End(final Port port)
        {
            super(port);
            this.port = port;
        }

        @Override
        public void start()
        {
            LinkedPorts.this.start(port);
        }
    }
}
