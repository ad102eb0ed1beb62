package org.fibnuma.bench.control;

import org.fibnuma.core.service.jvmpause.JvmPause;
import org.fibnuma.core.service.jvmpause.Safepoints;
import org.fibnuma.core.service.jvmpause.JvmPauses;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The results of one run of {@code bench control} for one family. */
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
            row.put("totalCpuMs", TimeUnit.NANOSECONDS.toMillis(phase.totalCpuNs));
            row.put("longestStepUs", micros(phase.longestStepNs));
            row.put("longestStepCpuUs", micros(phase.longestStepCpuNs));
            row.put("allocatedBytesPerStep", phase.allocatedBytes / Math.max(1, phase.steps));
            final JvmPause longest = phase.pauses.longest();
            row.put("longestStopUs", micros(longest.lengthNs()));
            row.put("stopReason", longest.lengthNs() == 0 ? null : longest.text());
            final boolean known = phase.safepoints.known();
            row.put("longestJvmStopUs", known ? micros(phase.pauses.longestByJvm().jvmNs()) : null);
            row.put("jvmStopsAbove2Ms", known ? phase.pauses.badByJvm() : null);
            row.put("safepoints", known ? phase.safepoints.count() : null);
            row.put("longestSafepointUs", known ? micros(phase.safepoints.longestNs()) : null);
            row.put("safepointReason", phase.safepoints.count() == 0 ? null : phase.safepoints.detail());
            row.put("collections", phase.collections);
            list.add(row);
        }
        map.put("phases", list);
        return map;
    }

    void print(final PrintWriter out, final String family)
    {
        out.printf("%,d %s routes%n", routes, family);
        out.printf("%-16s %7s %9s %7s %11s %11s %10s %11s %12s  %s%n",
            "phase", "steps", "total ms", "CPU ms", "longest us", "of it CPU",
            "B a step", "stopped us", "by JVM us", "reason");
        for (final Phase phase : phases)
        {
            final JvmPause longest = phase.pauses.longest();
            out.printf("%-16s %7d %9d %7d %11d %11d %10d %11d %12s  %s%n", phase.name, phase.steps,
                TimeUnit.NANOSECONDS.toMillis(phase.totalNs), TimeUnit.NANOSECONDS.toMillis(phase.totalCpuNs),
                micros(phase.longestStepNs),
                micros(phase.longestStepCpuNs), phase.allocatedBytes / Math.max(1, phase.steps),
                micros(longest.lengthNs()),
                phase.safepoints.known() ? micros(phase.pauses.longestByJvm().jvmNs()) : "unknown",
                longest.lengthNs() == 0 ? "-" : longest.text());
        }
    }

    private static long micros(final long nanos)
    {
        return TimeUnit.NANOSECONDS.toMicros(nanos);
    }

    /**
     * The cost of one kind of change.
     *
     * @param name             name of the phase, for people.
     * @param steps            number of steps of the control thread.
     * @param totalNs          time of all steps.
     * @param totalCpuNs       CPU time of all steps, which other processes hardly change.
     * @param longestStepNs    longest time for which the control thread could do nothing else.
     * @param longestStepCpuNs longest CPU time of one step.
     * @param allocatedBytes   bytes that the control thread allocated.
     * @param pauses           pauses of the thread that looks up addresses.
     * @param safepoints       safepoints of the JVM.
     * @param collections      number of garbage collections.
     */
    record Phase(
        String name,
        int steps,
        long totalNs,
        long totalCpuNs,
        long longestStepNs,
        long longestStepCpuNs,
        long allocatedBytes,
        JvmPauses pauses,
        Safepoints safepoints,
        long collections)
    {
    }
}
