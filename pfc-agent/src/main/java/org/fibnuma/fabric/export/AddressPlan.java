package org.fibnuma.fabric.export;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fabric.topology.Fabric;

import java.util.List;

/**
 * Addresses for a fabric without addresses. Server n, from 0, has 10.0.0.1 plus n. The ends of cable n, from 0, have
 * 172.16.0.0 plus 2 n and 2 n + 1 (a /31, RFC 3021). Cables are in the order of their channels. Addresses are in host
 * byte order.
 */
public final class AddressPlan implements Addressing
{
    private static final int FIRST_SERVER = 10 << 24 | 1;
    private static final int MAX_SERVERS = (1 << 24) - 2;
    private static final int FIRST_CABLE_END = 172 << 24 | 16 << 16;
    private static final int MAX_CABLE_ENDS = 1 << 20;

    private final Fabric fabric;
    private final int[] channelAddress;

    /**
     * Numbers the servers and cables of a fabric.
     *
     * @throws UserException if it has more of them than there are addresses.
     */
    public AddressPlan(final Fabric fabric)
    {
        if (fabric.serverCount() > MAX_SERVERS || fabric.channelCount() > MAX_CABLE_ENDS)
        {
            throw UserException.usage("too many servers for 10.0.0.0/8 or too many cables for 172.16.0.0/12");
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

    /** {@return the address of a server} */
    public int ofServer(final int server)
    {
        return FIRST_SERVER + server;
    }

    /** {@return the address of the port through which a channel leaves its switch} */
    public int ofPort(final int channel)
    {
        return channelAddress[channel];
    }

    @Override
    public List<IpPrefix> prefixes(final int server)
    {
        return List.of(IpPrefix.of(ofServer(server), Integer.SIZE));
    }

    @Override
    public IpAddress port(final int channel, final boolean isIpv6)
    {
        return isIpv6 ? null : IpAddress.of(channelAddress[channel]);
    }
}
