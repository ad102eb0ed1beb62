package org.fibnuma.core.service.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmRuntimeInfoMetric;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Writes samples of a program, and the state of the JVM, in Prometheus's text format 0.0.4 or in OpenMetrics 1.0. For
 * one thread. There are no metrics of the JVM's threads, because their collection stops all threads.
 *
 * @param <S> type of a sample.
 */
public final class MetricsWriter<S>
{
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final ExpositionFormatWriter text = PrometheusTextFormatWriter.create();
    private final ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();
    private final BiConsumer<S, MetricFamilies> collector;
    /** Highest value so far of counters that can fall for a moment, by metric and label. */
    private final Map<String, Long> highest = new HashMap<>();
    /** The sample that was written last, its text and the content type of the text. */
    private S sample;
    private byte[] written;
    private String writtenType;

    /** Creates the metrics of a program. The collector adds the values of a sample to the families. */
    public MetricsWriter(final BiConsumer<S, MetricFamilies> collector)
    {
        this.collector = collector;
        registry.register((MultiCollector)this::collect);
        JvmMemoryMetrics.builder().register(registry);
        JvmGarbageCollectorMetrics.builder().register(registry);
        JvmBufferPoolMetrics.builder().register(registry);
        JvmRuntimeInfoMetric.builder().register(registry);
        ProcessMetrics.builder().register(registry);
    }

    private MetricSnapshots collect()
    {
        final MetricFamilies families = new MetricFamilies();
        collector.accept(sample, families);
        return families.build();
    }

    /** Returns the content type of the answer to a client that accepts some media types. */
    public String contentType(final String accept)
    {
        return writer(accept).getContentType();
    }

    /**
     * Writes a sample for a client that accepts some media types, as in its header. Consecutive calls with the same
     * sample return the same text.
     *
     * @return the text in UTF-8, of type {@link #contentType}; not to be modified.
     */
    public byte[] write(final S of, final String accept)
    {
        final ExpositionFormatWriter writer = writer(accept);
        if (of == sample && writer.getContentType().equals(writtenType))
        {
            return written;
        }
        sample = of;
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        try
        {
            writer.write(out, registry.scrape());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        written = out.toByteArray();
        writtenType = writer.getContentType();
        return written;
    }

    private ExpositionFormatWriter writer(final String accept)
    {
        return openMetrics.accepts(accept) ? openMetrics : text;
    }

    /**
     * Returns the highest value so far of a counter that can fall for a moment, such as the difference of two counters
     * that are read one after the other. Prometheus would take a fall for a restart.
     *
     * @param series name of the value, unique in the program.
     * @param value  current value.
     */
    public long rising(final String series, final long value)
    {
        return highest.merge(series, value, Math::max);
    }
}
