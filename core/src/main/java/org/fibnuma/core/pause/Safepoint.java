package org.fibnuma.core.pause;

/**
 * One stop of all threads that run Java code. Times are those of {@link System#nanoTime()}.
 *
 * @param operation  the JVM's name for what it did, such as {@code ZMarkStart}.
 * @param startNs    when the JVM asked the threads to stop.
 * @param reachedNs  when the last of them had stopped.
 * @param releasedNs when the JVM began to let them go.
 * @param endNs      when it had let all of them go.
 */
record Safepoint(String operation, long startNs, long reachedNs, long releasedNs, long endNs)
{
    /** From the request to the end, in ns. */
    long lengthNs()
    {
        return endNs - startNs;
    }

    /** For how long all threads stood in a span of time, in ns. */
    long stoppedNsIn(final long fromNs, final long toNs)
    {
        return overlap(reachedNs, releasedNs, fromNs, toNs);
    }

    /** For how long some threads stood and others did not, as the JVM stopped them or let them go, in ns. */
    long partlyStoppedNsIn(final long fromNs, final long toNs)
    {
        return overlap(startNs, reachedNs, fromNs, toNs) + overlap(releasedNs, endNs, fromNs, toNs);
    }

    private static long overlap(final long start, final long end, final long from, final long to)
    {
        final long first = start - from > 0 ? start : from;
        final long last = end - to < 0 ? end : to;
        return Math.max(0, last - first);
    }
}
