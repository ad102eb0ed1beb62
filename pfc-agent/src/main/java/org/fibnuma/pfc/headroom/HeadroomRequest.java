package org.fibnuma.pfc.headroom;

import org.fibnuma.core.wire.EthernetHeaderFlyweight;

/**
 * A link whose headroom is to be computed. It starts with defaults, which fluent setters change. Each model ignores
 * what it does not use.
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

    /**
     * Starts with the defaults.
     *
     * @param bitsPerSecond speed of the link, 1 or more.
     */
    public HeadroomRequest(final long bitsPerSecond)
    {
        require(bitsPerSecond > 0, "speed", bitsPerSecond, "a speed such as 10G");
        this.bitsPerSecond = bitsPerSecond;
    }

    /**
     * Sets the length of the cable.
     *
     * @param meters 0 to 100,000.
     * @return this.
     */
    public HeadroomRequest cableMeters(final double meters)
    {
        require(meters >= 0 && meters <= 100_000, "cable", meters, "0 to 100000 meters");
        cableMeters = meters;
        return this;
    }

    /**
     * Sets the longest packet that either end sends.
     *
     * @param bytes 64 to 65,535, without the Ethernet header.
     * @return this.
     */
    public HeadroomRequest mtu(final int bytes)
    {
        require(bytes >= 64 && bytes <= 0xFFFF, "mtu", bytes, "64 to 65535 bytes");
        mtu = bytes;
        return this;
    }

    /**
     * Sets the size of a memory cell of the switch or card.
     *
     * @param bytes 1 to 4,096, or 0 for the default of the model.
     * @return this.
     */
    public HeadroomRequest cellBytes(final int bytes)
    {
        require(bytes >= 0 && bytes <= 4096, "cell", bytes, "1 to 4096 bytes");
        cellBytes = bytes;
        return this;
    }

    /**
     * Sets the number of lanes of the port. The pipeline of a switch of NVIDIA takes twice as long for 8.
     *
     * @param count 1 to 8, or 0 for 8 at 400 Gb/s and above and fewer below.
     * @return this.
     */
    public HeadroomRequest lanes(final int count)
    {
        require(count >= 0 && count <= EIGHT_LANES, "lanes", count, "1 to 8");
        lanes = count;
        return this;
    }

    /**
     * Sets whether the ports share a pool of headroom, so that a priority has none of its own.
     *
     * @param isShared true with a shared headroom pool.
     * @return this.
     */
    public HeadroomRequest sharesHeadroom(final boolean isShared)
    {
        sharesHeadroom = isShared;
        return this;
    }

    /**
     * Sets the delay of our own interface, MAC and PHY, for both directions together.
     *
     * @param nanos 0 to 1,000,000.
     * @return this.
     */
    public HeadroomRequest interfaceNanos(final double nanos)
    {
        require(nanos >= 0 && nanos <= 1_000_000, "interface delay", nanos, "0 to 1000000 ns");
        interfaceNanos = nanos;
        return this;
    }

    /**
     * Sets the share of small frames.
     *
     * @param percent 0 to 100.
     * @return this.
     */
    public HeadroomRequest smallPacketPercent(final int percent)
    {
        require(percent >= 0 && percent <= 100, "small packets", percent, "0 to 100 percent");
        smallPacketPercent = percent;
        return this;
    }

    /**
     * Sets the bytes in flight in a gearbox between MAC and cable.
     *
     * @param bytes for one direction, 0 or more.
     * @return this.
     */
    public HeadroomRequest gearboxBytes(final long bytes)
    {
        require(bytes >= 0, "gearbox", bytes, "0 or more bytes");
        gearboxBytes = bytes;
        return this;
    }

    /**
     * Sets the longest time until a received frame is counted.
     *
     * @param nanos 0 to 10 seconds.
     * @return this.
     */
    public HeadroomRequest pollNanos(final long nanos)
    {
        require(nanos >= 0 && nanos <= 10_000_000_000L, "poll period", nanos, "0 to 10 seconds");
        pollNanos = nanos;
        return this;
    }

    /**
     * Sets how many frames are received before thresholds are checked.
     *
     * @param frames 0 to 65,536.
     * @return this.
     */
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

    /** Returns the delay in bit times, or a default where none is set. */
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
