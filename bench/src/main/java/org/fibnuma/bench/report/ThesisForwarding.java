package org.fibnuma.bench.report;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Chapter 5 of the thesis and table 1.7: delay of a frame in a router. */
final class ThesisForwarding
{
    private static final double NONE = Double.NaN;
    private static final double NS_OF_US = 1000;
    private static final double PERCENT = 100;
    private static final String AT_THROUGHPUT = "/latencyUs/p50";
    private static final String AT_TENTH = "/latencyUsAt/10%/p50";
    private static final String SOFTWARE = "The thesis measures circuits on gigabit Ethernet at its highest rate, " +
        "from wire to wire. Here routers are programs on one core between veth pairs, and the delay is the median " +
        "from the tester's send call until it reads the frame: it contains both of the tester's drivers, and waiting " +
        "in rings at ";
    private static final String AT_RATE = SOFTWARE + "the highest rate without loss. ";

    private ThesisForwarding()
    {
    }

    static List<Figure> figures(final CommandLines commands)
    {
        final List<String> forwarding = commands.forwarding();
        final List<String> fullTable = commands.fullTable();
        final List<String> ipv6 = commands.ipv6();
        final List<String> overload = commands.overload();
        return List.of(
            new Figure("thesis-1.7", "Table 1.7: delay of an IP packet in a switch, IPv4, 64 bytes", Figure.Shape.TABLE,
                "ns")
                .columns("", "delay", "delay at a tenth of the rate")
                .paper("3750E-24PD, gigabit", 4976, NONE)
                .paper("AX3630S-24T, gigabit", 4072, NONE)
                .measured(List.of(forwarding), results -> delays(results.result(forwarding), 64))
                .differs(AT_RATE + "The second column has a tenth of that rate, where rings are short."),
            new Figure("thesis-5.2", "Table 5.2: frames of 64 bytes, IPv4", Figure.Shape.TABLE,
                "frames a second; ns")
                .columns("", "received a second", "delay", "delay at a tenth of the rate")
                .paper("FIBNIC", 1_488_095, 976, NONE)
                .paper("3750E-24PD", 1_488_095, 4976, NONE)
                .paper("AX3630S-24T", 1_488_095, 4072, NONE)
                .paper("PC router", 365_497, 24_144, NONE)
                .measured(List.of(forwarding), results -> rates(results.result(forwarding), 64))
                .differs(AT_RATE + "The rate is the highest without loss; a gigabit link has 1,488,095 frames a " +
                    "second."),
            new Figure("thesis-5.3", "Table 5.3: frames of 1518 bytes, IPv4", Figure.Shape.TABLE,
                "frames a second; ns")
                .columns("", "received a second", "delay", "delay at a tenth of the rate")
                .paper("FIBNIC", 81_274, 976, NONE)
                .paper("AX3630S-24T", NONE, 16_632, NONE)
                .measured(List.of(forwarding), results -> rates(results.result(forwarding), 1518))
                .differs(AT_RATE + "A gigabit link has 81,274 frames a second, a veth pair no limit."),
            new Figure("thesis-5.7", "Figure 5.7: three inputs to one output, frames lost from the second one on",
                Figure.Shape.TABLE, "%")
                .columns("", "lost")
                .paper("FIBNIC with FIFOs of one frame", 66.6)
                .measured(List.of(overload), results -> List.of(new Series("worker with FIFOs of one frame",
                    PERCENT * results.result(overload).path("lossRate").asDouble(NONE))))
                .differs("Here the router's worker runs without a clock: in the time of a frame each input sends " +
                    "one, and the output's link takes one."),
            new Figure("thesis-5.10", "Figure 5.10: delay by frame size, IPv4", Figure.Shape.LINES, "ns")
                .columns("bytes", "64", "128", "256", "512", "1024", "1280", "1518")
                .paper("FIBNIC", 976, 976, 976, 976, 976, NONE, 976)
                .paper("AX3630S-24T", 4072, NONE, NONE, NONE, NONE, NONE, 16_632)
                .measured(List.of(forwarding), results -> bySize(results.result(forwarding)))
                .differs(SOFTWARE + "a tenth of the highest rate without loss. Of the switch the thesis's text has " +
                    "the two ends and that the delay grows linearly."),
            new Figure("thesis-5.4", "Table 5.4: delay with 410,000 routes, IPv4", Figure.Shape.TABLE, "ns")
                .columns("bytes", "64", "1518", "64, a tenth of the rate", "1518, a tenth of the rate")
                .paper("FIBNIC, one input and three outputs", 976, 976, NONE, NONE)
                .measured(List.of(fullTable), results -> bothSizes(results.result(fullTable), 64))
                .differs(AT_RATE),
            new Figure("thesis-5.5", "Table 5.5: delay with 32 routes, IPv6", Figure.Shape.TABLE, "ns")
                .columns("bytes", "80", "1518", "80, a tenth of the rate", "1518, a tenth of the rate")
                .paper("FIBNIC", 1064, 1064, NONE, NONE)
                .measured(List.of(ipv6), results -> bothSizes(results.result(ipv6), 80))
                .differs(AT_RATE));
    }

    /** Returns the delay of a frame of 64 bytes, one way, in a router: {@code fibnuma} or the kernel's. */
    static double delayNs(final JsonNode result, final String device)
    {
        return NS_OF_US * Rows.of(result.path("results"))
            .where("rig", "veth").where("frameSize", 64).where(row -> row.path("device").asText().startsWith(device))
            .number(AT_TENTH);
    }

    private static List<Series> delays(final JsonNode result, final int bytes)
    {
        return byDevice(result, rows ->
        {
            final Rows size = rows.where("frameSize", bytes);
            return new double[] {NS_OF_US * size.number(AT_THROUGHPUT), NS_OF_US * size.number(AT_TENTH)};
        });
    }

    private static List<Series> rates(final JsonNode result, final int bytes)
    {
        return byDevice(result, rows ->
        {
            final Rows size = rows.where("frameSize", bytes);
            return new double[] {size.number("/throughputPps"),
                NS_OF_US * size.number(AT_THROUGHPUT), NS_OF_US * size.number(AT_TENTH)};
        });
    }

    private static List<Series> bothSizes(final JsonNode result, final int small)
    {
        return byDevice(result, rows ->
        {
            final Rows first = rows.where("frameSize", small);
            final Rows second = rows.where("frameSize", 1518);
            return Arrays.stream(new double[] {first.number(AT_THROUGHPUT), second.number(AT_THROUGHPUT),
                first.number(AT_TENTH), second.number(AT_TENTH)}).map(us -> NS_OF_US * us).toArray();
        });
    }

    private static List<Series> bySize(final JsonNode result)
    {
        return byDevice(result, rows -> Arrays.stream(new int[] {64, 128, 256, 512, 1024, 1280, 1518})
            .mapToDouble(size -> NS_OF_US * rows.where("frameSize", size).number(AT_TENTH)).toArray());
    }

    /** Makes a series of the rows of each device on each rig. */
    private static List<Series> byDevice(final JsonNode result, final Function<Rows, double[]> values)
    {
        final Map<String, List<JsonNode>> devices = new LinkedHashMap<>();
        for (final JsonNode row : result.path("results"))
        {
            devices.computeIfAbsent(row.path("device").asText() + " on " + row.path("rig").asText(),
                name -> new ArrayList<>()).add(row);
        }
        return devices.entrySet().stream()
            .map(device -> new Series(device.getKey(), values.apply(new Rows(device.getValue())))).toList();
    }
}
