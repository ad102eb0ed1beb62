package org.fibnuma.bench.memcached;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.Routers;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The figures of all measurements beside those of the thesis. */
final class MemcachedComparison
{
    private static final String RATIO = "getTimesFasterThanUdp";
    private static final String ROW = "%-44s %5s %12s %12s %9s %9s";

    private final List<Row> rows = new ArrayList<>();

    /**
     * Figures of a measurement for one size.
     *
     * @param server  name of the server.
     * @param routers between client and server.
     * @param bytes   size of the values.
     * @param figures nanoseconds and ratio by their names in JSON.
     */
    private record Row(String server, Routers routers, int bytes, Map<String, Object> figures)
    {
        long getNs()
        {
            return (long)figures.get("getMedianNs");
        }

        Map<String, Object> toMap()
        {
            final Map<String, Object> map = new LinkedHashMap<>();
            map.put("server", server);
            routers.addTo(map);
            map.put("bytes", bytes);
            map.putAll(figures);
            return map;
        }
    }

    /**
     * Adds the figures of a measurement. If its peer was measured before through as many routers of the kernel, the
     * ratio to the peer's GET is among them.
     *
     * @param run      the measurement.
     * @param routers  between client and server.
     * @param measured figures of {@link ClientProgram} for one size.
     * @return the figures for people.
     */
    String add(final MemcachedRun run, final Routers routers, final JsonNode measured)
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        measured.properties().forEach(field -> figures.put(field.getKey(), field.getValue().asLong()));
        final Row row = new Row(run.name(), routers, ((Long)figures.remove("bytes")).intValue(), figures);
        final Row peer = find(run.peer(), routers.peer(), row.bytes);
        if (peer != null)
        {
            figures.put(RATIO, (double)peer.getNs() / row.getNs());
        }
        rows.add(row);
        return line(row);
    }

    private Row find(final String server, final Routers routers, final int bytes)
    {
        return rows.stream()
            .filter(row -> row.server.equals(server) && row.routers.equals(routers) && row.bytes == bytes)
            .findFirst().orElse(null);
    }

    private static String line(final Row row)
    {
        final Map<String, Object> figures = row.figures;
        final Object ratio = figures.get(RATIO);
        return String.format(
            "%-28s %-17s %4d bytes  SET best %,8d median %,8d ns  GET best %,8d median %,8d ns  " +
            "ADD best %,8d median %,8d ns%s",
            row.server, row.routers, row.bytes, figures.get("setBestNs"), figures.get("setMedianNs"),
            figures.get("getBestNs"), figures.get("getMedianNs"), figures.get("addBestNs"), figures.get("addMedianNs"),
            ratio == null ? "" : String.format("  %.2f x", ratio));
    }

    /** Returns the values for JSON. */
    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("results", rows.stream().map(Row::toMap).toList());
        map.put("thesisGetNs", ThesisTimes.ROWS.stream().collect(
            Collectors.toMap(ThesisTimes::name, ThesisTimes::getNs, (one, other) -> one, LinkedHashMap::new)));
        map.put("thesisSetNs", ThesisTimes.SET_NS);
        map.put("thesisAddNs", ThesisTimes.ADD_NS);
        return map;
    }

    /**
     * Prints the figures of the thesis for the sizes that were measured, each beside that of the same arrangement here.
     */
    void printThesis(final PrintWriter out)
    {
        out.println();
        out.println("GET in the thesis and here: median in ns, and rate in percent of that over sockets through the " +
            "switch or the kernel");
        out.println(String.format(ROW, "", "bytes", "thesis, ns", "here, ns", "thesis, %", "here, %"));
        for (final ThesisTimes row : ThesisTimes.ROWS)
        {
            for (int i = 0; i < ThesisTimes.SIZES.size(); i++)
            {
                final int bytes = ThesisTimes.SIZES.get(i);
                if (rows.stream().anyMatch(measured -> measured.bytes == bytes))
                {
                    out.println(line(row, i).stripTrailing());
                }
            }
        }
        out.println("The percentages of the thesis are those of tables 6.7 (rack, 1 router) and 6.8 (racks, 4).");
        print(out, "SET", ThesisTimes.SET_NS);
        print(out, "ADD", ThesisTimes.ADD_NS);
    }

    private String line(final ThesisTimes row, final int index)
    {
        final int bytes = ThesisTimes.SIZES.get(index);
        final Row here = row.server() == null ? null : find(row.server(), row.routers(), bytes);
        final Row peer = find(MemcachedRun.UDP_VETH, row.routers().peer(), bytes);
        final boolean isCompared = row.routers().count() > 0;
        return String.format(ROW, row.name(), bytes, String.format("%,d", row.getNs().get(index)),
            here == null ? "" : String.format("%,d", here.getNs()),
            isCompared ? percent(row.peer().getNs().get(index), row.getNs().get(index)) : "",
            isCompared && here != null && peer != null ? percent(peer.getNs(), here.getNs()) : "");
    }

    /**
     * Returns how fast something is in percent of its peer.
     *
     * @param peerNs time of the peer.
     * @param ns     time of what is compared.
     */
    static long percent(final long peerNs, final long ns)
    {
        return Math.round(100.0 * peerNs / ns);
    }

    private static void print(final PrintWriter out, final String command, final Map<String, List<Integer>> times)
    {
        out.println(command + " in table 6.3, ns of " + ThesisTimes.SIZES + " bytes");
        times.forEach((name, values) -> out.println(String.format("%-44s %s", name, values)));
    }
}
