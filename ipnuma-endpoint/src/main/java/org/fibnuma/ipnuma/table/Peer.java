package org.fibnuma.ipnuma.table;

import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.ipnuma.wire.WireFormat;

/** One line of the PC ID table: where a peer is and how it speaks. Belongs to the endpoint's thread. */
public final class Peer
{
    /** No station: the address of a peer that has not been resolved. */
    public static final long NO_MAC = 0;

    private final int pcId;
    private final int ipv4;
    private final WireFormat format;
    private long mac = NO_MAC;

    /**
     * A peer whose station is not known yet.
     *
     * @param pcId   1 to 65,535.
     * @param ipv4   its address.
     * @param format how it speaks.
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

    /**
     * Its number in page maps.
     *
     * @return 1 to 65,535.
     */
    public int pcId()
    {
        return pcId;
    }

    /**
     * Its address.
     *
     * @return such as 0x0A090002 for 10.9.0.2.
     */
    public int ipv4()
    {
        return ipv4;
    }

    /**
     * How it speaks.
     *
     * @return one of the four.
     */
    public WireFormat format()
    {
        return format;
    }

    /**
     * The station that frames to it are sent to: its own, or the gateway's for a peer of another segment.
     *
     * @return 48 bits, {@link #NO_MAC} while unresolved.
     */
    public long mac()
    {
        return mac;
    }

    /**
     * Sets the station.
     *
     * @param station 48 bits, {@link #NO_MAC} to forget it.
     */
    public void mac(final long station)
    {
        mac = station;
    }

    @Override
    public String toString()
    {
        return pcId + " " + Ipv4Address.format(ipv4) + " " + format.label();
    }
}
