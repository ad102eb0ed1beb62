package org.fibnuma.fabric.proof;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.RandomNetwork;
import org.fibnuma.fabric.turns.TurnSet;
import org.jgrapht.alg.cycle.CycleDetector;
import org.jgrapht.graph.DefaultDirectedGraph;
import org.jgrapht.graph.DefaultEdge;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares the search for a cycle with that of JGraphT. */
class DependencyCycleTest
{
    @Test
    void shouldFindACycleExactlyWhereJGraphTDoes()
    {
        int cyclic = 0;
        for (int seed = 0; seed < 400; seed++)
        {
            final Random random = new Random(seed);
            final Fabric fabric = RandomNetwork.generate(6 + random.nextInt(20), 4, 1, random);
            final TurnSet turns = draw(fabric, random);
            final int[] cycle = DependencyCycle.find(turns);
            assertEquals(oracle(turns).detectCycles(), cycle.length > 0, "seed " + seed);
            for (int i = 0; i < cycle.length; i++)
            {
                assertTrue(turns.allows(cycle[i], cycle[(i + 1) % cycle.length]), "seed " + seed);
            }
            cyclic += cycle.length > 0 ? 1 : 0;
        }
        assertTrue(cyclic > 50 && cyclic < 350, cyclic + " of 400");
    }

    private static TurnSet draw(final Fabric fabric, final Random random)
    {
        final TurnSet turns = new TurnSet(fabric);
        final double share = 0.2 + 0.4 * random.nextDouble();
        for (int in = 0; in < fabric.channelCount(); in++)
        {
            final int node = fabric.target(in);
            for (int out = fabric.firstChannel(node); out < fabric.firstChannel(node + 1); out++)
            {
                if (random.nextDouble() < share && fabric.target(out) != fabric.source(in))
                {
                    turns.allow(in, out);
                }
            }
        }
        return turns;
    }

    private static CycleDetector<Integer, DefaultEdge> oracle(final TurnSet turns)
    {
        final Fabric fabric = turns.fabric();
        final DefaultDirectedGraph<Integer, DefaultEdge> graph = new DefaultDirectedGraph<>(DefaultEdge.class);
        for (int channel = 0; channel < fabric.channelCount(); channel++)
        {
            graph.addVertex(channel);
        }
        for (int in = 0; in < fabric.channelCount(); in++)
        {
            final int node = fabric.target(in);
            for (int out = fabric.firstChannel(node); out < fabric.firstChannel(node + 1); out++)
            {
                if (turns.allows(in, out))
                {
                    graph.addEdge(in, out);
                }
            }
        }
        return new CycleDetector<>(graph);
    }
}
