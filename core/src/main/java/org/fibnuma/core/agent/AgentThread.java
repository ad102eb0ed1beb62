package org.fibnuma.core.agent;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Runs an agent on a thread of its own. An exception from the agent's duty cycle is passed to the error handler, and
 * the agent continues.
 */
public final class AgentThread implements AutoCloseable
{
    private final AgentRunner runner;

    private AgentThread(final AgentRunner runner)
    {
        this.runner = runner;
    }

    /**
     * Starts an agent.
     *
     * @param agent        whose role name becomes the thread's name.
     * @param idleStrategy used by this thread only.
     * @param core         to pin the thread to, or {@link ThreadPinning#ANY_CORE}.
     * @param errorHandler for exceptions from the duty cycle.
     * @return the running thread.
     */
    public static AgentThread start(
        final Agent agent, final IdleStrategy idleStrategy, final int core, final ErrorHandler errorHandler)
    {
        final AgentRunner runner = new AgentRunner(idleStrategy, errorHandler, (AtomicCounter)null, agent);
        AgentRunner.startOnThread(
            runner,
            runnable -> new Thread(() ->
            {
                if (core != ThreadPinning.ANY_CORE)
                {
                    ThreadPinning.load().pinCurrentThread(core);
                }
                try
                {
                    runnable.run();
                }
                finally
                {
                    ThreadEnd.run();
                }
            }));
        return new AgentThread(runner);
    }

    /** Ends the duty cycle, waits for the thread, and lets the agent close itself. */
    @Override
    public void close()
    {
        runner.close();
    }
}
