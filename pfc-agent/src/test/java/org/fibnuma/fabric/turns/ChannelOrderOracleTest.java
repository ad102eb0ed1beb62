package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.plan.FatTreePaths;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinLevel;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.DirectedAcyclicGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares every accepted and rejected turn with JGraphT's acyclic graph. */
class ChannelOrderOracleTest
{
    @Test
    void shouldAgreeWithJGraphTOnRandomGraphs()
    {
        for (int seed = 0; seed < 60; seed++)
        {
            final Random random = new Random(seed);
            final Fabric fabric = RandomFabrics.draw(random);
            final TurnTraffic traffic = RandomFabrics.randomTraffic(fabric, random);
            compare(fabric, traffic, shuffledChannels(fabric, random), new TurnOrder(traffic).sorted(seed));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16})
    void shouldAgreeWithJGraphTOnJoinedFatTrees(final int ports)
    {
        final JoinedFatTrees trees = JoinedFatTrees.joined(ports, JoinLevel.MIDDLE);
        final TurnTraffic traffic = new FatTreePaths(trees).traffic(FatTreePaths.INSIDE_WEIGHT);
        final int[] initial = IntStream.range(0, trees.fabric().channelCount()).toArray();
        compare(trees.fabric(), traffic, initial, new TurnOrder(traffic).sorted(1));
    }

    private static int[] shuffledChannels(final Fabric fabric, final Random random)
    {
        final int[] channels = new int[fabric.channelCount()];
        for (int i = 0; i < channels.length; i++)
        {
            final int j = random.nextInt(i + 1);
            channels[i] = channels[j];
            channels[j] = i;
        }
        return channels;
    }

    private static void compare(
        final Fabric fabric, final TurnTraffic traffic, final int[] initial, final int[] order)
    {
        final ChannelOrder channels = new ChannelOrder(fabric, initial);
        final DirectedAcyclicGraph<Integer, DefaultEdge> oracle = new DirectedAcyclicGraph<>(DefaultEdge.class);
        for (int channel = 0; channel < fabric.channelCount(); channel++)
        {
            oracle.addVertex(channel);
        }
        int refused = 0;
        for (final int pair : order)
        {
            final int low = traffic.pairs().low(pair);
            final int high = traffic.pairs().high(pair);
            refused += agree(channels, oracle, fabric.reverse(low), high) ? 0 : 1;
            refused += agree(channels, oracle, fabric.reverse(high), low) ? 0 : 1;
        }
        assertTrue(refused > 0);
    }

    private static boolean agree(
        final ChannelOrder channels,
        final DirectedAcyclicGraph<Integer, DefaultEdge> oracle,
        final int in,
        final int out)
    {
        boolean expected = true;
        try
        {
            oracle.addEdge(in, out);
        }
        catch (final IllegalArgumentException cycle)
        {
            expected = false;
        }
        assertEquals(expected, channels.add(in, out), in + " -> " + out);
        return expected;
    }
}
