package org.fibnuma.core.service.jvmpause;

import java.util.function.Supplier;

/**
 * A thread without an agent whose JVM pauses are measured.
 *
 * @param meter  that the thread calls in every cycle.
 * @param pauses of that thread so far; any thread.
 */
public record WatchedLoop(JvmPauseMeter meter, Supplier<JvmPauses> pauses)
{
}
