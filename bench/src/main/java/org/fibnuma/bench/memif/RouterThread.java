package org.fibnuma.bench.memif;

import org.fibnuma.bench.lab.Waiting;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.fibnic.datapath.ForwarderAgent;

/** Runs a worker on its core without a pause, from the start of a measurement to its end. */
final class RouterThread implements AutoCloseable
{
    private final StallLog stalls;
    private final Thread thread;
    private volatile boolean running = true;
    private long polls;
    private long idlePolls;

    private RouterThread(final ForwarderAgent agent, final int core, final StallLog stalls)
    {
        this.stalls = stalls;
        this.thread = new Thread(() -> run(agent, core), "memif-router");
        this.thread.setDaemon(true);
    }

    static RouterThread start(final ForwarderAgent agent, final int core, final StallLog stalls)
    {
        final RouterThread router = new RouterThread(agent, core, stalls);
        router.thread.start();
        return router;
    }

    private void run(final ForwarderAgent agent, final int core)
    {
        ThreadPinning.load().pinCurrentThread(core);
        stalls.begin(System.nanoTime());
        while (running)
        {
            if (agent.doWork() == 0)
            {
                idlePolls++;
            }
            polls++;
            stalls.round(System.nanoTime());
        }
    }

    /** Returns the share of duty cycles without work; valid after {@link #close}. */
    double idleShare()
    {
        return (double)idlePolls / polls;
    }

    @Override
    public void close()
    {
        running = false;
        Waiting.join(thread);
    }
}
