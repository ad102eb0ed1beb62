package org.fibnuma.core.service.jvmpause;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;

/**
 * Wraps an agent and measures its gaps. The clock is read in cycles without work and after
 * {@link #WORK_BETWEEN_READINGS} items of work, so that a reading of 25 ns costs 0.1 ns for each frame.
 */
final class MeteredAgent implements Agent
{
    /** In frames, which a worker processes in about 20 us. */
    static final int WORK_BETWEEN_READINGS = 256;

    private final Agent agent;
    private final NanoClock clock;
    private final JvmPauseMeter meter;
    private final Runnable onThreadStart;
    private int unread;

    /** The clock returns times of {@link System#nanoTime()}. The action runs on the thread before its first cycle. */
    MeteredAgent(final Agent agent, final NanoClock clock, final JvmPauseMeter meter, final Runnable onThreadStart)
    {
        this.agent = agent;
        this.clock = clock;
        this.meter = meter;
        this.onThreadStart = onThreadStart;
    }

    @Override
    public void onStart()
    {
        onThreadStart.run();
        agent.onStart();
        meter.start(clock.nanoTime());
    }

    @Override
    public int doWork() throws Exception
    {
        final int work = agent.doWork();
        unread += work;
        if (work == 0 || unread >= WORK_BETWEEN_READINGS)
        {
            unread = 0;
            meter.alive(clock.nanoTime(), work);
        }
        return work;
    }

    @Override
    public void onClose()
    {
        agent.onClose();
    }

    @Override
    public String roleName()
    {
        return agent.roleName();
    }
}
