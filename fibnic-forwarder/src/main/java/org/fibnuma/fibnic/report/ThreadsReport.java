package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.fibnic.rib.RoutingTables;

/** What held the router's threads up: the workers by stops of the JVM, the control thread by its own work. */
public final class ThreadsReport
{
    private ThreadsReport()
    {
    }

    /**
     * Adds an array {@code workers}, and what the control thread has done, to an answer.
     *
     * @param answer         to add to.
     * @param state          of the router.
     * @param workers        how many there are.
     * @param pauses         since they run.
     * @param longestCycleNs of the control thread: for so long at most a change or a request had to wait for another.
     * @return the answer.
     */
    public static ObjectNode addTo(
        final ObjectNode answer,
        final RouterState state,
        final int workers,
        final JvmPauses pauses,
        final long longestCycleNs)
    {
        final RoutingTables.Work work = state.tables().work();
        answer.put("controlLongestCycleUs", longestCycleNs / 1000)
            .put("controlDumps", work.dumps())
            .put("controlRoutesTouched", work.routesTouched())
            .put("controlFibWrites", work.fibWrites())
            .put("controlAdjacencyWrites", work.adjacencyWrites());
        final ArrayNode rows = answer.putArray("workers");
        for (int worker = 0; worker < workers; worker++)
        {
            rows.addObject()
                .put("worker", worker)
                .put("longestPauseMs", pauses.longestMs())
                .put("pauseReason", pauses.reason().isEmpty() ? null : pauses.reason())
                .put("pauses", pauses.count());
        }
        return answer;
    }
}
