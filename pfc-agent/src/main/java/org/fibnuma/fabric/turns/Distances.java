package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;

/** Hops between switches over any turns. */
final class Distances
{
    private Distances()
    {
    }

    static int[] from(final Fabric fabric, final int root)
    {
        final int[] distance = new int[fabric.switchCount()];
        measure(fabric, root, distance, new int[fabric.switchCount()]);
        return distance;
    }

    static void measure(final Fabric fabric, final int root, final int[] distance, final int[] queue)
    {
        Arrays.fill(distance, -1);
        distance[root] = 0;
        queue[0] = root;
        int tail = 1;
        for (int head = 0; head < tail; head++)
        {
            final int node = queue[head];
            for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
            {
                final int neighbor = fabric.target(channel);
                if (distance[neighbor] < 0)
                {
                    distance[neighbor] = distance[node] + 1;
                    queue[tail++] = neighbor;
                }
            }
        }
    }
}
