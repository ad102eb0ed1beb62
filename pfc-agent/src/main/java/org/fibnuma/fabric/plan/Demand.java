package org.fibnuma.fabric.plan;

import org.fibnuma.fabric.topology.Fabric;

/** What servers send to servers, in whole units of any size. */
public interface Demand
{
    /**
     * What goes to a server from all servers of a switch together; what stays at its own switch does not count.
     *
     * @param fromSwitch a switch.
     * @param toServer   a server of another switch.
     * @return 0 or more.
     */
    long between(int fromSwitch, int toServer);

    /**
     * What the server that sends, or is sent to, the most has in all. A load through this is one in capacities of a
     * link, when that server uses its own link fully.
     *
     * @return more than 0.
     */
    long busiestServer();

    /**
     * Everyone sends the same to everyone else.
     *
     * @param fabric of the servers.
     * @return one unit for each pair of servers.
     */
    static Demand uniform(final Fabric fabric)
    {
        return new Demand()
        {
            @Override
            public long between(final int fromSwitch, final int toServer)
            {
                return fabric.serversAt(fromSwitch);
            }

            @Override
            public long busiestServer()
            {
                return Math.max(1, fabric.serverCount() - 1);
            }
        };
    }
}
