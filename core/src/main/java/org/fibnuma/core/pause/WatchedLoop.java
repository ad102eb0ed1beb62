package org.fibnuma.core.pause;

import java.util.function.Supplier;

/**
 * A thread without an agent whose pauses are measured.
 *
 * @param meter  which that thread calls in every cycle.
 * @param pauses of that thread so far; any thread.
 */
public record WatchedLoop(PauseMeter meter, Supplier<ThreadPauses> pauses)
{
}
