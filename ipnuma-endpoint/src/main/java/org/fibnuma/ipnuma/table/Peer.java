package org.fibnuma.ipnuma.table;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.ipnuma.wire.WireFormat;

/** Entry of the PC ID table: address and format of a peer. For the endpoint's thread. */
public final class Peer
{
    /** MAC address of a peer that is not resolved. */
    public static final long NO_MAC = 0;

    private final int pcId;
    private final int ipv4;
    private final WireFormat format;
    private long mac = NO_MAC;

    /**
     * Creates a peer with an unresolved MAC address.
     *
     * @param pcId   1 to 65,535.
     * @param ipv4   of the peer.
     * @param format of datagrams to and from it.
     */
    public Peer(final int pcId, final int ipv4, final WireFormat format)
    {
        if (pcId < 1 || pcId > PageMap.MAX_PC_ID)
        {
            throw new IllegalArgumentException("PC ID " + pcId + " is not in 1 to " + PageMap.MAX_PC_ID);
        }
        this.pcId = pcId;
        this.ipv4 = ipv4;
        this.format = format;
    }

    /** Returns the PC ID, 1 to 65,535: the peer's number in page maps. */
    public int pcId()
    {
        return pcId;
    }

    /** Returns the address, such as 0x0A090002 for 10.9.0.2. */
    public int ipv4()
    {
        return ipv4;
    }

    /** Returns the format of datagrams to and from the peer. */
    public WireFormat format()
    {
        return format;
    }

    /**
     * Returns the destination MAC address of frames to the peer. It is the gateway's for a peer of another segment, and
     * {@link #NO_MAC} while it is not resolved.
     */
    public long mac()
    {
        return mac;
    }

    /** Sets the destination MAC address of frames to the peer, 48 bits, or {@link #NO_MAC} if it is no longer valid. */
    public void mac(final long address)
    {
        mac = address;
    }

    @Override
    public String toString()
    {
        return pcId + " " + Ipv4Address.format(ipv4) + " " + format.label();
    }
}
