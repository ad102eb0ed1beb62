package org.fibnuma.pfc.headroom;

import org.fibnuma.core.wire.EthernetHeaderFlyweight;

/**
 * A link for which headroom is to be computed. Starts with defaults; fluent setters change them. What a model does not
 * ask for has no influence on it.
 */
public final class HeadroomRequest
{
    /** Junos's default, in meters. */
    public static final double DEFAULT_CABLE_METERS = 100;
    /** Bytes of a switch's memory cell, as in the reference vectors of SONiC's model. */
    public static final int DEFAULT_CELL_BYTES = 96;
    /** Worst case: all frames are small and waste most of their cells. */
    public static final int DEFAULT_SMALL_PACKET_PERCENT = 100;
    /** A worker that forwards comes back to its port within this time. */
    public static final long DEFAULT_POLL_NANOS = 20_000;
    /** Frames that a worker takes from a port at once, before it looks at thresholds. */
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
     * For a link.
     *
     * @param bitsPerSecond its speed, 1 or more.
     */
    public HeadroomRequest(final long bitsPerSecond)
    {
        require(bitsPerSecond > 0, "speed", bitsPerSecond, "one such as 10G");
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
     * Sets the longest packet that either side sends.
     *
     * @param bytes 64 to 65,535, without Ethernet's header.
     * @return this.
     */
    public HeadroomRequest mtu(final int bytes)
    {
        require(bytes >= 64 && bytes <= 0xFFFF, "mtu", bytes, "64 to 65535 bytes");
        mtu = bytes;
        return this;
    }

    /**
     * Sets the unit in which a switch's memory is given out.
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
     * Sets how many of the frames are small.
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
     * Sets what is on its way in a gearbox between MAC and cable.
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
     * Sets how long a received frame may wait before anybody counts it.
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
     * Sets how many frames are taken from the port before a threshold is looked at.
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
            throw new IllegalArgumentException(name + " of " + value + " is out of range; give " + range);
        }
    }
}
