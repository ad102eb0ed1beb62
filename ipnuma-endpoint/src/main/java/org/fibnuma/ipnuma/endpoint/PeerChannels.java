package org.fibnuma.ipnuma.endpoint;

import org.agrona.collections.Int2ObjectHashMap;
import org.fibnuma.ipnuma.channel.PeerChannel;

/** The channels by address of the peer, with the last one at hand: most datagrams come from the same peer again. */
final class PeerChannels
{
    private final Int2ObjectHashMap<PeerChannel> byIpv4 = new Int2ObjectHashMap<>();
    private int lastIpv4;
    private PeerChannel last;

    void add(final int ipv4, final PeerChannel channel)
    {
        byIpv4.put(ipv4, channel);
    }

    /** Null where there is none. */
    PeerChannel byIpv4(final int ipv4)
    {
        if (ipv4 != lastIpv4)
        {
            lastIpv4 = ipv4;
            last = byIpv4.get(ipv4);
        }
        return last;
    }
}
