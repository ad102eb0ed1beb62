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
    /** Size of a switch's memory cell, as in the reference vectors of SONiC's model. */
    public static final int DEFAULT_CELL_BYTES = 96;
    /** The worst case: all frames are small and waste most of their cells. */
    public static final int DEFAULT_SMALL_PACKET_PERCENT = 100;
    /** A forwarding worker polls its port again within this time. */
    public static final long DEFAULT_POLL_NANOS = 20_000;
    /** Frames that a worker receives in one batch, before thresholds are checked. */
    public static final int DEFAULT_RING_FRAMES = 64;

    private final long bitsPerSecond;
    private double cableMeters = DEFAULT_CABLE_METERS;
    private int mtu = EthernetHeaderFlyweight.MAX_PAYLOAD_LENGTH;
    private int cellBytes = DEFAULT_CELL_BYTES;
    private int smallPacketPercent = DEFAULT_SMALL_PACKET_PERCENT;
    private long gearboxBytes;
    private long pollNanos = DEFAULT_POLL_NANOS;
    private int ringFrames = DEFAULT_RING_FRAMES;

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
     * Sets the size of a switch's memory cell.
     *
     * @param bytes 1 to 4,096.
     * @return this.
     */
    public HeadroomRequest cellBytes(final int bytes)
    {
        require(bytes >= 1 && bytes <= 4096, "cell", bytes, "1 to 4096 bytes");
        cellBytes = bytes;
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

    int cellBytes()
    {
        return cellBytes;
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
