package org.fibnuma.fabric.topology;

import org.fibnuma.core.UserException;

import java.util.Arrays;

/**
 * One or two 3-level fat trees of switches with k ports.
 * <p>
 * With h = k/2, a tree has k pods of h bottom and h middle switches, h groups of h top switches, and h servers at each
 * bottom switch. These are k^3/4 servers on 5k^2/4 switches. Middle switch {@code (pod, group)} is connected to every
 * bottom switch of its pod and every top switch of its group. A joining cable uses an additional port. In the middle,
 * group g of the first tree, in pod h', is joined with group h' of the second, in pod g. Half of the middle switches
 * have a joining cable, which matches table 2 of the paper.
 * <p>
 * Parameters: {@code tree} is 0 or 1, {@code pod} 0 to k - 1, {@code group} 0 to h - 1, {@code cable} 0 to
 * {@link #crossCables()} - 1. Switches and channels are numbers of {@link #fabric()}.
 */
public final class JoinedFatTrees
{
    /** The level of the switches with servers. */
    public static final int BOTTOM_LEVEL = 0;
    /** The level of the middle switches. */
    public static final int MIDDLE_LEVEL = 1;
    /** The level of the root switches. */
    public static final int TOP_LEVEL = 2;

    private final int half;
    private final int trees;
    private final JoinLevel join;
    private final Fabric fabric;
    private final int[] crossChannels;

    private JoinedFatTrees(final int ports, final int trees, final JoinLevel join)
    {
        if (ports < 4 || ports > 64 || ports % 2 != 0)
        {
            throw UserException.usage("fat tree: " + ports + " ports per switch; use an even number from 4 to 64");
        }
        this.half = ports / 2;
        this.trees = trees;
        this.join = join;
        final FabricBuilder builder = new FabricBuilder(trees + " fat trees of " + ports + "-port switches");
        for (int tree = 0; tree < trees; tree++)
        {
            addSwitches(builder, tree);
        }
        for (int tree = 0; tree < trees; tree++)
        {
            addCables(builder, tree);
        }
        for (int cable = 0; cable < crossCables(); cable++)
        {
            builder.addParallelCable(crossEnd(0, cable), crossEnd(1, cable));
        }
        for (int tree = 0; tree < trees; tree++)
        {
            for (int server = 0; server < serversPerTree(); server++)
            {
                builder.addServer(bottom(tree, server / half), "T" + tree + "H" + server);
            }
        }
        this.fabric = builder.build();
        // The joining cable is the last one of its switch.
        this.crossChannels = new int[crossCables()];
        Arrays.setAll(crossChannels, cable -> fabric.firstChannel(crossEnd(0, cable) + 1) - 1);
    }

    /**
     * Creates one tree.
     *
     * @param ports ports of a switch (k), an even number from 4 to 64.
     * @throws UserException for another number of ports.
     */
    public static JoinedFatTrees single(final int ports)
    {
        return new JoinedFatTrees(ports, 1, null);
    }

    /**
     * Creates two joined trees.
     *
     * @param ports ports of a switch (k) without the joining one, an even number from 4 to 64.
     * @throws UserException for another number of ports.
     */
    public static JoinedFatTrees joined(final int ports, final JoinLevel join)
    {
        return new JoinedFatTrees(ports, 2, join);
    }

    private void addSwitches(final FabricBuilder builder, final int tree)
    {
        for (int i = 0; i < bottomsPerTree(); i++)
        {
            builder.addSwitch("T" + tree + "B" + i / half + "." + i % half, Fabric.NO_GUID, BOTTOM_LEVEL);
        }
        for (int i = 0; i < bottomsPerTree(); i++)
        {
            builder.addSwitch("T" + tree + "M" + i / half + "." + i % half, Fabric.NO_GUID, MIDDLE_LEVEL);
        }
        for (int i = 0; i < half * half; i++)
        {
            builder.addSwitch("T" + tree + "R" + i / half + "." + i % half, Fabric.NO_GUID, TOP_LEVEL);
        }
    }

    private void addCables(final FabricBuilder builder, final int tree)
    {
        for (int bottom = 0; bottom < bottomsPerTree(); bottom++)
        {
            for (int group = 0; group < half; group++)
            {
                builder.addParallelCable(bottom(tree, bottom), middle(tree, bottom / half, group));
            }
        }
        for (int pod = 0; pod < pods(); pod++)
        {
            for (int root = 0; root < half * half; root++)
            {
                builder.addParallelCable(middle(tree, pod, root / half), top(tree, root / half, root % half));
            }
        }
    }

    /** {@return the network with all servers and joining cables} */
    public Fabric fabric()
    {
        return fabric;
    }

    /** {@return the level of the joining cables, null for a single tree} */
    public JoinLevel join()
    {
        return join;
    }

    /** {@return the number of trees, 1 or 2} */
    public int trees()
    {
        return trees;
    }

    /** {@return k/2: the groups, the middle or bottom switches of a pod, the servers of a bottom switch} */
    public int half()
    {
        return half;
    }

    /** {@return the number of pods of a tree, k} */
    public int pods()
    {
        return 2 * half;
    }

    /** {@return the number of switches with servers in a tree, k^2/2} */
    public int bottomsPerTree()
    {
        return 2 * half * half;
    }

    /** {@return the number of servers of a tree, k^3/4} */
    public int serversPerTree()
    {
        return bottomsPerTree() * half;
    }

    /** {@return the number of joining cables: (k/2)^2, one less for TOP_BUT_ONE, 0 for a single tree} */
    public int crossCables()
    {
        return trees != 2 ? 0 : join == JoinLevel.TOP_BUT_ONE ? half * half - 1 : half * half;
    }

    /** {@return a switch with servers, by its index in the tree; the pod is {@code index / half}} */
    public int bottom(final int tree, final int index)
    {
        return tree * switchesPerTree() + index;
    }

    /** {@return the middle switch of a pod and group} */
    public int middle(final int tree, final int pod, final int group)
    {
        return tree * switchesPerTree() + bottomsPerTree() + pod * half + group;
    }

    /** {@return the root switch of a group, by its index in the group} */
    public int top(final int tree, final int group, final int index)
    {
        return tree * switchesPerTree() + 2 * bottomsPerTree() + group * half + index;
    }

    /** {@return the switch at an end of a joining cable} */
    public int crossEnd(final int tree, final int cable)
    {
        final int major = cable / half;
        final int minor = cable % half;
        switch (join)
        {
            case TOP:
            case TOP_BUT_ONE:
                return top(tree, major, minor);
            case MIDDLE:
                return tree == 0 ? middle(0, minor, major) : middle(1, major, minor);
            default:
                return bottom(tree, cable);
        }
    }

    /** {@return the channel of a joining cable from the first tree to the second} */
    public int crossChannel(final int cable)
    {
        return crossChannels[cable];
    }

    /** {@return the channel from a bottom switch up to the middle switch of a group; its reverse leads down} */
    public int upFromBottom(final int bottom, final int group)
    {
        return fabric.firstChannel(bottom) + group;
    }

    /** {@return the channel from a middle switch up to a root, by its index in the group; its reverse leads down} */
    public int upFromMiddle(final int middle, final int index)
    {
        return fabric.firstChannel(middle) + half + index;
    }

    private int switchesPerTree()
    {
        return 2 * bottomsPerTree() + half * half;
    }
}
