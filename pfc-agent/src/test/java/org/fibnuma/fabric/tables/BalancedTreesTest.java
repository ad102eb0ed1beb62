package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.plan.BalancedPaths;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinLevel;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.topology.RandomNetwork;
import org.fibnuma.fabric.turns.TurnAddition;
import org.fibnuma.fabric.turns.TurnMethod;
import org.fibnuma.fabric.turns.TurnPlan;
import org.fibnuma.fabric.turns.TurnProhibition;
import org.fibnuma.fabric.turns.TurnSet;
import org.fibnuma.fabric.turns.UpDown;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Trees are compared with those of a slow form, and tables of a large network are proved. */
class BalancedTreesTest
{
    private static final List<TurnMethod> METHODS =
        List.of(new TurnProhibition(), new UpDown(), TurnAddition.sound(1));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldBeTheTreesOfASlowSearch(final long seed)
    {
        final Random random = new Random(seed);
        final Fabric fabric = seed == 1 ? JoinedFatTrees.joined(4, JoinLevel.MIDDLE).fabric() :
            RandomNetwork.generate(5 + random.nextInt(25), 3 + random.nextInt(4), 1 + random.nextInt(3), random);
        final Demand demand = Demand.uniform(fabric);
        for (final TurnMethod method : METHODS)
        {
            final TurnPlan plan = plan(method, fabric, demand);
            for (int rounds = 1; rounds <= 3; rounds++)
            {
                final BalancedTrees trees = new BalancedTrees(plan, demand);
                final ForwardingTables tables = trees.grow(rounds);
                final int[][] expected = slowTrees(plan, demand, rounds);
                final TableWalk walk = TableWalk.of(tables, demand);
                for (int server = 0; server < fabric.serverCount() && trees.escapedServers() == 0; server++)
                {
                    for (int node = 0; node < fabric.switchCount(); node++)
                    {
                        assertEquals(expected[server][node], tables.next(node, server));
                    }
                }
                assertTrue(RoutingProof.of(walk).holds());
                assertTrue(plan.allowed().containsAll(walk.used(0)));
                assertEquals(walk.loads().max(), Arrays.stream(trees.loads()).max().orElse(0));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tp", "updown"})
    void shouldProveTablesOfALargeNetwork(final String method)
    {
        final JoinedFatTrees trees = JoinedFatTrees.joined(14, JoinLevel.MIDDLE);
        final Fabric fabric = trees.fabric();
        final Demand demand = Demand.uniform(fabric);
        assertTrue(BalancedPaths.isLarge(fabric));
        final TurnPlan plan = plan(METHODS.get(method.equals("tp") ? 0 : 1), fabric, demand);
        final DestinationRoutes routes = new DestinationRoutes(plan, demand).make();
        final TableWalk walk = TableWalk.of(routes.tables(), demand);
        assertTrue(RoutingProof.of(walk).holds());
        assertTrue(plan.allowed().containsAll(walk.used(0)));
        // All pairs of both trees share the joining cables.
        final long least = (long)trees.serversPerTree() * trees.serversPerTree() / trees.crossCables();
        assertTrue(walk.loads().max() >= least && walk.loads().max() <= 3 * least, walk.loads().max() + " " + least);
        final long paths = routes.pathLoads().max();
        assertTrue(paths >= least && paths <= 3 * least, paths + " " + least);
        final long demands = (long)fabric.serverCount() * (fabric.serverCount() - trees.half());
        long entering = 0;
        for (int channel = 0; channel < fabric.channelCount(); channel++)
        {
            entering += fabric.level(fabric.source(channel)) == 0 ? walk.loads().of(channel) : 0;
        }
        assertTrue(entering >= demands, entering + " " + demands);
    }

    @Test
    void shouldFollowTheLevelsOfALargeFatTree()
    {
        final Fabric large = JoinedFatTrees.single(18).fabric();
        assertTrue(BalancedPaths.isLarge(large));
        final DestinationRoutes routes =
            new DestinationRoutes(plan(new UpDown(), large, Demand.uniform(large)), Demand.uniform(large)).make();
        assertTrue(routes.isFatTree());
        // Servers outside the switch, one for each uplink: 18^3/4 - 18/2.
        assertEquals(1449, TableWalk.of(routes.tables(), Demand.uniform(large)).loads().max());
    }

    private static TurnPlan plan(final TurnMethod method, final Fabric fabric, final Demand demand)
    {
        return method.plan(BalancedPaths.unrestricted(fabric, demand));
    }

    /** Grows each tree by looking at all channels for each level, and adds up loads path by path. */
    private static int[][] slowTrees(final TurnPlan plan, final Demand demand, final int rounds)
    {
        final Fabric fabric = plan.allowed().fabric();
        final int[][] next = new int[fabric.serverCount()][];
        final long[] load = new long[fabric.channelCount()];
        for (int round = 0; round < rounds; round++)
        {
            for (int server = 0; server < next.length; server++)
            {
                addLoad(fabric, next[server], server, demand, load, -1);
                next[server] = slowTree(plan.allowed(), fabric.serverSwitch(server), load);
                addLoad(fabric, next[server], server, demand, load, 1);
            }
        }
        return next;
    }

    private static int[] slowTree(final TurnSet allowed, final int destination, final long[] load)
    {
        final Fabric fabric = allowed.fabric();
        final int[] next = new int[fabric.switchCount()];
        final int[] level = new int[fabric.switchCount()];
        Arrays.fill(next, ForwardingTables.NONE);
        Arrays.fill(level, Integer.MAX_VALUE);
        level[destination] = 0;
        // On ties the switch that joined first wins, and the lower port of it.
        int[] joined = {destination};
        for (int depth = 0; depth < fabric.switchCount(); depth++)
        {
            int[] joining = new int[0];
            for (final int node : joined)
            {
                for (int back = fabric.firstChannel(node); back < fabric.firstChannel(node + 1); back++)
                {
                    final int in = fabric.reverse(back);
                    final int child = fabric.target(back);
                    if (level[child] <= depth || node != destination && !allowed.allows(in, next[node]))
                    {
                        continue;
                    }
                    if (level[child] == Integer.MAX_VALUE)
                    {
                        level[child] = depth + 1;
                        joining = Arrays.copyOf(joining, joining.length + 1);
                        joining[joining.length - 1] = child;
                        next[child] = in;
                    }
                    else if (cost(fabric, next, load, in, destination) <
                        cost(fabric, next, load, next[child], destination))
                    {
                        next[child] = in;
                    }
                }
            }
            joined = joining;
        }
        return next;
    }

    /** Adds from the destination on, as the sums of floating point numbers depend on their order. */
    private static double cost(
        final Fabric fabric, final int[] next, final long[] load, final int in, final int destination)
    {
        final int node = fabric.target(in);
        final double rest = node == destination ? 0 : cost(fabric, next, load, next[node], destination);
        final double square = (load[in] + 1.0) * (load[in] + 1.0);
        return rest + square * square;
    }

    private static void addLoad(
        final Fabric fabric,
        final int[] next,
        final int server,
        final Demand demand,
        final long[] load,
        final int sign)
    {
        for (int from = 0; from < fabric.switchCount() && next != null; from++)
        {
            int node = from;
            while (fabric.serversAt(from) > 0 && node != fabric.serverSwitch(server) && next[node] >= 0)
            {
                load[next[node]] += sign * demand.between(from, server);
                node = fabric.target(next[node]);
            }
        }
    }
}
