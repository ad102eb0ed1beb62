package org.fibnuma.fabric.export;

import org.fibnuma.core.UserException;
import org.fibnuma.fabric.topology.Fabric;

/**
 * Addresses for a fabric that has none: server n, from 0, is 10.0.0.1 plus n; the ends of cable n, from 0, are
 * 172.16.0.0 plus 2 n and 2 n + 1 (a /31, RFC 3021).
 */
public final class AddressPlan
{
    private static final int FIRST_SERVER = 10 << 24 | 1;
    private static final int MAX_SERVERS = (1 << 24) - 2;
    private static final int FIRST_CABLE_END = 172 << 24 | 16 << 16;
    private static final int MAX_CABLE_ENDS = 1 << 20;

    private final Fabric fabric;
    private final int[] channelAddress;

    /**
     * Numbers the cables in the order of their channels.
     *
     * @param fabric whose addresses.
     */
    public AddressPlan(final Fabric fabric)
    {
        if (fabric.serverCount() > MAX_SERVERS || fabric.channelCount() > MAX_CABLE_ENDS)
        {
            throw UserException.usage("more servers or cables than 10.0.0.0/8 and 172.16.0.0/12 have addresses for");
        }
        this.fabric = fabric;
        this.channelAddress = new int[fabric.channelCount()];
        int next = FIRST_CABLE_END;
        for (int channel = 0; channel < channelAddress.length; channel++)
        {
            if (fabric.reverse(channel) > channel)
            {
                channelAddress[channel] = next++;
                channelAddress[fabric.reverse(channel)] = next++;
            }
        }
    }

    /**
     * The address of a server.
     *
     * @param server a server.
     * @return host byte order.
     */
    public int ofServer(final int server)
    {
        return FIRST_SERVER + server;
    }

    /**
     * The server that has an address.
     *
     * @param address host byte order.
     * @return a server, or -1.
     */
    public int serverAt(final int address)
    {
        final int server = address - FIRST_SERVER;
        return server >= 0 && server < fabric.serverCount() ? server : -1;
    }

    /**
     * The address of the port through which a channel leaves its switch.
     *
     * @param channel a channel.
     * @return host byte order.
     */
    public int ofPort(final int channel)
    {
        return channelAddress[channel];
    }

    /**
     * The channel of a switch that leads to an address at its other end.
     *
     * @param node    a switch.
     * @param address host byte order.
     * @return a channel that leaves the switch, or -1.
     */
    public int channelTo(final int node, final int address)
    {
        for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
        {
            if (channelAddress[fabric.reverse(channel)] == address)
            {
                return channel;
            }
        }
        return -1;
    }
}
