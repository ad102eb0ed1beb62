package org.fibnuma.fabric.command;

import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.topology.TopologyReader;
import org.fibnuma.fabric.turns.TurnAddition;
import org.fibnuma.fabric.turns.TurnMethod;
import org.fibnuma.fabric.turns.TurnProhibition;
import org.fibnuma.fabric.turns.UpDown;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Plans that are made at the same time are those that each method makes alone. */
class MethodPlansTest
{
    private static final List<String> NAMES = List.of("turn-addition", "tp", "updown");

    private static List<TurnMethod> methods()
    {
        return List.of(TurnAddition.sound(1), new TurnProhibition(), new UpDown(new int[0]));
    }

    /** The last is a large network of joined trees, for which turn addition has a start of its own. */
    @ParameterizedTest
    @ValueSource(strings = {
        "fat-tree:k=4",
        "joined-fat-trees:k=4,join=middle",
        "random:switches=20,ports=4,servers=2,seed=3",
        "joined-fat-trees:k=14,join=middle"
    })
    void shouldPlanAsEachMethodAlone(final String topology) throws IOException
    {
        final Fabric fabric = TopologyReader.read(topology);
        final JoinedFatTrees trees = TopologyReader.fatTrees(topology);
        final Demand demand = Demand.uniform(fabric);
        final List<FabricPlan> plans = new MethodPlans(fabric, trees, demand, 1, 1).plan(NAMES, methods());
        for (int i = 0; i < NAMES.size(); i++)
        {
            final FabricPlan alone = new MethodPlans(fabric, trees, demand, 1, 1)
                .plan(NAMES.subList(i, i + 1), methods().subList(i, i + 1)).get(0);
            final FabricPlan plan = plans.get(i);
            assertEquals(NAMES.get(i), plan.result().get("method"));
            assertEquals(alone.throughput(), plan.throughput(), NAMES.get(i));
            assertEquals(alone.result().get("averageHops"), plan.result().get("averageHops"));
            for (int server = 0; server < fabric.serverCount(); server++)
            {
                for (int node = 0; node < fabric.switchCount(); node++)
                {
                    assertEquals(alone.tables().next(node, server), plan.tables().next(node, server));
                }
            }
        }
    }

    @Test
    void shouldThrowWhatAMethodThrows() throws IOException
    {
        final Fabric fabric = TopologyReader.read("fat-tree:k=4");
        final MethodPlans plans = new MethodPlans(fabric, null, Demand.uniform(fabric), 1, 1);
        final OutOfMemoryError full = new OutOfMemoryError("no heap in this test");
        final IllegalStateException damage = new IllegalStateException("no turns in this test");
        assertSame(full, assertThrows(OutOfMemoryError.class, () -> plans.plan(List.of("turn-addition", "tp"),
            List.of(TurnAddition.sound(1), traffic ->
            {
                throw full;
            }))));
        assertSame(damage, assertThrows(IllegalStateException.class, () -> plans.plan(List.of("updown"),
            List.of(traffic ->
            {
                throw damage;
            }))));
    }
}
