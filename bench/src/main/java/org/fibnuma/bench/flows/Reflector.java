package org.fibnuma.bench.flows;

import org.fibnuma.core.agent.ThreadEnd;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.MacAddress;

import java.util.concurrent.atomic.AtomicLong;

/** Answers UDP over IPv4 at the right host: every packet goes back to its sender. Own thread until it is closed. */
final class Reflector implements AutoCloseable
{
    private static final int HEADER = EthernetHeaderFlyweight.LENGTH;
    private static final int PORTS = HEADER + Ipv4HeaderFlyweight.MIN_LENGTH;

    private final HostPort port;
    private final FrameBatch frames = new FrameBatch();
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final long routerMac;
    private final long ownMac;
    private final Thread thread = new Thread(this::run, "reflector");
    private final AtomicLong arrived = new AtomicLong();
    private volatile boolean running = true;

    private Reflector(final HostPort port, final long routerMac, final long ownMac)
    {
        this.port = port;
        this.routerMac = routerMac;
        this.ownMac = ownMac;
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
                reflect(frames.address(i));
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

    /** Exchanges addresses and ports, which leaves the checksums as they are. */
    private void reflect(final long frame)
    {
        ethernet.wrap(frame).destination(routerMac).source(ownMac);
        final long addresses = frame + HEADER + Ipv4HeaderFlyweight.SOURCE_OFFSET;
        FrameMemory.putLong(addresses, Long.rotateLeft(FrameMemory.getLong(addresses), Integer.SIZE));
        FrameMemory.putInt(frame + PORTS, Integer.rotateLeft(FrameMemory.getInt(frame + PORTS), Short.SIZE));
    }

    @Override
    public void close()
    {
        running = false;
        ThreadEnd.await(thread);
        port.close();
    }
}
