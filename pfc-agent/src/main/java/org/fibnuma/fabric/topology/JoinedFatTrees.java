package org.fibnuma.fabric.topology;

import org.fibnuma.core.UserException;

/**
 * One or two 3-level fat trees of switches with k ports.
 * <p>
 * With h = k/2, a tree has k pods of h bottom and h middle switches, h groups of h top switches, and h servers at each
 * bottom switch: k^3/4 servers on 5k^2/4 switches. Middle switch {@code (pod, group)} is cabled to every bottom switch
 * of its pod and every top switch of its group. A joining cable is on a port beyond the k. The wiring in the middle
 * joins group g of the first tree, in pod h', with group h' of the second, in pod g; half of the middle switches carry
 * one, which is what fits the counts of the paper's table 2.
 */
public final class JoinedFatTrees
{
    /** The level of the switches that have servers. */
    public static final int BOTTOM_LEVEL = 0;
    /** The level between. */
    public static final int MIDDLE_LEVEL = 1;
    /** The level of the roots. */
    public static final int TOP_LEVEL = 2;

    private final int half;
    private final int trees;
    private final JoinLevel join;
    private final Fabric fabric;
    private final int[] crossChannels;

    private JoinedFatTrees(final int ports, final int trees, final JoinLevel join)
    {
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
        if (trees == 2)
        {
            joinTrees(builder);
        }
        for (int tree = 0; tree < trees; tree++)
        {
            for (int server = 0; server < serversPerTree(); server++)
            {
                builder.addServer(bottom(tree, server / half), "T" + tree + "H" + server);
            }
        }
        this.fabric = builder.build();
        this.crossChannels = trees == 2 ? findCrossChannels() : new int[0];
    }

    /**
     * One tree.
     *
     * @param ports of a switch (k), even, at least 4.
     * @return the tree.
     */
    public static JoinedFatTrees single(final int ports)
    {
        return new JoinedFatTrees(requireEven(ports), 1, null);
    }

    /**
     * Two trees with cables between them.
     *
     * @param ports of a switch (k) without the joining one, even, at least 4.
     * @param join  where the cables are.
     * @return the trees.
     */
    public static JoinedFatTrees joined(final int ports, final JoinLevel join)
    {
        return new JoinedFatTrees(requireEven(ports), 2, join);
    }

    private static int requireEven(final int ports)
    {
        if (ports < 4 || ports > 64 || ports % 2 != 0)
        {
            throw UserException.usage("fat tree: " + ports + " ports a switch; take an even number from 4 to 64");
        }
        return ports;
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

    private void joinTrees(final FabricBuilder builder)
    {
        for (int cable = 0; cable < crossCables(); cable++)
        {
            builder.addParallelCable(crossEnd(0, cable), crossEnd(1, cable));
        }
    }

    private int[] findCrossChannels()
    {
        final int[] channels = new int[crossCables()];
        for (int cable = 0; cable < channels.length; cable++)
        {
            channels[cable] = fabric.firstChannel(crossEnd(0, cable) + 1) - 1;
        }
        return channels;
    }

    /**
     * The network.
     *
     * @return with all servers and, where there are two trees, the joining cables.
     */
    public Fabric fabric()
    {
        return fabric;
    }

    /**
     * Where the trees are joined.
     *
     * @return null for a single tree.
     */
    public JoinLevel join()
    {
        return join;
    }

    /**
     * How many trees there are.
     *
     * @return 1 or 2.
     */
    public int trees()
    {
        return trees;
    }

    /**
     * k/2: the groups, the middle or bottom switches of a pod, the servers of a bottom switch.
     *
     * @return at least 2.
     */
    public int half()
    {
        return half;
    }

    /**
     * Pods of a tree.
     *
     * @return k.
     */
    public int pods()
    {
        return 2 * half;
    }

    /**
     * Switches with servers in a tree.
     *
     * @return k^2/2.
     */
    public int bottomsPerTree()
    {
        return 2 * half * half;
    }

    /**
     * Servers of a tree.
     *
     * @return k^3/4.
     */
    public int serversPerTree()
    {
        return bottomsPerTree() * half;
    }

    /**
     * Cables between the trees.
     *
     * @return (k/2)^2, one less for {@link JoinLevel#TOP_BUT_ONE}, or 0 for a single tree.
     */
    public int crossCables()
    {
        return trees != 2 ? 0 : join == JoinLevel.TOP_BUT_ONE ? half * half - 1 : half * half;
    }

    /**
     * A switch with servers.
     *
     * @param tree  0 or 1.
     * @param index in the tree; the pod is {@code index / half}.
     * @return its number.
     */
    public int bottom(final int tree, final int index)
    {
        return tree * switchesPerTree() + index;
    }

    /**
     * A switch between.
     *
     * @param tree  0 or 1.
     * @param pod   0 to k - 1.
     * @param group 0 to k/2 - 1.
     * @return its number.
     */
    public int middle(final int tree, final int pod, final int group)
    {
        return tree * switchesPerTree() + bottomsPerTree() + pod * half + group;
    }

    /**
     * A root.
     *
     * @param tree  0 or 1.
     * @param group 0 to k/2 - 1.
     * @param index in the group.
     * @return its number.
     */
    public int top(final int tree, final int group, final int index)
    {
        return tree * switchesPerTree() + 2 * bottomsPerTree() + group * half + index;
    }

    /**
     * The switch at an end of a joining cable.
     *
     * @param tree  0 or 1.
     * @param cable 0 to {@link #crossCables()} - 1.
     * @return its number.
     */
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

    /**
     * A joining cable as a channel from the first tree to the second.
     *
     * @param cable 0 to {@link #crossCables()} - 1.
     * @return the channel; its reverse leads back.
     */
    public int crossChannel(final int cable)
    {
        return crossChannels[cable];
    }

    /**
     * The channel from a bottom switch up to a group.
     *
     * @param bottom a bottom switch.
     * @param group  0 to k/2 - 1.
     * @return a channel; its reverse leads down.
     */
    public int upFromBottom(final int bottom, final int group)
    {
        return fabric.firstChannel(bottom) + group;
    }

    /**
     * The channel from a middle switch up to a root.
     *
     * @param middle a middle switch.
     * @param index  of the root in the group.
     * @return a channel; its reverse leads down.
     */
    public int upFromMiddle(final int middle, final int index)
    {
        return fabric.firstChannel(middle) + half + index;
    }

    private int switchesPerTree()
    {
        return 2 * bottomsPerTree() + half * half;
    }
}
