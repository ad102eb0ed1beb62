package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.plan.FatTreePaths;
import org.fibnuma.fabric.topology.JoinLevel;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.turns.TurnAddition;
import org.fibnuma.fabric.turns.TurnMethod;
import org.fibnuma.fabric.turns.TurnProhibition;
import org.fibnuma.fabric.turns.TurnTraffic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The turns and the throughput of joined fat trees, compared with the paper's numbers. */
class LegalFatTreePathsTest
{
    /** The paper's table 2: 2, 39, 405 and 3839; the spec accepts 2, 36 to 45, 392 to 509 and 3600 to 4100. */
    @ParameterizedTest
    @CsvSource({"4, 2, 32", "8, 36, 256", "16, 405, 2048", "32, 3839, 16384"})
    void shouldForbidAsManyTurnsOntoJoiningCablesAsThePaper(final int ports, final int forbidden, final int turns)
    {
        final JoinedFatTrees trees = JoinedFatTrees.joined(ports, JoinLevel.MIDDLE);
        final TurnTraffic traffic = new FatTreePaths(trees).traffic(FatTreePaths.INSIDE_WEIGHT);
        for (final TurnMethod method : List.of(TurnAddition.asInThePaper(1), TurnAddition.sound(1)))
        {
            final JoiningTurns joining = JoiningTurns.of(trees, method.plan(traffic).allowed());
            assertEquals(turns, joining.turns());
            assertEquals(forbidden, joining.forbidden());
        }
    }

    @Test
    void shouldKeepFullBandwidthInsideTreesByTurnProhibitionWhereThatComesFirst()
    {
        final JoinedFatTrees trees = JoinedFatTrees.joined(16, JoinLevel.MIDDLE);
        assertEquals(1.0, insideByTurnProhibition(trees, FatTreePaths.INSIDE_FIRST));
        assertEquals(0.96, insideByTurnProhibition(trees, FatTreePaths.INSIDE_WEIGHT), 0.01);
    }

    private static double insideByTurnProhibition(final JoinedFatTrees trees, final long insideWeight)
    {
        final TurnTraffic traffic = new FatTreePaths(trees).traffic(insideWeight);
        final LegalFatTreePaths paths = new LegalFatTreePaths(trees, new TurnProhibition().plan(traffic).allowed());
        final long serverLink = trees.serversPerTree() - 1L;
        return Math.min(paths.inside(0).throughput(serverLink), paths.inside(1).throughput(serverLink));
    }
}
