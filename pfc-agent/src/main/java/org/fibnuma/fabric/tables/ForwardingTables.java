package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;

/** For each switch and server the channel that leads there. */
public final class ForwardingTables
{
    /** No route. */
    public static final int NONE = -1;

    private final Fabric fabric;
    private final int[][] next;

    /**
     * Empty tables.
     *
     * @param fabric whose switches and servers.
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

    /**
     * The fabric.
     *
     * @return whose switches and servers.
     */
    public Fabric fabric()
    {
        return fabric;
    }

    /**
     * Where a switch sends what is for a server.
     *
     * @param node   a switch other than the server's own.
     * @param server a server.
     * @return a channel that leaves the switch, or {@link #NONE}.
     */
    public int next(final int node, final int server)
    {
        return next[server][node];
    }

    /**
     * Sets where a switch sends what is for a server.
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
