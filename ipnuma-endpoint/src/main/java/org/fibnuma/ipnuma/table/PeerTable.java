package org.fibnuma.ipnuma.table;

import org.agrona.collections.Int2ObjectHashMap;
import org.fibnuma.core.wire.Ipv4Address;

import java.util.Collection;

/**
 * PC ID table (thesis, figure 3.11): peers by PC ID for sending, by address for receiving. A peer has one address.
 * Belongs to the endpoint's thread.
 */
public final class PeerTable
{
    private final Peer[] byPcId = new Peer[PageMap.MAX_PC_ID + 1];
    private final Int2ObjectHashMap<Peer> byIpv4 = new Int2ObjectHashMap<>();

    /**
     * Adds a peer.
     *
     * @param peer with a PC ID and an address that no other peer has.
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

    /** Returns the peer with a PC ID, null if there is none. */
    public Peer byPcId(final int pcId)
    {
        return pcId >= 0 && pcId <= PageMap.MAX_PC_ID ? byPcId[pcId] : null;
    }

    /** Returns the peer with a source address, null if there is none. */
    public Peer byIpv4(final int ipv4)
    {
        return byIpv4.get(ipv4);
    }

    /** Returns all peers in no order; the caller must not modify the collection. */
    public Collection<Peer> peers()
    {
        return byIpv4.values();
    }
}
