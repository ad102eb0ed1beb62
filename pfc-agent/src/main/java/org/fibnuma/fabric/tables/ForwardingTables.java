package org.fibnuma.fabric.tables;

import org.fibnuma.core.UserException;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.EscapeTree;

import java.util.Arrays;

/** The channel to each server at each switch. An entry takes two bytes: the local port of its channel. */
public final class ForwardingTables
{
    /** No route. */
    public static final int NONE = -1;

    private static final int MAX_CABLES = 0xFFFF;

    private final Fabric fabric;
    /** For each server and switch, one more than the local port; 0 without a route. */
    private final short[][] portAfter;

    /**
     * Creates empty tables.
     *
     * @throws UserException if a switch has more than 65,535 cables to other switches.
     */
    public ForwardingTables(final Fabric fabric)
    {
        this.fabric = fabric;
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            if (fabric.degree(node) > MAX_CABLES)
            {
                throw UserException.usage("switch \"" + fabric.switchName(node) + "\" has " + fabric.degree(node) +
                    " cables to other switches; tables can contain " + MAX_CABLES);
            }
        }
        this.portAfter = new short[fabric.serverCount()][fabric.switchCount()];
    }

    /** Sets the routes to a server along a tree: up until the server's switch is below, then down to it. */
    void follow(final EscapeTree tree, final int server)
    {
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            set(node, server, tree.parent(node));
        }
        int node = fabric.serverSwitch(server);
        set(node, server, NONE);
        while (node != tree.root())
        {
            final int up = tree.parent(node);
            node = fabric.target(up);
            set(node, server, fabric.reverse(up));
        }
    }

    /** {@return tables with the same routes, which change independently} */
    public ForwardingTables copy()
    {
        final ForwardingTables copy = new ForwardingTables(fabric);
        Arrays.setAll(copy.portAfter, server -> portAfter[server].clone());
        return copy;
    }

    /** {@return the fabric of the switches and servers} */
    public Fabric fabric()
    {
        return fabric;
    }

    /** {@return the channel to a server at a switch other than the server's own, or {@link #NONE}} */
    public int next(final int node, final int server)
    {
        final int after = portAfter[server][node] & 0xFFFF;
        return after == 0 ? NONE : fabric.firstChannel(node) + after - 1;
    }

    /** Sets the channel to a server at a switch that it leaves, or {@link #NONE}. */
    public void set(final int node, final int server, final int channel)
    {
        portAfter[server][node] = (short)(channel == NONE ? 0 : channel - fabric.firstChannel(node) + 1);
    }
}
