package org.fibnuma.bench.soak;

import org.agrona.CloseHelper;
import org.fibnuma.bench.traffic.FrameTemplate;
import org.fibnuma.bench.traffic.Ipv4Reversal;
import org.fibnuma.core.agent.ThreadEnd;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IpAddress;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Test frames of both families at a steady rate, to one destination after the other. Each carries the number of its
 * destination and the confirmed generation of its route. Some frames over IPv4 are answered, so that the router's host
 * has an established connection for each destination. One thread sends, receives and checks.
 */
final class TestFrames implements Load
{
    /** Frames a second of both families. A slower machine sends fewer. */
    private static final int RATE = 20_000;
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1) / RATE;
    /** After a longer delay the schedule is shifted, as catching up would be a burst. */
    private static final long CATCH_UP_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long REST_NS = TimeUnit.MICROSECONDS.toNanos(100);
    /** Without a frame for so long no frame is on the way. */
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_DRAIN_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int IPV4_LENGTH = 60;
    private static final int IPV6_LENGTH = 76;
    /** A prime number, so that each destination has answers. */
    private static final int FRAMES_AN_ANSWER = 17;
    private static final int MOST_FAILURES = 10;

    private final IpAddress[] destinations;
    private final NextHops nextHops;
    private final FrameTemplate ipv4;
    private final FrameTemplate ipv6;
    private final HostPort left;
    private final List<HostPort> right = new ArrayList<>();
    private final List<Ipv4Reversal> reversals = new ArrayList<>();
    private final FrameBatch batch = new FrameBatch();
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final Thread thread = new Thread(this::run, "test frames");
    private final List<String> failures = new ArrayList<>();
    private volatile boolean running = true;
    private volatile long sent;
    private volatile long received;
    private volatile long wrong;
    private long missed;
    private int next;

    /**
     * Opens the ports.
     *
     * @param destinations of the frames, with their numbers as index.
     * @param nextHops     of the destinations.
     */
    TestFrames(final SoakRig rig, final List<IpAddress> destinations, final NextHops nextHops)
    {
        this.destinations = destinations.toArray(IpAddress[]::new);
        this.nextHops = nextHops;
        this.ipv4 = new FrameTemplate(rig.frames(IPV4_LENGTH), false);
        this.ipv6 = new FrameTemplate(rig.frames(IPV6_LENGTH), true);
        this.left = rig.openLeft();
        boolean complete = false;
        try
        {
            for (int i = 0; i < SoakRig.NEXT_HOPS; i++)
            {
                right.add(rig.openRight(i));
                reversals.add(new Ipv4Reversal(rig.routerMac(i), rig.mac(i)));
            }
            complete = true;
        }
        finally
        {
            if (!complete)
            {
                closePorts();
            }
        }
        thread.setDaemon(true);
    }

    @Override
    public void start()
    {
        thread.start();
    }

    /** Returns the number of frames that the left port has accepted. Any thread. */
    long sent()
    {
        return sent;
    }

    /** Returns the number of test frames that have arrived at a next hop. Any thread. */
    long received()
    {
        return received;
    }

    /** Returns the number of frames that arrived at another next hop than those of their destination. Any thread. */
    long wrong()
    {
        return wrong;
    }

    /** Returns the number of frames that the ports of this tester have lost. After {@link #close}. */
    long missed()
    {
        return missed;
    }

    @Override
    public synchronized List<String> failures()
    {
        return List.copyOf(failures);
    }

    private void run()
    {
        long dueNs = System.nanoTime();
        while (running)
        {
            final long nowNs = System.nanoTime();
            dueNs = Math.max(dueNs, nowNs - CATCH_UP_NS);
            while (dueNs <= nowNs)
            {
                send();
                dueNs += INTERVAL_NS;
            }
            if (cycle() == 0)
            {
                LockSupport.parkNanos(REST_NS);
            }
        }
        drain();
    }

    private void drain()
    {
        final long startNs = System.nanoTime();
        long lastNs = startNs;
        while (System.nanoTime() - lastNs < QUIET_NS && System.nanoTime() - startNs < LONGEST_DRAIN_NS)
        {
            final long before = received;
            cycle();
            lastNs = received == before ? lastNs : System.nanoTime();
        }
        missed = left.port().deviceCounter(PortCounter.TX_INVALID);
        for (final HostPort port : right)
        {
            missed += port.port().deviceCounter(PortCounter.RX_RING_FULL) +
                port.port().deviceCounter(PortCounter.RX_NO_BUFFER);
        }
    }

    private void send()
    {
        final int number = next;
        next = (next + 1) % destinations.length;
        final FramePool pool = left.pool();
        final long chunk = pool.allocate();
        if (chunk == FramePool.NONE)
        {
            return;
        }
        final IpAddress destination = destinations[number];
        final FrameTemplate template = destination.isIpv4() ? ipv4 : ipv6;
        final long frame = chunk + FramePool.HEADROOM;
        template.write(frame, destination, number, nextHops.confirmed(number));
        if (left.port().txQueue(0).offer(chunk, frame, template.length()))
        {
            sent++;
        }
        else
        {
            pool.release(chunk);
        }
    }

    private int cycle()
    {
        left.port().txQueue(0).flush();
        // ICMP errors and answers.
        int count = receive(left, -1);
        for (int i = 0; i < right.size(); i++)
        {
            count += receive(right.get(i), i);
            right.get(i).port().txQueue(0).flush();
        }
        return count;
    }

    private int receive(final HostPort port, final int nextHop)
    {
        batch.clear();
        port.port().rxQueue(0).receive(batch);
        for (int i = 0; i < batch.size(); i++)
        {
            final long frame = batch.address(i);
            final int length = batch.length(i);
            if (nextHop < 0 || !accept(frame, length, nextHop) || !answer(port, nextHop, i))
            {
                port.pool().release(batch.handle(i));
            }
        }
        return batch.size();
    }

    /** Counts and checks a frame; returns whether it is answered. */
    private boolean accept(final long frame, final int length, final int nextHop)
    {
        final long identity = FrameTemplate.identity(frame, length);
        final int destination = (int)(identity >>> Integer.SIZE);
        if (identity == FrameTemplate.NONE || destination >= destinations.length)
        {
            return false;
        }
        received++;
        final int generation = (int)identity;
        if (!nextHops.permits(destination, generation, nextHop))
        {
            wrong++;
            addFailure("a frame to " + destinations[destination] + " arrived at next hop " + nextHop +
                "; since generation " + generation + " of its route, confirmed when it was sent, its next hop is " +
                nextHops.since(destination, generation));
        }
        return ethernet.wrap(frame).etherType() == EtherType.IPV4 && received % FRAMES_AN_ANSWER == 0;
    }

    private boolean answer(final HostPort port, final int nextHop, final int index)
    {
        reversals.get(nextHop).reverse(batch.address(index));
        return port.port().txQueue(0).offer(batch.handle(index), batch.address(index), batch.length(index));
    }

    private synchronized void addFailure(final String what)
    {
        if (failures.size() < MOST_FAILURES)
        {
            failures.add(what);
        }
    }

    /** Stops to send and receives what is on the way. */
    @Override
    public void close()
    {
        running = false;
        ThreadEnd.await(thread);
        closePorts();
    }

    private void closePorts()
    {
        CloseHelper.closeAll(left, () -> CloseHelper.closeAll(right));
    }
}
