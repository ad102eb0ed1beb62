package org.fibnuma.bench.pipeline;

import java.io.PrintWriter;
import java.util.Map;

/** A measurement of the worker of a {@link PipelineRig}. Used by one thread. */
interface PipelineMeasurement extends AutoCloseable
{
    /**
     * Measures on the calling thread.
     *
     * @param warmUpNs   time before each measurement.
     * @param durationNs time of each measurement.
     */
    void measure(long warmUpNs, long durationNs);

    /** Returns the result for JSON. */
    Map<String, Object> toMap();

    /** Prints the result for people. */
    void print(PrintWriter out);

    /** Returns whether every frame has one counted disposition, and whether the measurement has lost none. */
    boolean isComplete();

    @Override
    default void close()
    {
    }
}
