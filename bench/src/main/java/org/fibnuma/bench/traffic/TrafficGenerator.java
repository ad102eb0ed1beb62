package org.fibnuma.bench.traffic;

import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.core.agent.ThreadPinning;

import java.util.concurrent.CountDownLatch;

/**
 * Sends traffic from a device at full speed, on one thread, until it is closed. The frames go straight into the
 * device's transmit function (BPF_PROG_TEST_RUN with live frames, Linux 5.18), which on a veth needs an XDP program
 * at the other end; no socket could feed a router on the next core: see the bench module's README for the figures.
 */
public final class TrafficGenerator implements AutoCloseable
{
    /** Frames between two looks at whether to go on: some 20 ms. */
    private static final int CHUNK = 1 << 15;

    /** Frames between two flushes of the device: a quarter of a veth's ring. */
    private static final int BATCH = 64;

    private final CountDownLatch ready = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean running = true;
    private volatile long sent;
    private volatile RuntimeException failure;

    private TrafficGenerator(final String namespace, final String device, final TrafficProfile profile, final int core)
    {
        thread = new Thread(() -> run(namespace, device, profile, core), "traffic");
        thread.setDaemon(true);
    }

    /**
     * Starts to send.
     *
     * @param namespace of the device, as for {@link NetworkNamespace#enter}.
     * @param device    to send from.
     * @param profile   what to send.
     * @param core      to work on, or {@link ThreadPinning#ANY_CORE}.
     * @return the running generator.
     * @throws SystemCallException where the kernel does not let us, or is older than 5.18.
     */
    public static TrafficGenerator start(
        final String namespace, final String device, final TrafficProfile profile, final int core)
    {
        final TrafficGenerator generator = new TrafficGenerator(namespace, device, profile, core);
        generator.thread.start();
        try
        {
            generator.ready.await();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        if (generator.failure != null)
        {
            throw generator.failure;
        }
        return generator;
    }

    private void run(final String namespace, final String device, final TrafficProfile profile, final int core)
    {
        try
        {
            if (core != ThreadPinning.ANY_CORE)
            {
                ThreadPinning.load().pinCurrentThread(core);
            }
            NetworkNamespace.call(namespace, () -> send(device, profile));
        }
        catch (final RuntimeException ex)
        {
            failure = ex;
        }
        finally
        {
            ready.countDown();
        }
    }

    private Void send(final String device, final TrafficProfile profile)
    {
        try (TrafficProgram program = new TrafficProgram(profile, LibC.get().if_nametoindex(device)))
        {
            program.send(BATCH, BATCH);
            sent = BATCH;
            ready.countDown();
            while (running)
            {
                program.send(CHUNK, BATCH);
                sent += CHUNK;
            }
        }
        return null;
    }

    /**
     * How many frames it has given to the device, in steps; some of them may have found its ring full.
     *
     * @return the count so far.
     */
    public long sent()
    {
        return sent;
    }

    /** Stops sending and waits for that. */
    @Override
    public void close()
    {
        running = false;
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
