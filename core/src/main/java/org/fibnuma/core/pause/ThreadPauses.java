package org.fibnuma.core.pause;

/**
 * The pauses of one thread since it started, as of one moment.
 *
 * @param count        of {@link PauseMeter#RECORDED_NS} or more.
 * @param lost         of them that were too many at once to be looked at.
 * @param longest      of all that were looked at; its length is 0 where there was none.
 * @param longestByJvm the one with the most time at safepoints; its {@link Pause#jvmNs()} is 0 where there was none.
 * @param badByJvm     how many had more than {@link PauseWatcher#BAD_NS} of time at safepoints.
 */
public record ThreadPauses(long count, long lost, Pause longest, Pause longestByJvm, long badByJvm)
{
}
