package org.fibnuma.pfc.headroom;

import org.fibnuma.core.wire.EthernetHeaderFlyweight;

/**
 * A link whose headroom is to be computed. It starts with defaults, which fluent setters change. Setters throw
 * IllegalArgumentException for a value out of range. Each model ignores what it does not use.
 */
public final class HeadroomRequest
{
    /** The default of Junos, in meters. */
    public static final double DEFAULT_CABLE_METERS = 100;
    /** The worst case: all frames are small and waste most of their cells. */
    public static final int DEFAULT_SMALL_PACKET_PERCENT = 100;
    /** A forwarding worker polls its port again within this time. */
    public static final long DEFAULT_POLL_NANOS = 20_000;
    /** Frames that a worker receives in one batch, before thresholds are checked. */
    public static final int DEFAULT_RING_FRAMES = 64;

    private static final int EIGHT_LANES = 8;
    private static final long EIGHT_LANES_BITS_PER_SECOND = 400_000_000_000L;

    private final long bitsPerSecond;
    private double cableMeters = DEFAULT_CABLE_METERS;
    private int mtu = EthernetHeaderFlyweight.MAX_PAYLOAD_LENGTH;
    private int cellBytes;
    private int lanes;
    private boolean sharesHeadroom;
    private int smallPacketPercent = DEFAULT_SMALL_PACKET_PERCENT;
    private long gearboxBytes;
    private long pollNanos = DEFAULT_POLL_NANOS;
    private int ringFrames = DEFAULT_RING_FRAMES;
    private double interfaceNanos = -1;

    /** Starts with the defaults and the speed of the link, 1 or more. */
    public HeadroomRequest(final long bitsPerSecond)
    {
        require(bitsPerSecond > 0, "speed", bitsPerSecond, "a speed such as 10G");
        this.bitsPerSecond = bitsPerSecond;
    }

    /** Sets the length of the cable, 0 to 100,000 meters. */
    public HeadroomRequest cableMeters(final double meters)
    {
        require(meters >= 0 && meters <= 100_000, "cable", meters, "0 to 100000 meters");
        cableMeters = meters;
        return this;
    }

    /** Sets the longest packet that either end sends, 64 to 65,535 bytes without the Ethernet header. */
    public HeadroomRequest mtu(final int bytes)
    {
        require(bytes >= 64 && bytes <= 0xFFFF, "mtu", bytes, "64 to 65535 bytes");
        mtu = bytes;
        return this;
    }

    /** Sets the size of a memory cell of the switch or card, 1 to 4,096 bytes, or 0 for the default of the model. */
    public HeadroomRequest cellBytes(final int bytes)
    {
        require(bytes >= 0 && bytes <= 4096, "cell", bytes, "1 to 4096 bytes");
        cellBytes = bytes;
        return this;
    }

    /**
     * Sets the number of lanes of the port, 1 to 8; 0 stands for 8 at 400 Gb/s and above, fewer below. The pipeline of
     * a switch of NVIDIA takes twice as long for 8.
     */
    public HeadroomRequest lanes(final int count)
    {
        require(count >= 0 && count <= EIGHT_LANES, "lanes", count, "1 to 8");
        lanes = count;
        return this;
    }

    /** Sets whether the ports share a pool of headroom, so that a priority has none of its own. */
    public HeadroomRequest sharesHeadroom(final boolean isShared)
    {
        sharesHeadroom = isShared;
        return this;
    }

    /** Sets the delay of our own interface, MAC and PHY, for both directions together, 0 to 1,000,000 ns. */
    public HeadroomRequest interfaceNanos(final double nanos)
    {
        require(nanos >= 0 && nanos <= 1_000_000, "interface delay", nanos, "0 to 1000000 ns");
        interfaceNanos = nanos;
        return this;
    }

    /** Sets the share of small frames, 0 to 100 percent. */
    public HeadroomRequest smallPacketPercent(final int percent)
    {
        require(percent >= 0 && percent <= 100, "small packets", percent, "0 to 100 percent");
        smallPacketPercent = percent;
        return this;
    }

    /** Sets the bytes in flight in one direction in a gearbox between MAC and cable, 0 or more. */
    public HeadroomRequest gearboxBytes(final long bytes)
    {
        require(bytes >= 0, "gearbox", bytes, "0 or more bytes");
        gearboxBytes = bytes;
        return this;
    }

    /** Sets the longest time until a received frame is counted, 0 to 10 seconds in nanoseconds. */
    public HeadroomRequest pollNanos(final long nanos)
    {
        require(nanos >= 0 && nanos <= 10_000_000_000L, "poll period", nanos, "0 to 10 seconds");
        pollNanos = nanos;
        return this;
    }

    /** Sets how many frames are received before thresholds are checked, 0 to 65,536. */
    public HeadroomRequest ringFrames(final int frames)
    {
        require(frames >= 0 && frames <= 1 << 16, "receive ring", frames, "0 to 65536 frames");
        ringFrames = frames;
        return this;
    }

    long bitsPerSecond()
    {
        return bitsPerSecond;
    }

    double cableMeters()
    {
        return cableMeters;
    }

    int mtu()
    {
        return mtu;
    }

    int cellBytesOr(final int defaultBytes)
    {
        return cellBytes == 0 ? defaultBytes : cellBytes;
    }

    boolean hasEightLanes()
    {
        return lanes == EIGHT_LANES || lanes == 0 && bitsPerSecond >= EIGHT_LANES_BITS_PER_SECOND;
    }

    boolean sharesHeadroom()
    {
        return sharesHeadroom;
    }

    /** Returns the delay of our interface in bit times, or a default if none is set. */
    double interfaceBits(final long defaultBits)
    {
        return interfaceNanos < 0 ? defaultBits : interfaceNanos * bitsPerSecond / 1e9;
    }

    int smallPacketPercent()
    {
        return smallPacketPercent;
    }

    long gearboxBytes()
    {
        return gearboxBytes;
    }

    long pollNanos()
    {
        return pollNanos;
    }

    int ringFrames()
    {
        return ringFrames;
    }

    private static void require(final boolean met, final String name, final Number value, final String range)
    {
        if (!met)
        {
            throw new IllegalArgumentException(name + " of " + value + " is out of range; use " + range);
        }
    }
}
