package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.plan.BalancedPaths;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.RandomNetwork;

import java.util.Random;

/** Random networks of 10 to 60 switches of degree 3 to 10, with traffic. */
final class RandomFabrics
{
    private RandomFabrics()
    {
    }

    static Fabric draw(final Random random)
    {
        return RandomNetwork.generate(10 + random.nextInt(51), 3 + random.nextInt(8), 1, random);
    }

    /** Random traffic of turns, not from routes, so that any order is possible, with many ties. */
    static TurnTraffic randomTraffic(final Fabric fabric, final Random random)
    {
        final TurnTraffic traffic = new TurnTraffic(new TurnPairs(fabric));
        for (int pair = 0; pair < traffic.pairs().count(); pair++)
        {
            traffic.set(pair, random.nextInt(8));
        }
        return traffic;
    }

    static TurnTraffic routedTraffic(final Fabric fabric)
    {
        final TurnTraffic traffic = BalancedPaths.unrestricted(fabric, Demand.uniform(fabric));
        return traffic;
    }
}
