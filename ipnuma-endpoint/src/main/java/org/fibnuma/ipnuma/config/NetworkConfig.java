package org.fibnuma.ipnuma.config;

import org.fibnuma.core.wire.Ipv4Address;

/**
 * The endpoint's own addresses.
 *
 * @param ipv4         its address.
 * @param prefixLength of the segment that it is on, 1 to 32.
 * @param gateway      to peers of other segments, 0 for none.
 * @param mac          that the file gives it, 0 for the port's own.
 */
public record NetworkConfig(int ipv4, int prefixLength, int gateway, long mac)
{
    /** Locally administered, followed by the IPv4 address: different wherever that is. */
    private static final long LOCAL_MAC = 0x0200_0000_0000L;

    /**
     * Whether an address is reached without the gateway.
     *
     * @param address any.
     * @return true on the endpoint's own segment.
     */
    public boolean isOnSegment(final int address)
    {
        return ((address ^ ipv4) & Ipv4Address.mask(prefixLength)) == 0;
    }

    /**
     * Where frames to a peer are sent to.
     *
     * @param peer its address.
     * @return the same, or the gateway's.
     */
    public int nextHop(final int peer)
    {
        return isOnSegment(peer) ? peer : gateway;
    }

    /**
     * The station that the endpoint is.
     *
     * @param ofPort address of the port, 0 where it has none.
     * @return what the file says, else the port's, else one made of the IPv4 address.
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
