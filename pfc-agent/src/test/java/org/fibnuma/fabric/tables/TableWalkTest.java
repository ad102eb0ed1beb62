package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.RandomNetwork;
import org.fibnuma.fabric.turns.TurnSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A walk through random tables is compared with one that follows each pair of a switch and a server hop by hop. */
class TableWalkTest
{
    /** Random entries loop in most tables; entries that point to a nearer switch never do, even if some are missing. */
    @ParameterizedTest
    @CsvSource({"1, 1, 0", "2, 3, 0", "3, 1, 10", "4, 2, 10", "5, 1, 100", "6, 3, 100", "7, 8, 30", "8, 1, 3"})
    void shouldFindWhatFollowingEachPathFinds(final long seed, final int laneCount, final int wrongPercent)
    {
        final Random random = new Random(seed);
        for (int i = 0; i < 20; i++)
        {
            final Fabric fabric = RandomNetwork.generate(3 + random.nextInt(20), 2 + random.nextInt(4),
                1 + random.nextInt(3), random);
            final Lanes lanes =
                new Lanes(laneCount, random.ints(fabric.switchCount(), 0, laneCount).toArray());
            check(fabric, draw(fabric, wrongPercent, random), lanes, demand(fabric, random));
        }
    }

    private static void check(
        final Fabric fabric, final ForwardingTables tables, final Lanes lanes, final Demand demand)
    {
        final TurnSet[] used = new TurnSet[lanes.count()];
        Arrays.setAll(used, lane -> new TurnSet(fabric));
        final long[] load = new long[fabric.channelCount()];
        long unreachable = 0;
        long hops = 0;
        long weight = 0;
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            for (int from = 0; from < fabric.switchCount(); from++)
            {
                if (from == fabric.serverSwitch(server) || fabric.serversAt(from) == 0)
                {
                    continue;
                }
                final int[] path = path(tables, from, server, used[lanes.of(from)]);
                if (path == null)
                {
                    unreachable += fabric.serversAt(from);
                    continue;
                }
                for (final int channel : path)
                {
                    load[channel] += demand.between(from, server);
                }
                hops += path.length * demand.between(from, server);
                weight += demand.between(from, server);
            }
        }
        final TableWalk walk = TableWalk.of(tables, lanes, demand);
        assertEquals(unreachable, walk.unreachablePairs());
        for (int channel = 0; channel < load.length; channel++)
        {
            assertEquals(load[channel], walk.loads().of(channel));
        }
        assertEquals(weight == 0 ? 0 : (double)hops / weight, walk.loads().averageHops(), 1e-9);
        for (int lane = 0; lane < lanes.count(); lane++)
        {
            assertTrue(used[lane].containsAll(walk.used(lane)) && walk.used(lane).containsAll(used[lane]));
        }
    }

    /** Returns the channels to a server, or null if it is not reached; adds all turns on the way. */
    private static int[] path(
        final ForwardingTables tables, final int from, final int server, final TurnSet used)
    {
        final Fabric fabric = tables.fabric();
        int[] path = new int[0];
        int node = from;
        while (node != fabric.serverSwitch(server))
        {
            final int out = tables.next(node, server);
            if (out != ForwardingTables.NONE && path.length > 0)
            {
                used.allow(path[path.length - 1], out);
            }
            if (out == ForwardingTables.NONE || path.length > 2 * fabric.switchCount())
            {
                return null;
            }
            path = Arrays.copyOf(path, path.length + 1);
            path[path.length - 1] = out;
            node = fabric.target(out);
        }
        return path;
    }

    private static ForwardingTables draw(final Fabric fabric, final int wrongPercent, final Random random)
    {
        final ForwardingTables tables = new ForwardingTables(fabric);
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            final int[] distance = distances(fabric, fabric.serverSwitch(server));
            for (int node = 0; node < fabric.switchCount(); node++)
            {
                final int any = fabric.firstChannel(node) + random.nextInt(fabric.degree(node));
                int nearer = ForwardingTables.NONE;
                for (int out = fabric.firstChannel(node); out < fabric.firstChannel(node + 1); out++)
                {
                    nearer = distance[fabric.target(out)] < distance[node] && (nearer < 0 || random.nextBoolean()) ?
                        out : nearer;
                }
                final boolean isWrong = random.nextInt(100) < wrongPercent;
                tables.set(node, server, !isWrong ? nearer : random.nextInt(3) == 0 ? ForwardingTables.NONE : any);
            }
        }
        return tables;
    }

    private static int[] distances(final Fabric fabric, final int to)
    {
        final int[] distance = new int[fabric.switchCount()];
        Arrays.fill(distance, fabric.switchCount());
        distance[to] = 0;
        for (int round = 0; round < distance.length; round++)
        {
            for (int channel = 0; channel < fabric.channelCount(); channel++)
            {
                distance[fabric.source(channel)] =
                    Math.min(distance[fabric.source(channel)], distance[fabric.target(channel)] + 1);
            }
        }
        return distance;
    }

    private static Demand demand(final Fabric fabric, final Random random)
    {
        final int[][] amounts = new int[fabric.switchCount()][];
        Arrays.setAll(amounts, node -> random.ints(fabric.serverCount(), 0, 5).toArray());
        return new Demand()
        {
            @Override
            public long between(final int fromSwitch, final int toServer)
            {
                return amounts[fromSwitch][toServer];
            }

            @Override
            public long busiestServer()
            {
                return 1;
            }
        };
    }
}
