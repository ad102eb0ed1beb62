package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Time and allocated memory that the samples for the live web page and the metrics have cost the control thread since
 * the start. Control thread.
 */
public final class SampleCost
{
    private static final long UNKNOWN = -1;

    private long count;
    private long totalNs;
    private long longestNs;
    /** {@link #UNKNOWN} on a JVM that does not report it. */
    private long bytes;
    /** Null before the first sample, so that a router without a server does not load its classes. */
    private ThreadMXBean threads;

    /** Creates the cost of no samples. */
    public SampleCost()
    {
    }

    /**
     * Takes a sample and adds its cost.
     *
     * @param sampler returns the sample.
     * @param <S>     type of the sample.
     * @return the sample.
     */
    public <S> S measure(final Supplier<S> sampler)
    {
        final long startBytes = allocatedBytes();
        final long startNs = System.nanoTime();
        final S sample = sampler.get();
        final long takenNs = System.nanoTime() - startNs;
        final long endBytes = allocatedBytes();
        count++;
        totalNs += takenNs;
        longestNs = Math.max(longestNs, takenNs);
        bytes = startBytes == UNKNOWN || bytes == UNKNOWN ? UNKNOWN : bytes + endBytes - startBytes;
        return sample;
    }

    private long allocatedBytes()
    {
        if (threads == null)
        {
            threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        }
        return threads.isThreadAllocatedMemorySupported() && threads.isThreadAllocatedMemoryEnabled() ?
            threads.getCurrentThreadAllocatedBytes() : UNKNOWN;
    }

    /** Adds the number of samples, their mean and longest time and their mean allocation; unknown values are null. */
    void addTo(final ObjectNode answer)
    {
        final boolean known = count > 0;
        answer.put("controlSamples", count)
            .put("controlSampleUs", known ? TimeUnit.NANOSECONDS.toMicros(totalNs / count) : null)
            .put("controlLongestSampleUs", known ? TimeUnit.NANOSECONDS.toMicros(longestNs) : null)
            .put("controlSampleBytes", known && bytes != UNKNOWN ? bytes / count : null);
    }
}
