package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;

/** Finds the switches without which the rest is not connected (Tarjan's articulation points, without recursion). */
final class CutSwitches
{
    private final Fabric fabric;
    private final int[] number;
    private final int[] lowest;
    private final int[] parent;
    private final int[] cursor;
    private final boolean[] cut;

    CutSwitches(final Fabric fabric)
    {
        this.fabric = fabric;
        this.number = new int[fabric.switchCount()];
        this.lowest = new int[fabric.switchCount()];
        this.parent = new int[fabric.switchCount()];
        this.cursor = new int[fabric.switchCount()];
        this.cut = new boolean[fabric.switchCount()];
    }

    /**
     * Finds the articulation points of the network without the removed switches, which must be connected.
     *
     * @return for each switch whether it is one; overwritten by the next call.
     */
    boolean[] find(final boolean[] removed)
    {
        Arrays.fill(number, 0);
        Arrays.fill(cut, false);
        int root = 0;
        while (root < removed.length && removed[root])
        {
            root++;
        }
        if (root < removed.length)
        {
            walk(root, removed);
        }
        return cut;
    }

    private void walk(final int root, final boolean[] removed)
    {
        int clock = enter(root, root, 0);
        int children = 0;
        int node = root;
        while (true)
        {
            if (cursor[node] == fabric.firstChannel(node + 1))
            {
                if (node == root)
                {
                    break;
                }
                final int up = parent[node];
                lowest[up] = Math.min(lowest[up], lowest[node]);
                cut[up] |= up != root && lowest[node] >= number[up];
                node = up;
                continue;
            }
            final int neighbor = fabric.target(cursor[node]++);
            if (removed[neighbor])
            {
                continue;
            }
            if (number[neighbor] != 0)
            {
                lowest[node] = Math.min(lowest[node], number[neighbor]);
                continue;
            }
            children += node == root ? 1 : 0;
            clock = enter(neighbor, node, clock);
            node = neighbor;
        }
        cut[root] = children > 1;
    }

    private int enter(final int node, final int from, final int clock)
    {
        parent[node] = from;
        cursor[node] = fabric.firstChannel(node);
        number[node] = clock + 1;
        lowest[node] = clock + 1;
        return clock + 1;
    }
}
