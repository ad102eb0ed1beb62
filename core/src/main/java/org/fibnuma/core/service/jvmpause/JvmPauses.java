package org.fibnuma.core.service.jvmpause;

/**
 * JVM pauses of one thread since it started.
 *
 * @param count        number of pauses of {@link JvmPauseMeter#RECORDED_NS} or more.
 * @param lost         number of them that were not evaluated because the buffer was full.
 * @param longest      evaluated pause; its length is 0 if there was none.
 * @param longestByJvm the pause with the most time at safepoints; its {@link JvmPause#jvmNs()} is 0 if there was none.
 * @param badByJvm     number of pauses with more than {@link JvmPauseWatcher#BAD_NS} at safepoints.
 * @param coreNs       time in ns that the thread has run on a core, at most some ten ms old; 0 if unknown.
 */
public record JvmPauses(
    long count, long lost, JvmPause longest, JvmPause longestByJvm, long badByJvm, long coreNs)
{
}
