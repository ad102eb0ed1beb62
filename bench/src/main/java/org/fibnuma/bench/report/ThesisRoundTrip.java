package org.fibnuma.bench.report;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** Chapter 4 of the thesis: round trips of a counter. */
final class ThesisRoundTrip
{
    private static final double NONE = Double.NaN;
    private static final double NS_OF_US = 1000;
    private static final double ROUND_TRIP = 2;
    private static final int RACK = 1;
    private static final int RACKS = 4;
    private static final String SOCKETS = "udp";
    private static final String XDP = "xdp";
    private static final String PLACE = "The thesis has two PCs with network cards and a cable; its card for IP-NUMA " +
        "is an FPGA. Here both programs are on one machine, each on its own core: sockets and AF_XDP over a veth " +
        "pair between two namespaces, memif and shm over shared memory. ";

    private ThesisRoundTrip()
    {
    }

    static List<Figure> figures(final CommandLines commands)
    {
        final List<String> command = commands.pingPong();
        return List.of(
            new Figure("thesis-4.4", "Figure 4.4: loops of the ping-pong, 10 gigabit", Figure.Shape.BARS,
                "loops a second")
                .columns("", "sockets", "IP-NUMA")
                .paper("10 gigabit", 44_287, 462_535)
                .measured(List.of(command), results -> loops(results.result(command)))
                .differs(PLACE + "The thesis's values are those of its round trips; their ratio is the 10.44 of its " +
                    "text."),
            new Figure("thesis-4.5", "Table 4.5: round trip of a counter", Figure.Shape.TABLE, "us")
                .columns("", "10 gigabit", "gigabit", "here")
                .paper("sockets", 22.580, 49.379, NONE)
                .paper("IP-NUMA", 2.162, 10.308, NONE)
                .measured(List.of(command), results -> roundTrips(results.result(command)))
                .differs(PLACE + "The thesis has the mean of a million round trips, here it is the median."),
            new Figure("thesis-4.6", "Table 4.6: one-way delay directly, in a rack and between racks",
                Figure.Shape.TABLE, "us")
                .columns("", "direct", "rack, 1 switch", "racks, 4 switches")
                .paper("sockets", 11.29, 11.67, 13.81)
                .paper("IP-NUMA", 1.08, 1.46, 3.60)
                .measured(List.of(command), results -> oneWay(results.result(command)))
                .differs(PLACE + "The thesis estimates: it adds 380 ns for each switch and 1 us for 200 m of cable. " +
                    "Here routers are measured, half a round trip each, without a cable."));
    }

    /**
     * Returns the median round trip of a transport.
     *
     * @param result    of {@code bench pingpong}.
     * @param transport such as {@code udp}.
     * @param routers   on the way.
     * @param router    their name; any without routers.
     */
    static double ns(final JsonNode result, final String transport, final int routers, final String router)
    {
        return NS_OF_US * Rows.of(result.path("results")).where("transport", transport)
            .where("routers", routers).where(row -> routers == 0 || row.path("router").asText().equals(router))
            .number("/p50Us");
    }

    private static List<Series> loops(final JsonNode result)
    {
        final Rows rows = Rows.of(result.path("results")).where("routers", 0);
        return List.of(
            new Series("veth, blocking and AF_XDP",
                loops(rows, SOCKETS), loops(rows, XDP)),
            new Series("veth, polled sockets", loops(rows, "udp-poll"), NONE),
            new Series("memif", NONE, loops(rows, "memif")),
            new Series("shm", NONE, loops(rows, "shm")));
    }

    private static double loops(final Rows rows, final String transport)
    {
        return rows.where("transport", transport).number("/loopsPerSecond");
    }

    private static List<Series> roundTrips(final JsonNode result)
    {
        return List.of(
            new Series("sockets, blocking", NONE, NONE, ns(result, SOCKETS, 0, "") / NS_OF_US),
            new Series("sockets, polled", NONE, NONE, ns(result, "udp-poll", 0, "") / NS_OF_US),
            new Series("IP-NUMA over AF_XDP", NONE, NONE, ns(result, XDP, 0, "") / NS_OF_US),
            new Series("IP-NUMA over memif", NONE, NONE, ns(result, "memif", 0, "") / NS_OF_US),
            new Series("IP-NUMA over shm", NONE, NONE, ns(result, "shm", 0, "") / NS_OF_US));
    }

    private static List<Series> oneWay(final JsonNode result)
    {
        final List<Series> series = new ArrayList<>();
        for (final String router : List.of("fibnuma", "kernel"))
        {
            for (final String transport : List.of(SOCKETS, XDP))
            {
                series.add(new Series(
                    (transport.equals(XDP) ? "IP-NUMA over AF_XDP" : "sockets") + ", routers: " + router,
                    oneWayUs(result, transport, 0, router), oneWayUs(result, transport, RACK, router),
                    oneWayUs(result, transport, RACKS, router)));
            }
        }
        return series;
    }

    private static double oneWayUs(
        final JsonNode result, final String transport, final int routers, final String router)
    {
        return ns(result, transport, routers, router) / ROUND_TRIP / NS_OF_US;
    }
}
