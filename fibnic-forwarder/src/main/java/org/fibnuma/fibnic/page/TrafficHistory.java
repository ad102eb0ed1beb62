package org.fibnuma.fibnic.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.metrics.TrafficSample;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The traffic of the last 15 minutes, for pages that were not open then. One thread.
 * <p>
 * It keeps {@link #SAMPLES} samples; a further one replaces the oldest. A sample takes about 480 bytes and 36 more for
 * each port: 110 KB in all with 4 ports, 500 KB with 63.
 */
public final class TrafficHistory
{
    /** Time between samples: of 180 in 15 minutes each is 3 pixels wide in a chart of 540. */
    public static final long INTERVAL_MS = 5_000;

    /** Those of 15 minutes. */
    static final int SAMPLES = 180;

    private final long[] times = new long[SAMPLES];
    private final TrafficSample[] samples = new TrafficSample[SAMPLES];
    private long added;

    /** Creates an empty history. */
    public TrafficHistory()
    {
    }

    /**
     * Adds a sample.
     *
     * @param timeMs since the start of the router, not below that of the last sample.
     * @param sample taken then.
     */
    public void add(final long timeMs, final TrafficSample sample)
    {
        final int index = (int)(added++ % SAMPLES);
        times[index] = timeMs;
        samples[index] = sample;
    }

    /**
     * Returns the samples as one line of JSON, the oldest first.
     *
     * @return {@code times} in ms since the start of the router; {@code drops} with an array of totals for each reason
     *         that occurred; {@code ports} with an object for each port, which has an array of totals for each counter.
     *         A total is null where the router did not have the port. Totals of a port that came back can be lower.
     */
    public String format()
    {
        final ObjectNode history = JsonNodeFactory.instance.objectNode();
        final List<TrafficSample> all = new ArrayList<>();
        final ArrayNode timesMs = history.putArray("times");
        for (long i = Math.max(0, added - SAMPLES); i < added; i++)
        {
            timesMs.add(times[(int)(i % SAMPLES)]);
            all.add(samples[(int)(i % SAMPLES)]);
        }
        putDrops(history.putObject("drops"), all);
        final Set<String> names = new LinkedHashSet<>();
        all.forEach(sample -> names.addAll(sample.ports()));
        final ObjectNode ports = history.putObject("ports");
        names.forEach(name -> putPort(ports.putObject(name), all, name));
        return history.toString();
    }

    private static void putDrops(final ObjectNode drops, final List<TrafficSample> all)
    {
        for (final DropReason reason : DropReason.values())
        {
            final ToLongFunction<TrafficSample> total = sample -> sample.drops()[reason.id()];
            if (all.stream().anyMatch(sample -> total.applyAsLong(sample) > 0))
            {
                final ArrayNode totals = drops.putArray(reason.label());
                all.forEach(sample -> totals.add(total.applyAsLong(sample)));
            }
        }
    }

    private static void putPort(final ObjectNode port, final List<TrafficSample> all, final String name)
    {
        for (int counter = 0; counter < TrafficSample.COUNTERS.size(); counter++)
        {
            final ArrayNode totals = port.putArray(TrafficSample.COUNTERS.get(counter).label());
            for (final TrafficSample sample : all)
            {
                final int index = sample.ports().indexOf(name);
                totals.add(index < 0 ? null : (Long)sample.traffic(index, counter));
            }
        }
    }
}
