package org.fibnuma.core.service.jvmpause;

/**
 * One stop of all threads that run Java code. Times are those of {@link System#nanoTime()}.
 *
 * @param operation  the JVM's name of the operation, such as {@code ZMarkStart}.
 * @param startNs    when the JVM requested the stop.
 * @param reachedNs  when the last thread had stopped.
 * @param releasedNs when the JVM began to release the threads.
 * @param endNs      when all threads were released.
 */
record Safepoint(String operation, long startNs, long reachedNs, long releasedNs, long endNs)
{
    /** Returns the time from the request to the end in ns. */
    long lengthNs()
    {
        return endNs - startNs;
    }

    /** Returns how long all threads were stopped in a span of time, in ns. */
    long stoppedNsIn(final long fromNs, final long toNs)
    {
        return overlap(reachedNs, releasedNs, fromNs, toNs);
    }

    /** Returns how long the JVM was stopping or releasing threads in a span of time, in ns. */
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
