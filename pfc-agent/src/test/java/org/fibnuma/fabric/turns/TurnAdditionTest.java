package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.proof.DependencyCycle;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.FabricBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The two forms of turn addition. */
class TurnAdditionTest
{
    private static final int[][] RINGS_AND_PATH =
        {{0, 1}, {1, 2}, {0, 2}, {4, 5}, {5, 6}, {4, 6}, {0, 3}, {3, 4}};
    private static final int[][] ORDER = {
        {0, 1, 2}, {1, 2, 0}, {4, 5, 6}, {5, 6, 4}, {1, 0, 3}, {2, 0, 3}, {3, 4, 5}, {3, 4, 6}, {1, 0, 2}, {5, 4, 6},
        {0, 3, 4}};
    private static final int GRAPHS = Integer.getInteger("fibnuma.fabric.graphs", 1000);

    @Test
    void shouldMissTheCycleOfTheCounterexampleAsInThePaper()
    {
        final Fabric fabric = counterexample();
        final TurnTraffic traffic = new TurnTraffic(new TurnPairs(fabric));
        final TurnPlan plan = TurnAddition.asInThePaper(1).plan(traffic, order(traffic.pairs()), "given");
        for (int i = 0; i < ORDER.length; i++)
        {
            assertEquals(i != 8 && i != 9, plan.allowed().allowsPair(traffic.pairs(), pair(traffic.pairs(), ORDER[i])));
        }
        final int[] cycle = DependencyCycle.find(plan.allowed());
        assertTrue(cycle.length > 3);
        for (int i = 0; i < cycle.length; i++)
        {
            assertTrue(plan.allowed().allows(cycle[i], cycle[(i + 1) % cycle.length]));
        }
        assertFalse(RoutingProof.of(plan.allowed()).holds());
    }

    @Test
    void shouldBeSoundOnTheCounterexample()
    {
        final TurnTraffic traffic = new TurnTraffic(new TurnPairs(counterexample()));
        final TurnPlan plan = TurnAddition.sound(1).plan(traffic, order(traffic.pairs()), "given");
        assertTrue(RoutingProof.of(plan.allowed()).holds());
    }

    /**
     * Random orders are harder than the traffic of a real routing; half of the graphs use them. More graphs:
     * {@code -Dfibnuma.fabric.graphs=N}; 10,000 take about half a minute.
     */
    @ParameterizedTest
    @ValueSource(longs = 20110401)
    void shouldBeSoundOnRandomGraphs(final long seed)
    {
        long soundForbidden = 0;
        long paperForbidden = 0;
        int paperCyclic = 0;
        for (int i = 0; i < GRAPHS; i++)
        {
            final Random random = new Random(seed + i);
            final Fabric fabric = RandomFabrics.draw(random);
            final TurnTraffic traffic = i % 2 == 0 ?
                RandomFabrics.randomTraffic(fabric, random) : RandomFabrics.routedTraffic(fabric);
            final TurnPlan sound = TurnAddition.sound(seed + i).plan(traffic);
            final TurnPlan paper = TurnAddition.asInThePaper(seed + i).plan(traffic);
            assertTrue(RoutingProof.of(sound.allowed()).holds(), "graph of seed " + (seed + i));
            soundForbidden += sound.allowed().forbiddenPairs(traffic.pairs());
            paperForbidden += paper.allowed().forbiddenPairs(traffic.pairs());
            paperCyclic += DependencyCycle.find(paper.allowed()).length > 0 ? 1 : 0;
        }
        assertTrue(soundForbidden <= 1.01 * paperForbidden, soundForbidden + " and " + paperForbidden);
        assertTrue(paperCyclic > 0, "the paper's form had cycles in none of " + GRAPHS);
    }

    @Test
    void shouldDecideAsAPlainSearchDoesInThePapersForm()
    {
        for (int seed = 0; seed < 30; seed++)
        {
            final Random random = new Random(seed);
            final Fabric fabric = RandomFabrics.draw(random);
            final TurnTraffic traffic = RandomFabrics.randomTraffic(fabric, random);
            final int[] order = new TurnOrder(traffic).sorted(seed);
            final TurnPlan plan = TurnAddition.asInThePaper(seed).plan(traffic, order, "given");
            final TurnSet expected = new PlainTurnAddition(traffic.pairs()).decide(order);
            for (final int pair : order)
            {
                assertEquals(expected.allowsPair(traffic.pairs(), pair),
                    plan.allowed().allowsPair(traffic.pairs(), pair), "seed " + seed + " pair " + pair);
            }
        }
    }

    static Fabric counterexample()
    {
        final FabricBuilder builder = new FabricBuilder("counterexample");
        for (int node = 0; node < 7; node++)
        {
            builder.addSwitch(String.valueOf(node), Fabric.NO_GUID, -1);
            builder.addServer(node, "H" + node);
        }
        for (final int[] cable : RINGS_AND_PATH)
        {
            builder.addCable(cable[0], cable[1]);
        }
        return builder.build();
    }

    private static int[] order(final TurnPairs pairs)
    {
        final int[] order = new int[ORDER.length];
        for (int i = 0; i < order.length; i++)
        {
            order[i] = pair(pairs, ORDER[i]);
        }
        return order;
    }

    private static int pair(final TurnPairs pairs, final int[] turn)
    {
        return pairs.between(channel(pairs.fabric(), turn[1], turn[0]), channel(pairs.fabric(), turn[1], turn[2]));
    }

    private static int channel(final Fabric fabric, final int from, final int to)
    {
        int channel = fabric.firstChannel(from);
        while (fabric.target(channel) != to)
        {
            channel++;
        }
        return channel;
    }
}
