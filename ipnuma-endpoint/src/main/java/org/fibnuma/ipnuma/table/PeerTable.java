package org.fibnuma.ipnuma.table;

import org.agrona.collections.Int2ObjectHashMap;
import org.fibnuma.core.wire.Ipv4Address;

import java.util.Collection;

/** PC ID table (thesis, figure 3.11): the peers, whose PC IDs and addresses are unique. For the endpoint's thread. */
public final class PeerTable
{
    private final Peer[] byPcId = new Peer[PageMap.MAX_PC_ID + 1];
    private final Int2ObjectHashMap<Peer> byIpv4 = new Int2ObjectHashMap<>();

    /**
     * Adds a peer.
     *
     * @param peer with a unique PC ID and address.
     * @throws IllegalArgumentException with the name of the peer that has one of them.
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

    /** Returns all peers in no order. The caller must not modify the collection. */
    public Collection<Peer> peers()
    {
        return byIpv4.values();
    }
}
