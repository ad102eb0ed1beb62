package org.fibnuma.fabric.plan;

import org.fibnuma.fabric.topology.Fabric;

/** The traffic between servers, in whole units of any size. */
public interface Demand
{
    /** {@return the traffic to a server from all servers of another switch together, 0 or more} */
    long between(int fromSwitch, int toServer);

    /**
     * Returns the total of the server that sends or receives most, more than 0. It is one link capacity when that
     * server fully uses its own link.
     */
    long busiestServer();

    /** {@return a demand of one unit for each pair of servers} */
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
