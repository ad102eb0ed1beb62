package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.topology.JoinLevel;
import org.fibnuma.fabric.topology.JoinedFatTrees;

import java.util.List;
import java.util.Map;

/** Table 2: share of forbidden turns onto the cables between two trees. */
final class JoiningTurnsTable implements Evaluation
{
    static final String NAME = "table2";
    private static final int SMALLEST = 4;
    private static final Map<Integer, Double> PAPER_PERCENT = Map.of(4, 6.25, 8, 15.23, 16, 19.78, 32, 23.43);
    private static final Map<Integer, Integer> PAPER_COUNT = Map.of(4, 2, 8, 39, 16, 405, 32, 3839);

    private final long seed;
    private final int largest;

    JoiningTurnsTable(final long seed, final int largest)
    {
        this.seed = seed;
        this.largest = largest;
    }

    @Override
    public CsvTable measure()
    {
        final CsvTable table = new CsvTable(NAME, "servers", "cables", "method", "turns", "forbidden", "percent",
            "paperForbidden", "paperPercent", "order");
        for (int ports = SMALLEST; ports <= largest; ports *= 2)
        {
            final JoinedFatTrees trees = JoinedFatTrees.joined(ports, JoinLevel.MIDDLE);
            for (final Method method : List.of(Method.ADDITION_PAPER, Method.ADDITION))
            {
                final TreeMeasurement measurement = new TreeMeasurement(trees, method, seed, false);
                final JoiningTurns turns = measurement.joiningTurns();
                table.add(trees.serversPerTree(), trees.crossCables(), method.label(), turns.turns(),
                    turns.forbidden(), 100.0 * turns.forbidden() / turns.turns(), PAPER_COUNT.get(ports),
                    PAPER_PERCENT.get(ports), measurement.order());
            }
        }
        return table;
    }
}
