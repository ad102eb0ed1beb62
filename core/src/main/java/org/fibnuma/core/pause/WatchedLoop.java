package org.fibnuma.core.pause;

import java.util.function.Supplier;

/**
 * A thread that is no agent and whose pauses are told.
 *
 * @param meter  to be told when the thread comes round; that thread only.
 * @param pauses of that thread so far; any thread.
 */
public record WatchedLoop(PauseMeter meter, Supplier<ThreadPauses> pauses)
{
}
