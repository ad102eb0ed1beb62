package org.fibnuma.core.pause;

/**
 * Pauses of one thread since it started.
 *
 * @param count        number of pauses of {@link PauseMeter#RECORDED_NS} or more.
 * @param lost         number of them that were not evaluated because the buffer was full.
 * @param longest      evaluated pause; its length is 0 if there was none.
 * @param longestByJvm the pause with the most time at safepoints; its {@link Pause#jvmNs()} is 0 if there was none.
 * @param badByJvm     number of pauses with more than {@link PauseWatcher#BAD_NS} at safepoints.
 * @param coreNs       time that the thread has run on a core, at most some ten ms old; 0 if the kernel does not tell.
 */
public record ThreadPauses(
    long count, long lost, Pause longest, Pause longestByJvm, long badByJvm, long coreNs)
{
}
