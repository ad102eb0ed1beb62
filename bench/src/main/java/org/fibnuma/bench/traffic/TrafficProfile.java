package org.fibnuma.bench.traffic;

/**
 * What frames a generator sends: UDP over IPv4 from one source to destinations drawn at random.
 *
 * @param destinationMac who the frames are for on the link, as in {@link org.fibnuma.core.wire.MacAddress}.
 * @param sourceMac      who they are from.
 * @param source         IPv4 address.
 * @param destinations   IPv4 addresses; as many as a power of two, at most {@link #MAX_DESTINATIONS}.
 * @param frameSize      bytes without FCS, 60 to 1,514.
 */
public record TrafficProfile(long destinationMac, long sourceMac, int source, int[] destinations, int frameSize)
{
    /** Enough that no cache holds what a route lookup of each touches; 256 KiB in the program's map. */
    public static final int MAX_DESTINATIONS = 1 << 16;

    /** 64 bytes on the wire, of which 4 are the FCS. */
    public static final int SMALLEST_FRAME = 60;

    /** Checks the bounds. */
    public TrafficProfile
    {
        if (Integer.bitCount(destinations.length) != 1 || destinations.length > MAX_DESTINATIONS)
        {
            throw new IllegalArgumentException(destinations.length + " destinations: must be a power of two up to " +
                MAX_DESTINATIONS);
        }
        if (frameSize < SMALLEST_FRAME || frameSize > 1514)
        {
            throw new IllegalArgumentException("frames of " + frameSize + " bytes: 60 to 1514 are allowed");
        }
    }
}
