package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;

/**
 * Up*&#47;Down*: with distances from a root, a turn that comes down and goes up again is forbidden. Between switches at
 * one distance, the lower number is up (section 2.3.1 of Nakashima et al.). Every candidate is tried as the root. The
 * root whose forbidden turns have the least traffic is used (section 5.1).
 */
public final class UpDown implements TurnMethod
{
    private final int[] candidates;

    /** Tries every switch as the root. */
    public UpDown()
    {
        this(new int[0]);
    }

    /** Tries some switches as the root; all if there are none. */
    public UpDown(final int[] candidates)
    {
        this.candidates = candidates.clone();
    }

    @Override
    public TurnPlan plan(final TurnTraffic traffic)
    {
        final Fabric fabric = traffic.pairs().fabric();
        int[] best = null;
        int bestRoot = -1;
        long bestForbidden = Long.MAX_VALUE;
        for (int i = 0; i < (candidates.length == 0 ? fabric.switchCount() : candidates.length); i++)
        {
            final int root = candidates.length == 0 ? i : candidates[i];
            final int[] distance = fabric.distancesFrom(root);
            final long forbidden = forbiddenTraffic(traffic, distance, bestForbidden);
            if (forbidden < bestForbidden)
            {
                bestForbidden = forbidden;
                bestRoot = root;
                best = distance;
            }
        }
        return new TurnPlan(allowed(traffic.pairs(), best), tree(fabric, bestRoot, best),
            "root " + fabric.switchName(bestRoot) + ", whose forbidden turns would have traffic " + bestForbidden);
    }

    private static boolean isUp(final Fabric fabric, final int channel, final int[] distance)
    {
        final int from = fabric.source(channel);
        final int to = fabric.target(channel);
        return distance[to] < distance[from] || distance[to] == distance[from] && to < from;
    }

    private static long forbiddenTraffic(final TurnTraffic traffic, final int[] distance, final long enough)
    {
        final TurnPairs pairs = traffic.pairs();
        final Fabric fabric = pairs.fabric();
        long sum = 0;
        for (int node = 0; node < fabric.switchCount() && sum < enough; node++)
        {
            final int end = fabric.firstChannel(node + 1);
            for (int a = fabric.firstChannel(node); a < end; a++)
            {
                if (isUp(fabric, a, distance))
                {
                    for (int b = a + 1; b < end; b++)
                    {
                        sum += isUp(fabric, b, distance) ? traffic.of(pairs.between(a, b)) : 0;
                    }
                }
            }
        }
        return sum;
    }

    private static TurnSet allowed(final TurnPairs pairs, final int[] distance)
    {
        final Fabric fabric = pairs.fabric();
        final TurnSet allowed = new TurnSet(fabric);
        for (int pair = 0; pair < pairs.count(); pair++)
        {
            if (pairs.isTurn(pair) &&
                !(isUp(fabric, pairs.low(pair), distance) && isUp(fabric, pairs.high(pair), distance)))
            {
                allowed.allowPair(pairs, pair);
            }
        }
        return allowed;
    }

    private static EscapeTree tree(final Fabric fabric, final int root, final int[] distance)
    {
        final int[] parent = new int[fabric.switchCount()];
        Arrays.fill(parent, -1);
        for (int channel = 0; channel < fabric.channelCount(); channel++)
        {
            if (distance[fabric.target(channel)] < distance[fabric.source(channel)])
            {
                parent[fabric.source(channel)] = channel;
            }
        }
        return new EscapeTree(root, parent);
    }
}
