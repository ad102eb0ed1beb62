package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/** The paper's figure 16 with a simple search, as a reference. */
final class PlainTurnAddition
{
    private final TurnPairs pairs;
    private final Fabric fabric;
    private final TurnSet allowed;

    PlainTurnAddition(final TurnPairs pairs)
    {
        this.pairs = pairs;
        this.fabric = pairs.fabric();
        this.allowed = new TurnSet(fabric);
    }

    TurnSet decide(final int[] order)
    {
        for (final int pair : order)
        {
            if (!leads(pairs.high(pair), fabric.reverse(pairs.low(pair))))
            {
                allowed.allowPair(pairs, pair);
            }
        }
        return allowed;
    }

    private boolean leads(final int from, final int to)
    {
        final Set<Integer> reached = new HashSet<>(Set.of(from));
        final ArrayDeque<Integer> queue = new ArrayDeque<>(reached);
        while (!queue.isEmpty())
        {
            final int channel = queue.remove();
            if (channel == to)
            {
                return true;
            }
            final int node = fabric.target(channel);
            for (int next = fabric.firstChannel(node); next < fabric.firstChannel(node + 1); next++)
            {
                if (allowed.allows(channel, next) && reached.add(next))
                {
                    queue.add(next);
                }
            }
        }
        return false;
    }
}
