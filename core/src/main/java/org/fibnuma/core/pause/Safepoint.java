package org.fibnuma.core.pause;

/**
 * One stop of all threads that run Java code. Times are those of {@link System#nanoTime()}.
 *
 * @param operation the JVM's name for what it did, such as {@code ZMarkStart}.
 * @param startNs   when the JVM asked the threads to stop.
 * @param reachedNs when the last of them had stopped.
 * @param endNs     when they were let go.
 */
record Safepoint(String operation, long startNs, long reachedNs, long endNs)
{
    /** From the request to the end, in ns. */
    long lengthNs()
    {
        return endNs - startNs;
    }

    /** For how long all threads stood in a span of time, in ns. */
    long stoppedNsIn(final long fromNs, final long toNs)
    {
        return overlap(reachedNs, endNs, fromNs, toNs);
    }

    /** For how long the JVM waited for threads in a span of time, in ns. */
    long reachingNsIn(final long fromNs, final long toNs)
    {
        return overlap(startNs, reachedNs, fromNs, toNs);
    }

    private static long overlap(final long start, final long end, final long from, final long to)
    {
        final long first = start - from > 0 ? start : from;
        final long last = end - to < 0 ? end : to;
        return Math.max(0, last - first);
    }
}
