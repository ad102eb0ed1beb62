package org.fibnuma.bench;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.UserException;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Two runs of JMH, from its JSON. Benchmarks that only one of them has are left out. */
final class JmhComparison
{
    private static final String THROUGHPUT = "thrpt";

    private final Map<String, Pair> pairs = new LinkedHashMap<>();

    /**
     * One benchmark with its parameters in both runs.
     *
     * @param benchmark name of the method with its class.
     * @param saved     result of the saved run.
     * @param now       result of the other run.
     */
    private record Pair(String benchmark, Score saved, Score now)
    {
        boolean isSlower()
        {
            return saved.isThroughput() ?
                now.value + now.error < saved.value - saved.error : now.value - now.error > saved.value + saved.error;
        }
    }

    private record Score(double value, double error, String unit, boolean isThroughput)
    {
        static Score of(final String name, final JsonNode result)
        {
            final JsonNode metric = result.path("primaryMetric");
            final double error = metric.path("scoreError").asDouble(Double.NaN);
            if (Double.isNaN(error))
            {
                throw new UserException(name + " has no error: run three iterations or more (-i 3)");
            }
            return new Score(metric.path("score").asDouble(), error, metric.path("scoreUnit").asText(),
                result.path("mode").asText().equals(THROUGHPUT));
        }
    }

    /**
     * Compares.
     *
     * @param saved array of results.
     * @param now   array of results.
     * @throws UserException if a result has no error, or the runs have no benchmark in common.
     */
    JmhComparison(final JsonNode saved, final JsonNode now)
    {
        final Map<String, JsonNode> before = new LinkedHashMap<>();
        saved.forEach(result -> before.put(name(result), result));
        for (final JsonNode result : now)
        {
            final String name = name(result);
            if (before.containsKey(name))
            {
                pairs.put(name, new Pair(result.path("benchmark").asText(),
                    Score.of(name, before.get(name)), Score.of(name, result)));
            }
        }
        if (pairs.isEmpty())
        {
            throw new UserException("the saved run has none of these benchmarks");
        }
    }

    private static String name(final JsonNode result)
    {
        final String benchmark = result.path("benchmark").asText();
        final StringBuilder name = new StringBuilder(benchmark.substring(benchmark.lastIndexOf('.', benchmark
            .lastIndexOf('.') - 1) + 1)).append(' ').append(result.path("mode").asText());
        result.path("params").properties().forEach(
            param -> name.append(' ').append(param.getKey()).append('=').append(param.getValue().asText()));
        return name.toString();
    }

    /** Returns the names of the results that are slower by more than both errors. */
    Set<String> slower()
    {
        return pairs.keySet().stream().filter(name -> pairs.get(name).isSlower()).collect(Collectors.toSet());
    }

    /** Returns the benchmark of a result. */
    String benchmark(final String name)
    {
        return pairs.get(name).benchmark;
    }

    void print(final PrintWriter out)
    {
        final int width = pairs.keySet().stream().mapToInt(String::length).max().orElse(0);
        out.printf("%n%-" + width + "s %12s %10s %12s %10s %7s%n", "", "saved", "error", "now", "error", "ratio");
        pairs.forEach((name, pair) -> out.printf("%-" + width + "s %12.3f %10.3f %12.3f %10.3f %7.3f %s%n",
            name, pair.saved.value, pair.saved.error, pair.now.value, pair.now.error,
            pair.now.value / pair.saved.value, pair.now.unit));
    }
}
