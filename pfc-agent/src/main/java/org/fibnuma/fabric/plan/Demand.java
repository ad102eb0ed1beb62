package org.fibnuma.fabric.plan;

import org.fibnuma.fabric.topology.Fabric;

/** The traffic between servers, in whole units of any size. */
public interface Demand
{
    /**
     * Returns the traffic to a server from all servers of a switch together.
     *
     * @param fromSwitch a switch.
     * @param toServer   a server of another switch.
     * @return 0 or more.
     */
    long between(int fromSwitch, int toServer);

    /**
     * Returns the total of the server that sends or receives most. It is one link capacity when that server fully uses
     * its own link.
     *
     * @return more than 0.
     */
    long busiestServer();

    /**
     * Returns a demand of one unit for each pair of servers.
     *
     * @param fabric contains the servers.
     * @return the demand.
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
