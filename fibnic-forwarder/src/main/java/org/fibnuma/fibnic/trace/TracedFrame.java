package org.fibnuma.fibnic.trace;

import java.util.List;

/**
 * A received frame and its path through the stages.
 *
 * @param timeNs      time of reception, in ns since 1970.
 * @param worker      number of the worker.
 * @param port        name of the ingress port.
 * @param length      of the received frame in bytes.
 * @param head        its first bytes.
 * @param steps       stages in the order in which the frame has passed them.
 * @param isTruncated whether further steps are missing.
 */
public record TracedFrame(
    long timeNs, int worker, String port, int length, byte[] head, List<TraceStep> steps, boolean isTruncated)
{
    /** Returns the step with the fate of the frame, null if it is missing. */
    public TraceStep fate()
    {
        final TraceStep last = steps.isEmpty() ? null : steps.get(steps.size() - 1);
        return last == null || !last.event().isFate() ? null : last;
    }
}
