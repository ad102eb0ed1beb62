package org.fibnuma.core.service.jvmpause;

import org.agrona.concurrent.Agent;

import java.util.function.Supplier;

/**
 * An agent whose JVM pauses are measured.
 *
 * @param agent  to run on the watched thread.
 * @param pauses of that thread so far; any thread.
 */
public record WatchedAgent(Agent agent, Supplier<JvmPauses> pauses)
{
}
