package org.fibnuma.core.agent;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Runs an agent on its own thread. The error handler receives exceptions from the duty cycle, and the agent continues.
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
     * @param agent        its role name becomes the thread's name.
     * @param idleStrategy used by this thread only.
     * @param core         to pin the thread to, or {@link ThreadPinning#ANY_CORE}.
     * @param errorHandler receives exceptions from the duty cycle.
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

    /** Ends the duty cycle and waits for the thread, which closes the agent. */
    @Override
    public void close()
    {
        runner.close();
    }
}
