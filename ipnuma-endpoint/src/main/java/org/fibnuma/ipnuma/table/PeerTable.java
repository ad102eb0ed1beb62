package org.fibnuma.ipnuma.table;

import org.agrona.collections.Int2ObjectHashMap;
import org.fibnuma.core.wire.Ipv4Address;

import java.util.Collection;

/**
 * PC ID table (thesis, figure 3.11): peers by PC ID for what is sent, by address for what is received. One peer has
 * one address. Belongs to the endpoint's thread.
 */
public final class PeerTable
{
    private final Peer[] byPcId = new Peer[PageMap.MAX_PC_ID + 1];
    private final Int2ObjectHashMap<Peer> byIpv4 = new Int2ObjectHashMap<>();

    /**
     * Adds a peer.
     *
     * @param peer whose PC ID and address no other has.
     * @throws IllegalArgumentException naming the peer that has one of them.
     */
    public void add(final Peer peer)
    {
        if (byPcId[peer.pcId()] != null)
        {
            throw new IllegalArgumentException("PC ID " + peer.pcId() + " belongs to " + byPcId[peer.pcId()]);
        }
        if (byIpv4.containsKey(peer.ipv4()))
        {
            throw new IllegalArgumentException(
                "address " + Ipv4Address.format(peer.ipv4()) + " belongs to " + byIpv4.get(peer.ipv4()));
        }
        byPcId[peer.pcId()] = peer;
        byIpv4.put(peer.ipv4(), peer);
    }

    /**
     * The peer of a page map entry.
     *
     * @param pcId any.
     * @return null where there is none.
     */
    public Peer byPcId(final int pcId)
    {
        return pcId >= 0 && pcId <= PageMap.MAX_PC_ID ? byPcId[pcId] : null;
    }

    /**
     * The peer that a datagram came from.
     *
     * @param ipv4 its source address.
     * @return null where there is none.
     */
    public Peer byIpv4(final int ipv4)
    {
        return byIpv4.get(ipv4);
    }

    /**
     * All of them.
     *
     * @return in no order; not to be changed.
     */
    public Collection<Peer> peers()
    {
        return byIpv4.values();
    }
}
