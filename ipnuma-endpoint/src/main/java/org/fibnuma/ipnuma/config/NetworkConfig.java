package org.fibnuma.ipnuma.config;

import org.fibnuma.core.wire.Ipv4Address;

/**
 * The addresses of an endpoint in its network.
 *
 * @param ipv4         IPv4 address of the endpoint.
 * @param prefixLength length of the prefix of its network, 1 to 32.
 * @param gateway      IPv4 address of the next hop to peers of other networks, 0 for none.
 * @param mac          configured MAC address, 0 for that of the port.
 */
public record NetworkConfig(int ipv4, int prefixLength, int gateway, long mac)
{
    /** Prefix of a locally administered address that ends with the IPv4 address and is as unique. */
    private static final long LOCAL_MAC = 0x0200_0000_0000L;

    /** Returns whether an address is reached without the gateway. */
    public boolean isOnSegment(final int address)
    {
        return ((address ^ ipv4) & Ipv4Address.mask(prefixLength)) == 0;
    }

    /** Returns the address of the next hop to a peer: the peer or the gateway. */
    public int nextHop(final int peer)
    {
        return isOnSegment(peer) ? peer : gateway;
    }

    /**
     * Returns the MAC address of the endpoint: the configured one, else that of the port, else one that contains the
     * IPv4 address. The argument is the address of the port, 0 if it has none.
     */
    public long macAddress(final long ofPort)
    {
        if (mac != 0)
        {
            return mac;
        }
        return ofPort != 0 ? ofPort : LOCAL_MAC | ipv4 & 0xFFFF_FFFFL;
    }
}
