package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;

/** The channel to each server at each switch. */
public final class ForwardingTables
{
    /** No route. */
    public static final int NONE = -1;

    private final Fabric fabric;
    private final int[][] next;

    /**
     * Creates empty tables.
     *
     * @param fabric contains the switches and servers.
     */
    public ForwardingTables(final Fabric fabric)
    {
        this.fabric = fabric;
        this.next = new int[fabric.serverCount()][];
        for (int server = 0; server < next.length; server++)
        {
            next[server] = new int[fabric.switchCount()];
            Arrays.fill(next[server], NONE);
        }
    }

    /** {@return tables with the same routes, which change independently} */
    public ForwardingTables copy()
    {
        final ForwardingTables copy = new ForwardingTables(fabric);
        for (int server = 0; server < next.length; server++)
        {
            System.arraycopy(next[server], 0, copy.next[server], 0, next[server].length);
        }
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
        return next[server][node];
    }

    /**
     * Sets the channel to a server at a switch.
     *
     * @param node    a switch.
     * @param server  a server.
     * @param channel that leaves the switch, or {@link #NONE}.
     */
    public void set(final int node, final int server, final int channel)
    {
        next[server][node] = channel;
    }
}
