package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.service.jvmpause.JvmPause;
import org.fibnuma.core.service.jvmpause.JvmPauseWatcher;
import org.fibnuma.core.service.jvmpause.Safepoints;
import org.fibnuma.core.service.jvmpause.JvmPauses;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.rib.RoutingTables;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The pauses of the workers, which are JVM pauses or have other causes, and the work of the control thread.
 *
 * @param watcher  of the JVM.
 * @param workers  pauses of each worker, by index.
 * @param counters of the workers.
 * @param samples  cost of samples for the live web page and the metrics.
 */
public record ThreadsReport(
    JvmPauseWatcher watcher, List<Supplier<JvmPauses>> workers, CountersReader counters, SampleCost samples)
{
    /**
     * Adds the work of the control thread, safepoints of the JVM and an array {@code workers} to an answer. Unknown
     * values are null.
     *
     * @param answer         to add to.
     * @param work           of the control thread on its tables.
     * @param longestCycleNs longest duty cycle of the control thread: an upper bound of the wait of a request.
     * @return the answer.
     */
    public ObjectNode addTo(final ObjectNode answer, final RoutingTables.Work work, final long longestCycleNs)
    {
        answer.put("controlLongestCycleUs", micros(longestCycleNs))
            .put("controlDumps", work.dumps())
            .put("controlRoutesTouched", work.routesTouched())
            .put("controlFibWrites", work.fibWrites())
            .put("controlAdjacencyWrites", work.adjacencyWrites());
        samples.addTo(answer);
        final Safepoints safepoints = watcher.safepoints();
        final boolean known = safepoints.known();
        answer.put("safepoints", known ? safepoints.count() : null)
            .put("longestSafepointUs", known ? micros(safepoints.longestNs()) : null)
            .put("safepointReason", safepoints.count() == 0 ? null : safepoints.detail());
        final ArrayNode rows = answer.putArray("workers");
        for (int worker = 0; worker < workers.size(); worker++)
        {
            final JvmPauses pauses = workers.get(worker).get();
            final ObjectNode row = rows.addObject().put("worker", worker);
            addCycles(row, FateReport.ofWorker(counters, worker), pauses);
            addPauses(row, pauses, known);
        }
        return answer;
    }

    private static void addCycles(final ObjectNode row, final FateReport fates, final JvmPauses pauses)
    {
        row.put("received", fates.get(ForwarderCounter.RECEIVED))
            .put("polls", fates.get(ForwarderCounter.POLLS))
            .put("idlePolls", fates.get(ForwarderCounter.IDLE_POLLS))
            .put("cpuUs", pauses.coreNs() == 0 ? null : micros(pauses.coreNs()));
    }

    private static void addPauses(final ObjectNode row, final JvmPauses pauses, final boolean known)
    {
        final JvmPause longest = pauses.longest();
        final JvmPause byJvm = pauses.longestByJvm();
        row.put("longestPauseUs", micros(longest.lengthNs()))
            .put("pauses", pauses.count() + pauses.lost())
            .put("pausesNotExplained", pauses.lost())
            .put("longestJvmPauseUs", known ? micros(byJvm.jvmNs()) : null)
            .put("jvmPausesAbove2Ms", known ? pauses.badByJvm() : null)
            .put("jvmPauseReason", byJvm.jvmNs() == 0 ? null : byJvm.detail())
            .put("pauseReason", longest.lengthNs() == 0 ? null : longest.text());
    }

    private static long micros(final long nanos)
    {
        return TimeUnit.NANOSECONDS.toMicros(nanos);
    }
}
