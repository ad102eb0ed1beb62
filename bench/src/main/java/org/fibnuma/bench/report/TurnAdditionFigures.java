package org.fibnuma.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The paper on turn addition. */
final class TurnAdditionFigures
{
    private static final double NONE = Double.NaN;
    private static final String[] SERVERS = {"16", "128", "1024", "8192"};
    private static final String[] SWITCHES = {"10", "20", "30", "40", "50", "60", "70", "80", "90", "100"};
    private static final String[] PLACES = {"top", "middle", "bottom", "top-but-one"};
    private static final Map<String, String> METHODS = new TreeMap<>(Map.of(
        "turn-addition", "turn addition", "turn-addition-paper", "turn addition, the paper's form", "tp",
        "turn prohibition", "updown", "Up*/Down*"));
    private static final String NO_NUMBERS = "The paper has this figure as a drawing; its text has these numbers " +
        "alone. ";

    private TurnAdditionFigures()
    {
    }

    static List<Figure> figures(final CommandLines commands)
    {
        final List<String> turns = commands.joiningTurns();
        final List<String> random = commands.randomNetworks();
        final List<String> joined = commands.joinedTrees();
        final List<String> sizes = commands.treesBySize();
        return List.of(
            new Figure("turns-2", "Table 2: forbidden turns onto the cables between two trees", Figure.Shape.TABLE, "%")
                .columns("servers a tree", SERVERS)
                .paper("turn addition", 6.25, 15.23, 19.78, 23.43)
                .measured(List.of(turns), results -> forbidden(Rows.of(results.result(turns).path("table2"))))
                .differs("The paper does not define the order of turns with equal traffic, on which the share at 128 " +
                    "servers depends. The sound form also refuses turns with which a loop of more than one turn at a " +
                    "switch is possible."),
            new Figure("turns-21", "Figure 21: throughput of random networks", Figure.Shape.LINES, "of a server's link")
                .columns("switches", SWITCHES)
                .measured(List.of(random), results -> bySwitches(Rows.of(results.result(random).path("figure21"))))
                .differs("The paper has this figure as a drawing. Its text says that turn addition is above " +
                    "Up*/Down* from 20 switches on and about as turn prohibition."),
            new Figure("turns-21-ratio", "Figure 21: turn addition divided by Up*/Down* at 100 switches",
                Figure.Shape.BARS, "times")
                .columns("", "100 switches")
                .paper("turn addition", 2.08)
                .measured(List.of(random), results -> List.of(new Series("turn addition",
                    Rows.of(results.result(random).path("figure21")).where("switches", 100)
                    .number("/additionOverUpDown"))))
                .differs("Here each pair takes that one of its shortest allowed paths whose channels have the least " +
                    "load, by which turn addition gains more than Up*/Down*, whose load is concentrated at its root. " +
                    "The abstract has 2.05."),
            new Figure("turns-22-inside", "Figure 22 and table 1: throughput inside the trees", Figure.Shape.BARS,
                "of a server's link")
                .columns("joined at", PLACES)
                .paper("turn addition and turn prohibition", 1, 1, 1, NONE)
                .measured(List.of(joined), results ->
                    byPlace(Rows.of(results.result(joined).path("figure22")), "/inside"))
                .differs(NO_NUMBERS + "The paper gives no size of the trees; here they have 128 servers. Up*/Down* " +
                    "keeps the full throughput if every top switch is joined, and loses some if one cable is missing " +
                    "(top-but-one), the paper's figure 9."),
            new Figure("turns-22-between", "Figure 22 and table 1: throughput between the trees", Figure.Shape.BARS,
                "of a server's link")
                .columns("joined at", PLACES)
                .measured(List.of(joined), results ->
                    byPlace(Rows.of(results.result(joined).path("figure22")), "/between"))
                .differs("The paper has this figure as a drawing. Its text says: at the top all methods are high, in " +
                    "the middle turn addition is high and turn prohibition low, at the bottom all are low. Its table " +
                    "1 rates Up*/Down* bad, bad, fair and turn prohibition good, fair, fair at the top, middle and " +
                    "bottom."),
            new Figure("turns-25-inside", "Figure 25: throughput inside the trees by size", Figure.Shape.BARS,
                "of a server's link")
                .columns("servers a tree", SERVERS)
                .paper("turn addition and turn prohibition", 1, 1, 1, 1)
                .measured(List.of(sizes), results ->
                    byServers(Rows.of(results.result(sizes).path("figure25")), "/inside"))
                .differs(NO_NUMBERS + "Up*/Down* falls with the size, as here."),
            new Figure("turns-25-between", "Figure 25: throughput between the trees by size", Figure.Shape.BARS,
                "of a server's link")
                .columns("servers a tree", SERVERS)
                .measured(List.of(sizes), results ->
                    byServers(Rows.of(results.result(sizes).path("figure25")), "/between"))
                .differs("The paper has this figure as a drawing. Its text says that turn addition falls from 16 to " +
                    "128 servers and then rises; here every pair keeps its cable, at 128 servers too."),
            new Figure("turns-25-ratio", "Figure 25: turn addition divided by turn prohibition, between the trees",
                Figure.Shape.BARS, "times")
                .columns("servers a tree", SERVERS)
                .paper("turn addition", NONE, NONE, NONE, 4.77)
                .measured(List.of(sizes), results -> ratios(Rows.of(results.result(sizes).path("figure25"))))
                .differs("Turn prohibition ranks traffic inside the trees before all traffic between them here; only " +
                    "so does it keep the full throughput inside at every size, as in the paper."));
    }

    private static List<Series> forbidden(final Rows rows)
    {
        return Stream.of("turn-addition", "turn-addition-paper").map(method -> new Series(METHODS.get(method),
            Arrays.stream(SERVERS).mapToDouble(servers ->
                rows.where("method", method).where("servers", servers).number("/percent")).toArray())).toList();
    }

    private static List<Series> bySwitches(final Rows rows)
    {
        return METHODS.entrySet().stream().map(method -> new Series(method.getValue(), Arrays.stream(SWITCHES)
            .mapToDouble(switches -> rows.where("switches", switches).number("/" + method.getKey())).toArray()))
            .toList();
    }

    private static List<Series> byPlace(final Rows rows, final String pointer)
    {
        return by(rows, "joined", PLACES, pointer);
    }

    private static List<Series> byServers(final Rows rows, final String pointer)
    {
        return by(rows, "servers", SERVERS, pointer);
    }

    private static List<Series> by(final Rows rows, final String field, final String[] values, final String pointer)
    {
        return METHODS.entrySet().stream().map(method -> new Series(method.getValue(), Arrays.stream(values)
            .mapToDouble(value -> rows.where("method", method.getKey()).where(field, value).number(pointer))
            .toArray())).collect(Collectors.toList());
    }

    private static List<Series> ratios(final Rows rows)
    {
        return List.of(new Series("turn addition", Arrays.stream(SERVERS).mapToDouble(servers ->
            rows.where("method", "tp").where("servers", servers).number("/additionOverThis")).toArray()));
    }
}
