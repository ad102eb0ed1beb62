package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Rates of a router between two moments, from its answers to {@code show ports}, {@code show drops} and
 * {@code show stages}.
 */
final class TopFigures
{
    private static final List<String> FATES = List.of("received", "forwarded", "punted", "dropped");
    /** Frames that the device of a port lost or refused to send. */
    private static final List<String> LOST = List.of(
        "rxRingFull", "rxNoBuffer", "rxDropped", "rxTruncated", "txInvalid");
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double PERCENT = 100;

    private TopFigures()
    {
    }

    /**
     * The answers of a router at one moment.
     *
     * @param timeNs when they were received, by {@link System#nanoTime()}.
     * @param ports  to "ports".
     * @param drops  to "drops".
     * @param stages to "stages".
     */
    record Sample(long timeNs, JsonNode ports, JsonNode drops, JsonNode stages)
    {
    }

    /**
     * Returns rates a second between two samples.
     *
     * @param router name of the router.
     * @param from   earlier sample.
     * @param to     later sample.
     * @return an object with the rates of all frames and arrays {@code ports} (most frames first), {@code drops} (most
     *         frequent reasons first) and {@code workers} (by number). Bits are those of frames without FCS. Values
     *         that a worker does not measure are null.
     */
    static ObjectNode between(final String router, final Sample from, final Sample to)
    {
        final double seconds = (to.timeNs() - from.timeNs()) / NANOS_PER_SECOND;
        final ObjectNode figures = JsonNodeFactory.instance.objectNode()
            .put("router", router)
            .put("seconds", rounded(seconds));
        for (final String fate : FATES)
        {
            figures.put(fate, rate(from.drops(), to.drops(), fate, seconds));
        }
        figures.put("held", to.drops().path("held").asLong());
        putAll(figures, "ports", ports(from.ports().path("ports"), to.ports().path("ports"), seconds),
            row -> row.get("rxFrames").asDouble() + row.get("txFrames").asDouble());
        putAll(figures, "drops", drops(from.drops().path("drops"), to.drops().path("drops"), seconds),
            row -> row.get("frames").asDouble());
        final List<ObjectNode> workers = workers(from.stages().path("workers"), to.stages().path("workers"), seconds);
        putAll(figures, "workers", workers, row -> 0);
        return figures;
    }

    /**
     * Returns the rates of ports or VLAN interfaces.
     *
     * @param from    earlier rows of {@code show ports}.
     * @param to      later rows.
     * @param seconds between them.
     * @return rows in the order of the later ones.
     */
    static List<ObjectNode> ports(final JsonNode from, final JsonNode to, final double seconds)
    {
        final List<ObjectNode> rows = new ArrayList<>();
        final Map<String, JsonNode> before = byKey(from, "name");
        for (final JsonNode port : to)
        {
            final JsonNode old = before.getOrDefault(port.path("name").asText(), port);
            double lost = 0;
            for (final String counter : LOST)
            {
                lost += rate(old, port, counter, seconds);
            }
            rows.add(JsonNodeFactory.instance.objectNode()
                .put("name", port.path("name").asText())
                .put("state", port.path("state").asText())
                .put("rxFrames", rate(old, port, "rxFrames", seconds))
                .put("rxBits", rounded(Byte.SIZE * rate(old, port, "rxBytes", seconds)))
                .put("txFrames", rate(old, port, "txFrames", seconds))
                .put("txBits", rounded(Byte.SIZE * rate(old, port, "txBytes", seconds)))
                .put("lost", rounded(lost)));
        }
        return rows;
    }

    private static List<ObjectNode> drops(final JsonNode from, final JsonNode to, final double seconds)
    {
        final List<ObjectNode> rows = new ArrayList<>();
        final Map<String, JsonNode> before = byKey(from, "reason");
        for (final JsonNode drop : to)
        {
            final JsonNode old = before.getOrDefault(
                drop.path("reason").asText(), JsonNodeFactory.instance.objectNode());
            rows.add(JsonNodeFactory.instance.objectNode()
                .put("reason", drop.path("reason").asText())
                .put("frames", rate(old, drop, "frames", seconds))
                .put("total", drop.path("frames").asLong()));
        }
        rows.sort(Comparator.comparingLong(row -> -row.get("total").asLong()));
        return rows;
    }

    private static List<ObjectNode> workers(final JsonNode from, final JsonNode to, final double seconds)
    {
        final List<ObjectNode> rows = new ArrayList<>();
        final Map<String, JsonNode> before = byKey(from, "worker");
        for (final JsonNode worker : to)
        {
            final JsonNode old = before.getOrDefault(worker.path("worker").asText(), worker);
            final double frames = difference(old, worker, "received");
            final double polls = difference(old, worker, "polls");
            final double busy = polls - difference(old, worker, "idlePolls");
            final double cpuNs = NANOS_PER_MICRO * difference(old, worker, "cpuUs");
            final boolean isTimed = !worker.path("cpuUs").isNull() && worker.has("cpuUs");
            rows.add(JsonNodeFactory.instance.objectNode()
                .put("worker", worker.path("worker").asInt())
                .put("frames", rounded(frames / seconds))
                .put("batch", busy > 0 ? rounded(frames / busy) : null)
                .put("busyPercent", polls > 0 ? rounded(PERCENT * busy / polls) : null)
                .put("cpuPercent", isTimed ? rounded(PERCENT * cpuNs / (seconds * NANOS_PER_SECOND)) : null)
                .put("nsPerFrame", isTimed && frames > 0 ? rounded(cpuNs / frames) : null));
        }
        return rows;
    }

    /** Adds rows, highest values first; rows with equal values keep their order. */
    private static void putAll(
        final ObjectNode figures, final String name, final List<ObjectNode> rows,
        final ToDoubleFunction<ObjectNode> value)
    {
        rows.sort(Comparator.comparingDouble(value).reversed());
        figures.putArray(name).addAll(rows);
    }

    private static Map<String, JsonNode> byKey(final JsonNode rows, final String key)
    {
        final Map<String, JsonNode> map = new HashMap<>();
        rows.forEach(row -> map.put(row.path(key).asText(), row));
        return map;
    }

    /** Returns 0 for a counter that has restarted at 0, for example because its interface was made again. */
    private static double difference(final JsonNode from, final JsonNode to, final String counter)
    {
        return Math.max(0, to.path(counter).asLong() - from.path(counter).asLong());
    }

    private static double rate(final JsonNode from, final JsonNode to, final String counter, final double seconds)
    {
        return rounded(difference(from, to, counter) / seconds);
    }

    private static double rounded(final double value)
    {
        return Math.round(value * PERCENT) / PERCENT;
    }
}
