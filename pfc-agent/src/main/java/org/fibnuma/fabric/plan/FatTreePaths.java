package org.fibnuma.fabric.plan;

import org.fibnuma.fabric.topology.JoinLevel;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.turns.PathVisitor;
import org.fibnuma.fabric.turns.TurnPairs;
import org.fibnuma.fabric.turns.TurnTraffic;

/**
 * The usual routing of fat trees, without forbidden turns (section 4.1.2 of the paper). Inside a tree, roots are
 * assigned to destination servers in rotation. Between trees, each pair has one path, assigned so that every joining
 * cable has the same load, and so has every path to it from above and below.
 * <p>
 * All servers of the switch where a path begins share it, so it is passed once for all of them. Parameters:
 * {@code tree} is 0 or 1, {@code from} and {@code to} are indexes of bottom switches, {@code server} is the index of a
 * server in its tree.
 */
public final class FatTreePaths
{
    /** Demand between two servers of one tree; the demand between trees is 1. */
    public static final long INSIDE_WEIGHT = 100;
    /** Demand between two servers of one tree if traffic inside the trees precedes all traffic between them. */
    public static final long INSIDE_FIRST = 1_000_000;
    /** Length of the longest path: up, across and down, with joining cables at the bottom. */
    public static final int MAX_LENGTH = 9;

    private final JoinedFatTrees trees;
    private final int half;
    private final int[] path = new int[MAX_LENGTH];
    private int length;

    /** Prepares the paths of one or two trees. */
    public FatTreePaths(final JoinedFatTrees trees)
    {
        this.trees = trees;
        this.half = trees.half();
    }

    /** {@return the traffic of all turns, with a demand between servers of one tree; between trees it is 1} */
    public TurnTraffic traffic(final long insideWeight)
    {
        final TurnTraffic traffic = new TurnTraffic(new TurnPairs(trees.fabric()));
        for (int tree = 0; tree < trees.trees(); tree++)
        {
            inside(tree, insideWeight, traffic);
        }
        for (int tree = 0; tree < trees.trees() && trees.trees() == 2; tree++)
        {
            between(tree, traffic);
        }
        return traffic;
    }

    private void inside(final int tree, final long weight, final PathVisitor visitor)
    {
        for (int from = 0; from < trees.bottomsPerTree(); from++)
        {
            for (int server = 0; server < trees.serversPerTree(); server++)
            {
                if (server / half != from)
                {
                    length = 0;
                    inside(tree, from, server);
                    visitor.onPath(path, length, weight * half);
                }
            }
        }
    }

    private void between(final int tree, final PathVisitor visitor)
    {
        for (int from = 0; from < trees.bottomsPerTree(); from++)
        {
            for (int server = 0; server < trees.serversPerTree(); server++)
            {
                length = 0;
                between(tree, from, server);
                visitor.onPath(path, length, half);
            }
        }
    }

    /**
     * Computes a path to a server of another switch inside a tree.
     *
     * @param channels receives the path.
     * @return its length.
     */
    public int inside(final int tree, final int from, final int server, final int[] channels)
    {
        length = 0;
        inside(tree, from, server);
        System.arraycopy(path, 0, channels, 0, length);
        return length;
    }

    private void inside(final int tree, final int from, final int server)
    {
        across(tree, from, server / half, server % half, server / half % half);
    }

    /**
     * Computes a path to another switch inside a tree through a given root.
     *
     * @param group    of the root.
     * @param root     in the group; unused inside a pod.
     * @param channels receives the path.
     * @return its length.
     */
    public int across(
        final int tree, final int from, final int to, final int group, final int root, final int[] channels)
    {
        length = 0;
        across(tree, from, to, group, root);
        System.arraycopy(path, 0, channels, 0, length);
        return length;
    }

    /** Appends a path between bottom switches of one tree by a group and, between pods, a root of the group. */
    private void across(final int tree, final int from, final int to, final int group, final int root)
    {
        climb(tree, from, group);
        if (from / half != to / half)
        {
            changePod(tree, from / half, to / half, group, root);
        }
        descend(tree, to, group);
    }

    private void climb(final int tree, final int from, final int group)
    {
        path[length++] = trees.upFromBottom(trees.bottom(tree, from), group);
    }

    private void descend(final int tree, final int to, final int group)
    {
        path[length++] = trees.fabric().reverse(trees.upFromBottom(trees.bottom(tree, to), group));
    }

    private void changePod(final int tree, final int fromPod, final int toPod, final int group, final int root)
    {
        path[length++] = trees.upFromMiddle(trees.middle(tree, fromPod, group), root);
        path[length++] = trees.fabric().reverse(trees.upFromMiddle(trees.middle(tree, toPod, group), root));
    }

    /** {@return the joining cable from a bottom switch of one tree to a server of the other} */
    public int cable(final int from, final int server)
    {
        return (from + server) % trees.crossCables();
    }

    private void between(final int tree, final int from, final int server)
    {
        // The n-th server that a switch reaches over one cable uses the n-th root. In the other tree this holds for the
        // switches that reach one server. So all turns onto a cable from above have the same traffic.
        final int cable = cable(from, server);
        final int rootHere = server / trees.crossCables() % half;
        final int rootThere = server % half;
        final int to = server / half;
        if (trees.join() == JoinLevel.TOP || trees.join() == JoinLevel.TOP_BUT_ONE)
        {
            overTop(tree, from, to, cable);
        }
        else if (trees.join() == JoinLevel.MIDDLE)
        {
            overMiddle(tree, from, to, cable, rootHere, rootThere);
        }
        else
        {
            overBottom(tree, from, to, cable, rootHere, rootThere);
        }
    }

    private void overTop(final int tree, final int from, final int to, final int cable)
    {
        final int group = cable / half;
        final int root = cable % half;
        climb(tree, from, group);
        path[length++] = trees.upFromMiddle(trees.middle(tree, from / half, group), root);
        cross(tree, cable);
        path[length++] = trees.fabric().reverse(
            trees.upFromMiddle(trees.middle(1 - tree, to / half, group), root));
        descend(1 - tree, to, group);
    }

    /**
     * Appends a path over a cable in the middle: groups (g, h) are joined in pod h of the first tree and pod g of the
     * second.
     */
    private void overMiddle(
        final int tree, final int from, final int to, final int cable, final int rootHere, final int rootThere)
    {
        final int groupHere = tree == 0 ? cable / half : cable % half;
        final int groupThere = tree == 0 ? cable % half : cable / half;
        climb(tree, from, groupHere);
        if (from / half != groupThere)
        {
            changePod(tree, from / half, groupThere, groupHere, rootHere);
        }
        cross(tree, cable);
        if (to / half != groupHere)
        {
            changePod(1 - tree, groupHere, to / half, groupThere, rootThere);
        }
        descend(1 - tree, to, groupThere);
    }

    private void overBottom(
        final int tree, final int from, final int to, final int cable, final int rootHere, final int rootThere)
    {
        if (from != cable)
        {
            across(tree, from, cable, rootHere, rootThere);
        }
        cross(tree, cable);
        if (to != cable)
        {
            across(1 - tree, cable, to, rootThere, rootHere);
        }
    }

    private void cross(final int tree, final int cable)
    {
        final int channel = trees.crossChannel(cable);
        path[length++] = tree == 0 ? channel : trees.fabric().reverse(channel);
    }
}
