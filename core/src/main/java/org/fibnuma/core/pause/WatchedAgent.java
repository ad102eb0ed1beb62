package org.fibnuma.core.pause;

import org.agrona.concurrent.Agent;

import java.util.function.Supplier;

/**
 * An agent whose pauses are told.
 *
 * @param agent  to run on the thread that is watched.
 * @param pauses of that thread so far; any thread.
 */
public record WatchedAgent(Agent agent, Supplier<ThreadPauses> pauses)
{
}
