package org.fibnuma.fibnic.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects values under the names of their metrics, in any order. Labels are pairs of name and value. A metric without
 * values does not appear.
 */
final class MetricFamilies
{
    /** Start of the name of every metric of the router. */
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
    void counter(final String name, final String help, final double value, final String... labels)
    {
        counters.computeIfAbsent(name, key -> new Counter(help, new ArrayList<>())).points.add(
            new CounterSnapshot.CounterDataPointSnapshot(value, Labels.of(labels), null, 0));
    }

    /** Adds a value that can rise and fall. */
    void gauge(final String name, final String help, final double value, final String... labels)
    {
        gauges.computeIfAbsent(name, key -> new Gauge(help, new ArrayList<>())).points.add(
            new GaugeSnapshot.GaugeDataPointSnapshot(value, Labels.of(labels), null));
    }

    /** Adds the constant 1 with texts as labels; its metric gets the suffix {@code _info}. */
    void info(final String name, final String help, final List<Labels> labels)
    {
        infos.add(new InfoSnapshot(
            new MetricMetadata(PREFIX + name, help),
            labels.stream().map(InfoSnapshot.InfoDataPointSnapshot::new).toList()));
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
