package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.plan.BalancedPaths;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.plan.LinkLoads;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinLevel;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.topology.RandomNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Properties of every method, and the network sizes of the spec. */
class TurnMethodsTest
{
    private static final int GRAPHS = 200;

    @Test
    void shouldAlwaysBeFreeOfCyclesAndConnectAllServers()
    {
        double worstShare = 0;
        for (int seed = 0; seed < GRAPHS; seed++)
        {
            final Fabric fabric = RandomFabrics.draw(new Random(seed));
            final TurnTraffic traffic = RandomFabrics.routedTraffic(fabric);
            for (final TurnMethod method : List.of(new UpDown(), new TurnProhibition(), TurnAddition.sound(seed)))
            {
                final TurnPlan plan = method.plan(traffic);
                assertTrue(RoutingProof.of(plan.allowed()).holds(), "seed " + seed + " " + plan.order());
                requireTreeIsAllowed(plan, traffic.pairs());
                if (method instanceof TurnProhibition)
                {
                    worstShare = Math.max(worstShare,
                        (double)plan.allowed().forbiddenPairs(traffic.pairs()) / traffic.pairs().turnCount());
                }
            }
        }
        // The original method, which removes switches of the least degree, forbids at most a third.
        assertTrue(worstShare <= 1.0 / 3, "turn prohibition forbade " + worstShare);
    }

    private static void requireTreeIsAllowed(final TurnPlan plan, final TurnPairs pairs)
    {
        final Fabric fabric = pairs.fabric();
        final boolean[] inTree = new boolean[fabric.channelCount()];
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            if (plan.escape().parent(node) >= 0)
            {
                inTree[plan.escape().parent(node)] = true;
                inTree[fabric.reverse(plan.escape().parent(node))] = true;
            }
        }
        for (int pair = 0; pair < pairs.count(); pair++)
        {
            assertTrue(!pairs.isTurn(pair) || !inTree[pairs.low(pair)] || !inTree[pairs.high(pair)] ||
                plan.allowed().allowsPair(pairs, pair));
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 192, 136", "8, 3328, 1056", "16, 55296, 8320", "32, 901120, 66048"})
    void shouldHaveTheSizesOfTheSpec(final int ports, final int turns, final int channels)
    {
        final JoinedFatTrees trees = JoinedFatTrees.joined(ports, JoinLevel.MIDDLE);
        assertEquals(channels, trees.fabric().channelCount());
        assertEquals(turns, new TurnPairs(trees.fabric()).turnCount());
    }

    @Test
    void shouldBalanceRandomNetworksBetterThanUpDown()
    {
        final Random random = new Random(5);
        double added = 0;
        double upDown = 0;
        double prohibited = 0;
        for (int i = 0; i < 4; i++)
        {
            final Fabric fabric = RandomNetwork.generate(60, 10, 4, random);
            final TurnTraffic traffic = RandomFabrics.routedTraffic(fabric);
            added += throughput(TurnAddition.sound(i).plan(traffic));
            upDown += throughput(new UpDown().plan(traffic));
            prohibited += throughput(new TurnProhibition().plan(traffic));
        }
        assertTrue(added > 1.6 * upDown, added + " and " + upDown);
        assertTrue(added > 0.9 * prohibited, added + " and " + prohibited);
    }

    private static double throughput(final TurnPlan plan)
    {
        final Fabric fabric = plan.allowed().fabric();
        final Demand demand = Demand.uniform(fabric);
        final LinkLoads loads = new LinkLoads(fabric);
        assertEquals(0, new BalancedPaths(plan.allowed(), demand).choose(loads));
        return loads.throughput(demand.busiestServer());
    }
}
