package org.fibnuma.core.traffic;

import org.fibnuma.core.agent.ThreadEnd;
import org.fibnuma.core.agent.ThreadPinning;

import java.util.concurrent.atomic.AtomicLong;

/** Sends frames continuously on its own thread until it is closed. */
public final class TrafficGenerator implements AutoCloseable
{
    private static final int BURST = 64;
    private static final long DRAIN_NANOS = 20_000_000;

    private final AtomicLong sent = new AtomicLong();
    private final TrafficSender sender;
    private final Runnable betweenBursts;
    private final Thread thread;
    private volatile boolean running = true;

    private TrafficGenerator(final TrafficSender sender, final Runnable betweenBursts, final int core)
    {
        this.sender = sender;
        this.betweenBursts = betweenBursts;
        this.thread = new Thread(() -> run(core), "traffic");
        this.thread.setDaemon(true);
    }

    /**
     * Starts to send. The sender, its port and its pool belong to the thread of the generator until {@link #close()}
     * returns.
     *
     * @param sender        writes and sends the frames.
     * @param betweenBursts called by that thread after every burst.
     * @param core          core to pin the thread to, or {@link ThreadPinning#ANY_CORE}.
     */
    public static TrafficGenerator start(final TrafficSender sender, final Runnable betweenBursts, final int core)
    {
        final TrafficGenerator generator = new TrafficGenerator(sender, betweenBursts, core);
        generator.thread.start();
        return generator;
    }

    private void run(final int core)
    {
        if (core != ThreadPinning.ANY_CORE)
        {
            ThreadPinning.load().pinCurrentThread(core);
        }
        while (running)
        {
            sent.setRelease(sent.getPlain() + sender.send(BURST));
            betweenBursts.run();
        }
        final long end = System.nanoTime() + DRAIN_NANOS;
        while (System.nanoTime() < end)
        {
            sender.send(0);
            betweenBursts.run();
        }
    }

    /** Returns the number of frames that the port has accepted so far. */
    public long sent()
    {
        return sent.getAcquire();
    }

    /** Stops sending, waits 20 ms so that sent frames arrive, and ends the thread. */
    @Override
    public void close()
    {
        running = false;
        ThreadEnd.await(thread);
    }
}
