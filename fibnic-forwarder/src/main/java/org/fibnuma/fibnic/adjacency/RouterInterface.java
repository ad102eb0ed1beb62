package org.fibnuma.fibnic.adjacency;

import java.nio.ByteOrder;
import java.util.List;

/**
 * What a worker knows of the router's side of one port, immutable: a change is a new object in the
 * {@link InterfaceTable}.
 */
public final class RouterInterface
{
    /** What {@link #address()} returns where the interface has none. */
    public static final int NO_ADDRESS = 0;

    /** Smallest MTU that IPv4 allows, RFC 791 section 3.2. */
    public static final int MIN_MTU = 68;

    /** The 48 bits of {@link #macWord()} that are an address, in machine order. */
    public static final long MAC_WORD_MASK =
        ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0xFFFF_FFFF_FFFFL : 0xFFFF_FFFF_FFFF_0000L;

    private final long mac;
    private final long macWord;
    private final int mtu;
    private final List<Integer> addresses;
    private final int address;

    /**
     * An interface as it is from now on.
     *
     * @param mac       as in {@link org.fibnuma.core.wire.MacAddress}.
     * @param mtu       longest IP packet in bytes, {@link #MIN_MTU} or more.
     * @param addresses IPv4, the primary one first; may be empty.
     */
    public RouterInterface(final long mac, final int mtu, final List<Integer> addresses)
    {
        if (mtu < MIN_MTU)
        {
            throw new IllegalArgumentException("an IPv4 link carries " + MIN_MTU + " bytes or more: " + mtu);
        }
        this.mac = mac;
        this.mtu = mtu;
        this.addresses = List.copyOf(addresses);
        this.address = addresses.isEmpty() ? NO_ADDRESS : addresses.get(0);
        this.macWord = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Long.reverseBytes(mac << 16) : mac << 16;
    }

    /**
     * Its link-layer address.
     *
     * @return as in {@link org.fibnuma.core.wire.MacAddress}.
     */
    public long mac()
    {
        return mac;
    }

    /**
     * The link-layer address as the first eight bytes of a frame to it are read by the machine.
     *
     * @return to be compared under {@link #MAC_WORD_MASK}.
     */
    public long macWord()
    {
        return macWord;
    }

    /**
     * Longest IP packet on its link.
     *
     * @return bytes.
     */
    public int mtu()
    {
        return mtu;
    }

    /**
     * All its IPv4 addresses.
     *
     * @return the primary one first; empty where it has none.
     */
    public List<Integer> addresses()
    {
        return addresses;
    }

    /**
     * The address that its own messages bear.
     *
     * @return the primary one, or {@link #NO_ADDRESS}.
     */
    public int address()
    {
        return address;
    }
}
