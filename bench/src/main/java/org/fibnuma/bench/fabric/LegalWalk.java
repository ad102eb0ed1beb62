package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.plan.LinkLoads;
import org.fibnuma.fabric.plan.PathDistances;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.TurnSet;

import java.util.function.IntUnaryOperator;

/**
 * Builds one path over allowed turns and adds it to the loads. Each step takes the least loaded channel that is nearer
 * to the destination.
 */
final class LegalWalk
{
    private final Fabric fabric;
    private final TurnSet turns;
    private final LinkLoads loads;
    private final int[] path;
    private int length;

    LegalWalk(final TurnSet turns, final LinkLoads loads)
    {
        this.turns = turns;
        this.fabric = turns.fabric();
        this.loads = loads;
        this.path = new int[fabric.channelCount()];
    }

    void clear()
    {
        length = 0;
    }

    /** Extends the path from a switch to where the distance is 1. */
    void leave(final int node, final IntUnaryOperator distance)
    {
        int least = PathDistances.UNREACHABLE;
        int best = -1;
        for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
        {
            final int far = distance.applyAsInt(channel);
            if (far < least || far == least && best >= 0 && loads.of(channel) < loads.of(best))
            {
                least = far;
                best = channel;
            }
        }
        path[length++] = best;
        follow(distance);
    }

    /** Extends the path from its last channel, whose distance is known, to where the distance is 1. */
    void follow(final IntUnaryOperator distance)
    {
        int channel = path[length - 1];
        for (int left = distance.applyAsInt(channel) - 1; left > 0; left--)
        {
            final int node = fabric.target(channel);
            int best = -1;
            for (int next = fabric.firstChannel(node); next < fabric.firstChannel(node + 1); next++)
            {
                if (distance.applyAsInt(next) == left && turns.allows(channel, next) &&
                    (best < 0 || loads.of(next) < loads.of(best)))
                {
                    best = next;
                }
            }
            channel = best;
            path[length++] = best;
        }
    }

    void finish(final long weight)
    {
        loads.onPath(path, length, weight);
    }
}
