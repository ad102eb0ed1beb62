package org.fibnuma.bench.control;

import org.fibnuma.bench.lab.Machine;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What one run of {@code bench control} found out. */
final class ControlPlaneResult
{
    private final int routes;
    private final List<Phase> phases = new ArrayList<>();

    ControlPlaneResult(final int routes)
    {
        this.routes = routes;
    }

    void add(final Phase phase)
    {
        phases.add(phase);
    }

    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("routes", routes);
        final List<Map<String, Object>> list = new ArrayList<>();
        for (final Phase phase : phases)
        {
            final Map<String, Object> row = new LinkedHashMap<>();
            row.put("phase", phase.name);
            row.put("steps", phase.steps);
            row.put("totalMs", TimeUnit.NANOSECONDS.toMillis(phase.totalNs));
            row.put("longestStepUs", TimeUnit.NANOSECONDS.toMicros(phase.longestStepNs));
            row.put("allocatedBytesPerStep", phase.allocatedBytes / Math.max(1, phase.steps));
            row.put("longestStopUs", TimeUnit.NANOSECONDS.toMicros(phase.longestStopNs));
            row.put("collections", phase.collections);
            list.add(row);
        }
        map.put("phases", list);
        map.put("machine", Machine.facts());
        return map;
    }

    void print(final PrintWriter out)
    {
        out.printf("%,d routes%n", routes);
        out.printf("%-12s %9s %9s %14s %16s %14s %12s%n",
            "phase", "steps", "total ms", "longest us", "allocated B/step", "stopped us", "collections");
        for (final Phase phase : phases)
        {
            out.printf("%-12s %9d %9d %14d %16d %14d %12d%n", phase.name, phase.steps,
                TimeUnit.NANOSECONDS.toMillis(phase.totalNs), TimeUnit.NANOSECONDS.toMicros(phase.longestStepNs),
                phase.allocatedBytes / Math.max(1, phase.steps), TimeUnit.NANOSECONDS.toMicros(phase.longestStopNs),
                phase.collections);
        }
    }

    /**
     * What one kind of change cost.
     *
     * @param name           for people.
     * @param steps          that the control thread made.
     * @param totalNs        of all steps.
     * @param longestStepNs  the longest time between two moments at which it could do something else.
     * @param allocatedBytes by the control thread.
     * @param longestStopNs  of the thread that looks up addresses, whoever stopped it.
     * @param collections    of garbage.
     */
    record Phase(
        String name,
        int steps,
        long totalNs,
        long longestStepNs,
        long allocatedBytes,
        long longestStopNs,
        long collections)
    {
    }
}
