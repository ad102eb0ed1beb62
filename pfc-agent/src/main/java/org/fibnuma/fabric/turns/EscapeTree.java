package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * A tree that connects all switches with servers. Once all its turns are allowed, every server reaches every other.
 * Turns inside a tree never close a cycle.
 * <p>
 * Switches without servers are in it only if they are on a path: the others would allow unneeded turns, which would
 * prevent turns with much traffic.
 */
public final class EscapeTree
{
    private static final int NONE = -1;

    private final int root;
    private final int[] parent;

    /**
     * Creates a given tree.
     *
     * @param parent for each switch the channel to its parent; -1 for the root and for switches outside the tree.
     */
    public EscapeTree(final int root, final int[] parent)
    {
        this.root = root;
        this.parent = parent;
    }

    /**
     * Grows a tree from a root that prevents few turns with much traffic. The next switch is joined by a turn with
     * traffic if there is one, over one of the heaviest cables, by the heaviest turn, near the root. Traffic is
     * compared by powers of two, so that small differences do not outweigh the distance.
     *
     * @param traffic of turns and cables without forbidden turns.
     */
    public static EscapeTree grow(final TurnTraffic traffic, final int root)
    {
        final Fabric fabric = traffic.pairs().fabric();
        final int[] parent = new int[fabric.switchCount()];
        Arrays.fill(parent, NONE);
        final int[] depth = new int[fabric.switchCount()];
        final PriorityQueue<Growth> queue = new PriorityQueue<>();
        long sequence = offer(queue, traffic, root, NONE, 0, 0);
        int missing = fabric.switchesWithServers() - (fabric.serversAt(root) > 0 ? 1 : 0);
        while (missing > 0)
        {
            final int down = queue.remove().channel;
            final int node = fabric.target(down);
            if (node != root && parent[node] == NONE)
            {
                parent[node] = fabric.reverse(down);
                depth[node] = depth[fabric.source(down)] + 1;
                sequence = offer(queue, traffic, node, parent[node], depth[node], sequence);
                missing -= fabric.serversAt(node) > 0 ? 1 : 0;
            }
        }
        prune(fabric, parent);
        return new EscapeTree(root, parent);
    }

    private static void prune(final Fabric fabric, final int[] parent)
    {
        final int[] children = new int[parent.length];
        for (final int up : parent)
        {
            if (up != NONE)
            {
                children[fabric.target(up)]++;
            }
        }
        for (int leaf = 0; leaf < parent.length; leaf++)
        {
            int node = leaf;
            while (parent[node] != NONE && children[node] == 0 && fabric.serversAt(node) == 0)
            {
                final int up = fabric.target(parent[node]);
                parent[node] = NONE;
                children[up]--;
                node = up;
            }
        }
    }

    private static long offer(
        final PriorityQueue<Growth> queue,
        final TurnTraffic traffic,
        final int node,
        final int toParent,
        final int depth,
        final long sequence)
    {
        final Fabric fabric = traffic.pairs().fabric();
        long number = sequence;
        for (int down = fabric.firstChannel(node); down < fabric.firstChannel(node + 1); down++)
        {
            final long cable = traffic.ofCable(down);
            final long turn = toParent == NONE ? cable :
                toParent == down ? 0 : traffic.of(traffic.pairs().between(toParent, down));
            queue.add(new Growth(Long.numberOfLeadingZeros(cable), Long.numberOfLeadingZeros(turn), depth,
                number++, down));
        }
        return number;
    }

    /** {@return the root switch} */
    public int root()
    {
        return root;
    }

    /** {@return the channel from a switch to its parent; -1 for the root and for switches outside the tree} */
    public int parent(final int node)
    {
        return parent[node];
    }

    private record Growth(int cableLightness, int turnLightness, int depth, long sequence, int channel)
        implements Comparable<Growth>
    {
        @Override
        public int compareTo(final Growth other)
        {
            int order = Boolean.compare(turnLightness == Long.SIZE, other.turnLightness == Long.SIZE);
            order = order == 0 ? Integer.compare(cableLightness, other.cableLightness) : order;
            order = order == 0 ? Integer.compare(turnLightness, other.turnLightness) : order;
            order = order == 0 ? Integer.compare(depth, other.depth) : order;
            return order == 0 ? Long.compare(sequence, other.sequence) : order;
        }
    }
}
