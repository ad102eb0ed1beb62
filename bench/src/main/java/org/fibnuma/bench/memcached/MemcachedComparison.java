package org.fibnuma.bench.memcached;

import com.fasterxml.jackson.databind.JsonNode;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The figures of all measurements beside those of the thesis. */
final class MemcachedComparison
{
    /** Nanoseconds of a GET in tables 6.3, 6.4 and 6.6, by bytes 16, 32, 64, 128, 256, 512. */
    private static final Map<String, List<Integer>> THESIS = new LinkedHashMap<>();

    static
    {
        THESIS.put("sockets, loopback, measured (6.3)", List.of(9405, 9418, 9454, 9443, 9434, 9671));
        THESIS.put("sockets, 10GBASE-SR, measured (6.3)", List.of(29200, 29521, 29852, 30037, 30622, 34452));
        THESIS.put("sockets, 1000BASE-T, measured (6.3)", List.of(50546, 50567, 50679, 51092, 51777, 62786));
        THESIS.put("IP-NUMA, 1000BASE-T, estimated (6.4)", List.of(11475, 11496, 11608, 12021, 12706, 23715));
        THESIS.put("rack, sockets and switch, estimated (6.6)", List.of(58890, 58911, 59023, 59436, 60121, 71130));
        THESIS.put("rack, IP-NUMA and FIBNIC, estimated (6.6)", List.of(13627, 13648, 13760, 14173, 14858, 25867));
        THESIS.put("racks, sockets and switch, estimated (6.6)", List.of(85122, 85143, 85255, 85668, 86353, 97362));
        THESIS.put("racks, IP-NUMA and FIBNIC, estimated (6.6)", List.of(21283, 21304, 21416, 21829, 22514, 33523));
    }

    private final List<Map<String, Object>> results = new ArrayList<>();

    /**
     * Adds the figures of a measurement, with their ratio to those of its peer if the peer was measured before.
     *
     * @param run      the measurement.
     * @param measured figures of {@link ClientProgram} for one size.
     * @return the figures for people.
     */
    String add(final MemcachedRun run, final JsonNode measured)
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("server", run.name());
        measured.properties().forEach(field -> figures.put(field.getKey(), field.getValue().asLong()));
        results.stream()
            .filter(other -> other.get("server").equals(run.peer()) && other.get("bytes").equals(figures.get("bytes")))
            .forEach(other -> figures.put("getTimesFasterThanUdp",
                (double)(long)other.get("getMedianNs") / (long)figures.get("getMedianNs")));
        results.add(figures);
        return line(figures);
    }

    private static String line(final Map<String, Object> figures)
    {
        final Object ratio = figures.get("getTimesFasterThanUdp");
        return String.format(
            "%-28s %4d bytes  SET best %,8d median %,8d ns  GET best %,8d median %,8d ns%s",
            figures.get("server"), figures.get("bytes"), figures.get("setBestNs"), figures.get("setMedianNs"),
            figures.get("getBestNs"), figures.get("getMedianNs"),
            ratio == null ? "" : String.format("  %.2f x", ratio));
    }

    /** Returns the values for JSON. */
    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("results", results);
        map.put("thesisGetNs", THESIS);
        return map;
    }

    /** Prints the figures of the thesis; those of the measurements are printed as they come. */
    void printThesis(final PrintWriter out)
    {
        out.println();
        out.println("The thesis, ns of a GET of 16, 32, 64, 128, 256 and 512 bytes (table)");
        THESIS.forEach((name, times) -> out.println(String.format("%-44s %s", name, times)));
        out.println("4.32 x in a rack and 4.00 x between racks, estimated for 16 bytes (tables 6.7 and 6.8)");
    }
}
