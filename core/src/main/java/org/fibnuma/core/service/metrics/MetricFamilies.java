package org.fibnuma.core.service.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import org.fibnuma.core.service.jvmpause.Safepoints;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects values under the names of their metrics, in any order. Labels are pairs of name and value. A metric without
 * values does not appear.
 */
public final class MetricFamilies
{
    /** Start of the name of every metric. */
    static final String PREFIX = "fibnuma_";

    private final Map<String, Counter> counters = new LinkedHashMap<>();
    private final Map<String, Gauge> gauges = new LinkedHashMap<>();
    private final List<InfoSnapshot> infos = new ArrayList<>();

    private record Counter(String help, List<CounterSnapshot.CounterDataPointSnapshot> points)
    {
    }

    private record Gauge(String help, List<GaugeSnapshot.GaugeDataPointSnapshot> points)
    {
    }

    /** Adds a value that never falls; its metric gets the suffix {@code _total}. */
    public void counter(final String name, final String help, final double value, final String... labels)
    {
        counters.computeIfAbsent(name, key -> new Counter(help, new ArrayList<>())).points.add(
            new CounterSnapshot.CounterDataPointSnapshot(value, Labels.of(labels), null, 0));
    }

    /** Adds a value that can rise and fall. */
    public void gauge(final String name, final String help, final double value, final String... labels)
    {
        gauges.computeIfAbsent(name, key -> new Gauge(help, new ArrayList<>())).points.add(
            new GaugeSnapshot.GaugeDataPointSnapshot(value, Labels.of(labels), null));
    }

    /** Adds the constant 1 with texts as labels; its metric gets the suffix {@code _info}. */
    public void info(final String name, final String help, final List<Labels> labels)
    {
        infos.add(new InfoSnapshot(
            new MetricMetadata(PREFIX + name, help),
            labels.stream().map(InfoSnapshot.InfoDataPointSnapshot::new).toList()));
    }

    /** Adds the metrics of every program: version, uptime in ms since the start, and safepoints of the JVM. */
    public void program(final String version, final long uptimeMs, final Safepoints safepoints)
    {
        info("build", "Version of Fibnuma.", List.of(Labels.of("version", version)));
        gauge("uptime_seconds", "Time since the program started.", Unit.millisToSeconds(uptimeMs));
        if (safepoints.known())
        {
            counter("safepoints", "Times that the JVM stopped all threads.", safepoints.count());
            gauge("longest_safepoint_seconds", "Longest time since the start for which the JVM stopped all threads.",
                Unit.nanosToSeconds(safepoints.longestNs()));
        }
    }

    MetricSnapshots build()
    {
        final MetricSnapshots.Builder all = MetricSnapshots.builder();
        counters.forEach((name, counter) -> all.metricSnapshot(new CounterSnapshot(
            new MetricMetadata(PREFIX + name, counter.help), counter.points)));
        gauges.forEach((name, gauge) -> all.metricSnapshot(new GaugeSnapshot(
            new MetricMetadata(PREFIX + name, gauge.help), gauge.points)));
        infos.forEach(all::metricSnapshot);
        return all.build();
    }
}
