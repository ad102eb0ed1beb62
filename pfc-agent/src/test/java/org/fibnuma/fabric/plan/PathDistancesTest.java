package org.fibnuma.fabric.plan;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.FabricBuilder;
import org.fibnuma.fabric.topology.RandomNetwork;
import org.fibnuma.fabric.turns.TurnPairs;
import org.fibnuma.fabric.turns.TurnSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntPredicate;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Distances over random turns are compared with those of repeated relaxation of all turns. */
class PathDistancesTest
{
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldMeasureAsRelaxationOfAllTurns(final long seed)
    {
        final Random random = new Random(seed);
        check(RandomNetwork.generate(4 + random.nextInt(20), 3 + random.nextInt(4), 1, random), random);
    }

    /** A switch with 130 cables has three words of ports. */
    @Test
    void shouldMeasureThroughASwitchOfManyPorts()
    {
        final FabricBuilder builder = new FabricBuilder("star");
        for (int node = 0; node <= 130; node++)
        {
            builder.addServer(builder.addSwitch("S" + node, Fabric.NO_GUID, -1), "H" + node);
        }
        for (int node = 1; node <= 130; node++)
        {
            builder.addParallelCable(0, node);
        }
        for (int node = 1; node < 130; node += 3)
        {
            builder.addParallelCable(node, node + 1);
        }
        check(builder.build(), new Random(1));
    }

    private static void check(final Fabric fabric, final Random random)
    {
        final TurnSet turns = new TurnSet(fabric);
        final TurnPairs pairs = new TurnPairs(fabric);
        for (int pair = 0; pair < pairs.count(); pair++)
        {
            if (pairs.isTurn(pair) && random.nextInt(3) > 0)
            {
                turns.allowPair(pairs, pair);
            }
        }
        final PathDistances distances = new PathDistances(turns);
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            final int to = node;
            distances.measureTo(to);
            final int[] expected = relax(turns, channel -> fabric.target(channel) == to);
            compare(fabric, expected, distances);
            distances.findNearest();
            for (int from = 0; from < fabric.switchCount(); from++)
            {
                compareNearest(fabric, from, expected, distances);
            }
        }
        for (int channel = 0; channel < fabric.channelCount(); channel += 7)
        {
            final int last = channel;
            distances.measureToChannel(last);
            compare(fabric, relax(turns, other -> other == last), distances);
        }
    }

    private static void compare(final Fabric fabric, final int[] expected, final PathDistances distances)
    {
        for (int channel = 0; channel < fabric.channelCount(); channel++)
        {
            assertEquals(expected[channel], distances.of(channel));
        }
    }

    private static void compareNearest(
        final Fabric fabric, final int node, final int[] expected, final PathDistances distances)
    {
        int least = PathDistances.UNREACHABLE;
        for (int out = fabric.firstChannel(node); out < fabric.firstChannel(node + 1); out++)
        {
            least = Math.min(least, expected[out]);
        }
        assertEquals(least, distances.least(node));
        for (int out = fabric.firstChannel(node); out < fabric.firstChannel(node + 1); out++)
        {
            final int port = out - fabric.firstChannel(node);
            assertEquals(expected[out] == least ? 1 : 0, distances.nearestWord(node, port / 64) >>> port & 1);
        }
    }

    private static int[] relax(final TurnSet turns, final IntPredicate isLast)
    {
        final Fabric fabric = turns.fabric();
        final int[] distance = new int[fabric.channelCount()];
        Arrays.setAll(distance, channel -> isLast.test(channel) ? 1 : PathDistances.UNREACHABLE);
        boolean isChanged = true;
        while (isChanged)
        {
            isChanged = false;
            for (int in = 0; in < distance.length; in++)
            {
                final int node = fabric.target(in);
                for (int out = fabric.firstChannel(node); out < fabric.firstChannel(node + 1); out++)
                {
                    if (turns.allows(in, out) && distance[out] < PathDistances.UNREACHABLE &&
                        distance[out] + 1 < distance[in])
                    {
                        distance[in] = distance[out] + 1;
                        isChanged = true;
                    }
                }
            }
        }
        return distance;
    }
}
