package org.fibnuma.core.service.jvmpause;

/**
 * Summary of the safepoints of this JVM since a {@link JvmPauseWatcher} started.
 *
 * @param known     false if the JVM does not log safepoints; the other values are 0 then.
 * @param count     number of safepoints.
 * @param longestNs longest time from the request to the end of a safepoint, in ns.
 * @param detail    of the longest: the JVM's operation and, if that was a garbage collection, collector and cause.
 */
public record Safepoints(boolean known, long count, long longestNs, String detail)
{
}
