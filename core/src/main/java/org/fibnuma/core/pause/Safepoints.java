package org.fibnuma.core.pause;

/**
 * The safepoints of this JVM since a {@link PauseWatcher} started, as of one moment.
 *
 * @param known     false where this JVM does not tell of them; then the other figures are 0.
 * @param count     of them.
 * @param longestNs from the request to the end, of the longest.
 * @param detail    of the longest: the JVM's operation and, where that was a collection, collector and cause.
 */
public record Safepoints(boolean known, long count, long longestNs, String detail)
{
}
