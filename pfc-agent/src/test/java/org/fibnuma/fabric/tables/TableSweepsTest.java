package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.BalancedPaths;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.plan.FatTreePaths;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinLevel;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.topology.RandomNetwork;
import org.fibnuma.fabric.turns.TurnAddition;
import org.fibnuma.fabric.turns.TurnTraffic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tables after sweeps are proved, and their highest load is compared with that before. */
class TableSweepsTest
{
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldProveTablesInEveryLane(final long seed)
    {
        final Random random = new Random(seed);
        final Fabric fabric =
            RandomNetwork.generate(5 + random.nextInt(30), 3 + random.nextInt(3), 1 + random.nextInt(3), random);
        final Demand demand = Demand.uniform(fabric);
        for (int count = 1; count <= 3; count++)
        {
            final Lanes lanes = Lanes.regions(fabric, count);
            final ForwardingTables tables = start(fabric, demand);
            TableSweeps.improve(tables, lanes, demand, seed);
            assertTrue(RoutingProof.of(TableWalk.of(tables, lanes, demand)).holds());
            final ForwardingTables again = start(fabric, demand);
            TableSweeps.improve(again, lanes, demand, seed);
            assertEquals(0, JointRoutesTest.differences(tables, again));
        }
    }

    @Test
    void shouldLowerTheHighestLoadOfJoinedFatTrees()
    {
        final JoinedFatTrees trees = JoinedFatTrees.joined(8, JoinLevel.MIDDLE);
        final Fabric fabric = trees.fabric();
        final Demand demand = Demand.uniform(fabric);
        final TurnTraffic traffic = new FatTreePaths(trees).traffic(FatTreePaths.INSIDE_WEIGHT);
        // Turns for much traffic inside the trees leave the joining cables unevenly loaded.
        final ForwardingTables tables = new BalancedTrees(TurnAddition.sound(1).plan(traffic), demand).grow(2);
        final long before = TableWalk.of(tables, demand).loads().max();
        TableSweeps.improve(tables, Lanes.one(fabric), demand, 1);
        final TableWalk after = TableWalk.of(tables, demand);
        assertTrue(RoutingProof.of(after).holds());
        // 16 cables carry 128 x 128 pairs.
        assertTrue(after.loads().max() >= 1024 && after.loads().max() < 0.95 * before,
            after.loads().max() + " " + before);
    }

    @Test
    void shouldDrawTheNumbersOfRandom()
    {
        final Random expected = new Random(7);
        final Random plain = new PlainRandom(7);
        for (int bound = 1; bound < 100_000; bound++)
        {
            assertEquals(expected.nextInt(bound), plain.nextInt(bound));
            assertEquals(expected.nextDouble(), plain.nextDouble());
        }
    }

    private static ForwardingTables start(final Fabric fabric, final Demand demand)
    {
        return new BalancedTrees(
            TurnAddition.sound(1).plan(BalancedPaths.unrestricted(fabric, demand)), demand).grow(2);
    }
}
