package org.fibnuma.fibnic.trace;

import org.fibnuma.core.filter.FilterProgram;

/**
 * Selects the frames of a trace.
 *
 * @param ports  ports whose received frames are traced, one bit for each index.
 * @param count  number of frames to trace, 1 to {@link #MAX_COUNT}.
 * @param filter accepts the frames to trace, as they were received; null for all.
 */
public record TraceSettings(long ports, int count, FilterProgram filter)
{
    /** Limits the time for which traced batches take longer. */
    public static final int MAX_COUNT = 10_000;
}
