package org.fibnuma.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.report.MemcachedEstimate.Combination;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/** Table 1.6 and chapter 6 of the thesis: memcached. */
final class ThesisMemcached
{
    private static final double NONE = Double.NaN;
    private static final double NS_OF_US = 1e3;
    private static final double NS_OF_SECOND = 1e9;
    private static final double PERCENT = 100;
    private static final List<Combination> COMBINATIONS = MemcachedEstimate.COMBINATIONS;
    /** Time of the application in figures 6.17 and 6.18, us. */
    private static final double[] APPLICATION_US = {0, 10, 20, 40, 60, 80, 110, 150, 200, 300, 400, 500};
    private static final String PLACE = "The thesis has two PCs with a gigabit or 10 gigabit link. Here client and " +
        "server are processes on two cores of one machine; \"veth\" is a veth pair between two namespaces. ";
    private static final String ESTIMATED = PLACE + "Estimated as in the thesis: the time of the application is a " +
        "GET over sockets without the sockets' round trip, 0 if the GET was shorter; to it the round trips of the " +
        "ping-pong and of the routers are added. Routers are Fibnuma for FIBNIC and the kernel for the switch, with " +
        "the delay of a frame of 64 bytes at a tenth of their rate, once for each direction and router. There is no " +
        "cable. ";

    private static final String[] NAMES =
        {"sockets and AX3630S-24T", "sockets and FIBNIC", "IP-NUMA and AX3630S-24T", "IP-NUMA and FIBNIC"};
    private static final double[] HOSTS = {49_379, 49_379, 10_308, 10_308};
    private static final double APPLICATION = 1_167;

    private final List<String> memcached;
    private final List<String> pingPong;
    private final List<String> forwarding;

    /**
     * What the thesis has for each of its places.
     *
     * @param name    of the place.
     * @param routers on the way.
     * @param numbers of its table of ratios, and of its figures of rates, of parts, and of ratios by application.
     * @param network round trips through the network by combination, ns.
     * @param times   of a GET by combination and size, ns.
     */
    private record Place(String name, int routers, int[] numbers, double[] network, double[][] times)
    {
    }

    private static final Place RACK = new Place("in a rack", 1, new int[] {7, 13, 14, 17},
        new double[] {8_344, 2_152, 8_344, 2_152}, new double[][] {
            {58_890, 58_911, 59_023, 59_436, 60_121, 71_130}, {52_698, 52_719, 52_831, 53_244, 53_929, 64_938},
            {19_819, 19_840, 19_952, 20_365, 21_050, 32_059}, {13_627, 13_648, 13_760, 14_173, 14_858, 25_867}});
    private static final Place RACKS = new Place("between racks", 4, new int[] {8, 15, 16, 18},
        new double[] {34_576, 9_808, 34_576, 9_808}, new double[][] {
            {85_122, 85_143, 85_255, 85_668, 86_353, 97_362}, {60_354, 60_375, 60_487, 60_900, 61_585, 72_594},
            {46_051, 46_072, 46_184, 46_597, 47_282, 58_291}, {21_283, 21_304, 21_416, 21_829, 22_514, 33_523}});

    private ThesisMemcached(final CommandLines commands)
    {
        memcached = commands.memcached();
        pingPong = commands.pingPong();
        forwarding = commands.forwarding();
    }

    static List<Figure> figures(final CommandLines commands)
    {
        final ThesisMemcached source = new ThesisMemcached(commands);
        final List<Figure> figures = new ArrayList<>(List.of(
            source.transaction(), source.commandTimes(), source.methods(), source.network(), source.places()));
        for (final Place place : List.of(RACK, RACKS))
        {
            figures.addAll(List.of(
                source.comparison(place), source.rates(place), source.parts(place), source.byApplication(place)));
        }
        return figures;
    }

    private Figure transaction()
    {
        return new Figure("thesis-1.6", "Table 1.6: time of a SET of 16 bytes", Figure.Shape.TABLE, "us")
            .columns("", "local", "remote")
            .paper("memcached, loopback and 10 gigabit", 11.217, 31.271)
            .measured(List.of(memcached), results ->
            {
                final JsonNode result = results.result(memcached);
                return List.of(
                    new Series("memcached, UDP", set(result, "memcached, UDP"), set(result, MemcachedEstimate.SOCKETS)),
                    new Series("Fibnuma, UDP", set(result, "fibnuma, UDP"), set(result, "fibnuma, UDP, veth")),
                    new Series("Fibnuma, IP-NUMA", set(result, "fibnuma, IP-NUMA over shm"),
                        set(result, "fibnuma, IP-NUMA over xdp")));
            })
            .differs(PLACE + "Local are the loopback and shared memory, remote is the veth pair. Medians.");
    }

    private static double set(final JsonNode result, final String server)
    {
        return direct(result, server).where("bytes", 16).number("/setMedianNs") / NS_OF_US;
    }

    private static Rows direct(final JsonNode result, final String server)
    {
        return Rows.of(result.path("results")).where("server", server)
            .where("routers", 0);
    }

    private Figure commandTimes()
    {
        return bySize("thesis-6.3", "Table 6.3: time of a command by the length of the data", Figure.Shape.TABLE, "ns")
            .paper("gigabit, SET", 51_251, 51_376, 51_516, 51_990, 52_596, 63_290)
            .paper("gigabit, GET", 50_546, 50_567, 50_679, 51_092, 51_777, 62_786)
            .paper("gigabit, ADD", 51_296, 51_233, 51_382, 51_844, 52_435, 63_159)
            .paper("10 gigabit, SET", 30_156, 30_250, 30_984, 31_504, 31_949, 34_937)
            .paper("10 gigabit, GET", 29_200, 29_521, 29_852, 30_037, 30_622, 34_452)
            .paper("10 gigabit, ADD", 30_282, 30_448, 30_739, 31_586, 31_967, 35_102)
            .paper("loopback, SET", 10_817, 10_957, 10_956, 10_895, 11_003, 11_163)
            .paper("loopback, GET", 9_405, 9_418, 9_454, 9_443, 9_434, 9_671)
            .paper("loopback, ADD", 10_720, 10_526, 10_617, 10_693, 10_805, 11_099)
            .measured(List.of(memcached), results ->
            {
                final List<Series> series = new ArrayList<>();
                for (final String server : List.of(MemcachedEstimate.SOCKETS, "memcached, UDP",
                    "fibnuma, IP-NUMA over xdp", "fibnuma, IP-NUMA over memif", "fibnuma, IP-NUMA over shm"))
                {
                    for (final String command : List.of("SET", "GET", "ADD"))
                    {
                        series.add(new Series(server + ", " + command, MemcachedEstimate.bySize(
                            direct(results.result(memcached), server),
                            "/" + command.toLowerCase(Locale.ROOT) + "BestNs")));
                    }
                }
                return series;
            })
            .differs(PLACE + "The best of some runs, as in the thesis.");
    }

    private Figure methods()
    {
        return bySize("thesis-6.4", "Table 6.4: time of a GET by method", Figure.Shape.TABLE, "ns")
            .paper("gigabit, sockets, measured", 50_546, 50_567, 50_679, 51_092, 51_777, 62_786)
            .paper("gigabit, IP-NUMA, estimated", 11_475, 11_496, 11_608, 12_021, 12_706, 23_715)
            .paper("10 gigabit, sockets, measured", 29_200, 29_521, 29_852, 30_037, 30_622, 34_452)
            .paper("local, measured", 9_405, 9_418, 9_454, 9_443, 9_434, 9_671)
            .measured(List.of(memcached, pingPong), results ->
            {
                final JsonNode result = results.result(memcached);
                final MemcachedEstimate estimate =
                    new MemcachedEstimate(result, results.result(pingPong), null);
                return List.of(get(result, "veth, sockets, measured", MemcachedEstimate.SOCKETS),
                    new Series("veth, IP-NUMA, estimated", estimate.get(COMBINATIONS.get(2), 0)),
                    get(result, "veth, IP-NUMA, measured", "fibnuma, IP-NUMA over xdp"),
                    get(result, "local, measured", "memcached, UDP"));
            })
            .differs(PLACE + "The thesis cannot run memcached over its card and estimates; here both are given.");
    }

    private static Series get(final JsonNode result, final String name, final String server)
    {
        return new Series(name, MemcachedEstimate.bySize(direct(result, server), "/getBestNs"));
    }

    private Figure network()
    {
        return new Figure("thesis-6.5", "Table 6.5: round trip through the network", Figure.Shape.TABLE, "ns")
            .columns("", "cable", "switches", "sum")
            .paper("rack, AX3630S-24T, 20 m", 200, 8_144, 8_344)
            .paper("rack, FIBNIC, 20 m", 200, 1_952, 2_152)
            .paper("racks, 4 AX3630S-24T, 200 m", 2_000, 32_576, 34_576)
            .paper("racks, 4 FIBNIC, 200 m", 2_000, 7_808, 9_808)
            .measured(List.of(forwarding), results ->
            {
                final MemcachedEstimate estimate = new MemcachedEstimate(null, null, results.result(forwarding));
                final List<Series> series = new ArrayList<>();
                for (final Place place : List.of(RACK, RACKS))
                {
                    for (final Combination combination : COMBINATIONS.subList(0, 2))
                    {
                        final double ns = estimate.network(combination, place.routers);
                        series.add(new Series(place.name + ", " + combination.router(),
                            Double.isNaN(ns) ? NONE : 0, ns, ns));
                    }
                }
                return series;
            })
            .differs("Routers are programs on one core between veth pairs, Fibnuma for FIBNIC and the kernel for the " +
                "switch: delay of a frame of 64 bytes at a tenth of their rate, with both drivers of the tester.");
    }

    private Figure places()
    {
        final Figure figure =
            bySize("thesis-6.6", "Table 6.6: time of a GET in a rack and between racks", Figure.Shape.TABLE, "ns")
            .paper("local, sockets, measured", 9_405, 9_418, 9_454, 9_443, 9_434, 9_671)
            .paper("direct, sockets, measured", 50_546, 50_567, 50_679, 51_092, 51_777, 62_786)
            .paper("direct, IP-NUMA, estimated", 11_475, 11_496, 11_608, 12_021, 12_706, 23_715);
        for (final Place place : List.of(RACK, RACKS))
        {
            paper(figure, place, place.name + ", ", (own, first) -> own);
        }
        return figure.measured(all(), results ->
        {
            final JsonNode result = results.result(memcached);
            final List<Series> series = new ArrayList<>(List.of(
                get(result, "local, sockets, measured", "memcached, UDP"),
                get(result, "direct, sockets, measured", MemcachedEstimate.SOCKETS),
                get(result, "direct, IP-NUMA, measured", "fibnuma, IP-NUMA over xdp"),
                new Series("direct, IP-NUMA, estimated", estimate(results).get(COMBINATIONS.get(2), 0))));
            for (final Place place : List.of(RACK, RACKS))
            {
                ours(results, place, (own, first) -> own).forEach(
                    each -> series.add(new Series(place.name + ", " + each.name() + ", estimated", each.values())));
                series.addAll(throughRouters(result, place));
            }
            return series;
        }).differs(ESTIMATED + "\"Measured\" in a rack and between racks: with so many routers on the way.");
    }

    /** Returns what was measured with routers between client and server. */
    private static List<Series> throughRouters(final JsonNode result, final Place place)
    {
        final Rows rows = Rows.of(result.path("results")).where("routers", place.routers);
        return rows.nodes().stream().map(row -> row.path("server").asText() + ", " + row.path("router").asText())
            .distinct().map(name -> new Series(place.name + ", " + name + ", measured", MemcachedEstimate.bySize(
                rows.where(row -> name.equals(row.path("server").asText() + ", " + row.path("router").asText())),
                "/getBestNs"))).toList();
    }

    private Figure comparison(final Place place)
    {
        final Figure figure = bySize("thesis-6." + place.numbers[0], "Table 6." + place.numbers[0] +
            ": commands a second compared with sockets and switch, " + place.name, Figure.Shape.TABLE, "%");
        return derived(figure, place, (own, first) ->
        {
            final double[] percent = new double[own.length];
            Arrays.setAll(percent, i -> PERCENT * first[i] / own[i]);
            return percent;
        });
    }

    private Figure rates(final Place place)
    {
        final Figure figure = bySize("thesis-6." + place.numbers[1],
            "Figure 6." + place.numbers[1] + ": commands a second, " + place.name, Figure.Shape.BARS,
            "commands a second");
        return derived(figure, place, (own, first) -> Arrays.stream(own).map(ns -> NS_OF_SECOND / ns).toArray());
    }

    private Figure parts(final Place place)
    {
        final Figure figure = new Figure("thesis-6." + place.numbers[2], "Figure 6." + place.numbers[2] +
            ": parts of a GET of 16 bytes, " + place.name, Figure.Shape.STACKED, "ns")
            .columns("", "network", "hosts", "application");
        for (int i = 0; i < NAMES.length; i++)
        {
            figure.paper(NAMES[i], place.network[i], HOSTS[i], APPLICATION);
        }
        return figure.measured(all(), results -> COMBINATIONS.stream().map(combination ->
        {
            final MemcachedEstimate estimate = estimate(results);
            return new Series(combination.name(), estimate.network(combination, place.routers),
                estimate.hosts(combination), estimate.application()[0]);
        }).toList()).differs(ESTIMATED);
    }

    private Figure byApplication(final Place place)
    {
        final Figure figure = new Figure("thesis-6." + place.numbers[3], "Figure 6." + place.numbers[3] +
            ": times as fast as sockets and switch by the time of the application, " + place.name, Figure.Shape.LINES,
            "times as fast").columns("application, us", Arrays.stream(APPLICATION_US)
            .mapToObj(us -> Integer.toString((int)us)).toArray(String[]::new));
        for (int i = 1; i < NAMES.length; i++)
        {
            figure.paper(NAMES[i], ratios(HOSTS[0] + place.network[0], HOSTS[i] + place.network[i]));
        }
        return figure.measured(all(), results ->
        {
            final MemcachedEstimate estimate = estimate(results);
            final double[] ways = COMBINATIONS.stream().mapToDouble(combination ->
                estimate.hosts(combination) + estimate.network(combination, place.routers)).toArray();
            final List<Series> series = new ArrayList<>();
            for (int i = 1; i < ways.length; i++)
            {
                series.add(new Series(COMBINATIONS.get(i).name(), ratios(ways[0], ways[i])));
            }
            return series;
        }).differs(ESTIMATED + "As in the thesis: (x + round trip of sockets and switch) / (x + the other round " +
            "trip).");
    }

    private static double[] ratios(final double first, final double other)
    {
        return Arrays.stream(APPLICATION_US).map(us -> (us * NS_OF_US + first) / (us * NS_OF_US + other)).toArray();
    }

    private Figure derived(final Figure figure, final Place place, final BinaryOperator<double[]> form)
    {
        paper(figure, place, "", form);
        return figure.measured(all(), results -> ours(results, place, form)).differs(ESTIMATED);
    }

    private static void paper(
        final Figure figure, final Place place, final String prefix, final BinaryOperator<double[]> form)
    {
        for (int i = 0; i < NAMES.length; i++)
        {
            figure.paper(prefix + NAMES[i], form.apply(place.times[i], place.times[0]));
        }
    }

    private List<Series> ours(final Measurements results, final Place place, final BinaryOperator<double[]> form)
    {
        final Function<Combination, double[]> times = combination -> estimate(results).get(combination, place.routers);
        final double[] first = times.apply(COMBINATIONS.get(0));
        return COMBINATIONS.stream()
            .map(each -> new Series(each.name(), form.apply(times.apply(each), first))).toList();
    }

    private MemcachedEstimate estimate(final Measurements results)
    {
        return new MemcachedEstimate(
            results.result(memcached), results.result(pingPong), results.result(forwarding));
    }

    private List<List<String>> all()
    {
        return List.of(memcached, pingPong, forwarding);
    }

    private static Figure bySize(final String id, final String title, final Figure.Shape shape, final String unit)
    {
        return new Figure(id, title, shape, unit).columns("bytes",
            Arrays.stream(MemcachedEstimate.SIZES).mapToObj(Integer::toString).toArray(String[]::new));
    }
}
