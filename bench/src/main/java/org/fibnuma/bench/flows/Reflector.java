package org.fibnuma.bench.flows;

import org.fibnuma.bench.traffic.Ipv4Reversal;
import org.fibnuma.core.agent.ThreadEnd;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.wire.MacAddress;

import java.util.concurrent.atomic.AtomicLong;

/** Answers UDP over IPv4 at the right host: every packet goes back to its sender. Own thread until it is closed. */
final class Reflector implements AutoCloseable
{
    private final HostPort port;
    private final FrameBatch frames = new FrameBatch();
    private final Ipv4Reversal reversal;
    private final Thread thread = new Thread(this::run, "reflector");
    private final AtomicLong arrived = new AtomicLong();
    private volatile boolean running = true;

    private Reflector(final HostPort port, final long routerMac, final long ownMac)
    {
        this.port = port;
        this.reversal = new Ipv4Reversal(routerMac, ownMac);
    }

    /**
     * Starts to answer.
     *
     * @param namespace of the host.
     * @param device    of the host.
     * @param routerMac MAC address of the router's interface, as text.
     * @param ownMac    MAC address of the device, as text.
     */
    static Reflector start(final String namespace, final String device, final String routerMac, final String ownMac)
    {
        final Reflector reflector = new Reflector(
            HostPort.open(namespace, device), MacAddress.parse(routerMac), MacAddress.parse(ownMac));
        reflector.thread.setDaemon(true);
        reflector.thread.start();
        return reflector;
    }

    /** Returns the number of frames that have arrived, with those that were not UDP. Any thread. */
    long arrived()
    {
        return arrived.get();
    }

    private void run()
    {
        while (running)
        {
            frames.clear();
            port.port().rxQueue(0).receive(frames);
            for (int i = 0; i < frames.size(); i++)
            {
                reversal.reverse(frames.address(i));
                if (!port.port().txQueue(0).offer(frames.handle(i), frames.address(i), frames.length(i)))
                {
                    port.pool().release(frames.handle(i));
                }
            }
            port.port().txQueue(0).flush();
            arrived.lazySet(arrived.get() + frames.size());
            if (frames.size() == 0)
            {
                Thread.yield();
            }
        }
    }

    @Override
    public void close()
    {
        running = false;
        ThreadEnd.await(thread);
        port.close();
    }
}
