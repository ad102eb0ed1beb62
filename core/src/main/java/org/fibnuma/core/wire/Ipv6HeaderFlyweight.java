package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/** IPv6 header (RFC 8200 section 3), without extension headers. */
public final class Ipv6HeaderFlyweight
{
    /** Offset of the 32-bit word of version, traffic class and flow label, from the highest bit. */
    public static final int VERSION_CLASS_FLOW_OFFSET = 0;
    public static final int PAYLOAD_LENGTH_OFFSET = VERSION_CLASS_FLOW_OFFSET + Integer.BYTES;
    public static final int NEXT_HEADER_OFFSET = PAYLOAD_LENGTH_OFFSET + Short.BYTES;
    public static final int HOP_LIMIT_OFFSET = NEXT_HEADER_OFFSET + Byte.BYTES;
    public static final int SOURCE_OFFSET = HOP_LIMIT_OFFSET + Byte.BYTES;
    public static final int DESTINATION_OFFSET = SOURCE_OFFSET + Ipv6Address.LENGTH;
    public static final int LENGTH = DESTINATION_OFFSET + Ipv6Address.LENGTH;

    public static final int VERSION_6 = 6;
    /** Highest hop limit with which a packet is not forwarded (RFC 8200 section 3). */
    public static final int LAST_HOP_LIMIT = 1;
    /** Shift of the version in the word at {@link #VERSION_CLASS_FLOW_OFFSET}. */
    public static final int VERSION_SHIFT = 28;
    /** Shift of the traffic class in the same word. */
    public static final int TRAFFIC_CLASS_SHIFT = 20;
    /** The flow label in the same word. */
    public static final int FLOW_LABEL_MASK = 0xFFFFF;
    /** Smallest MTU of a link, in bytes (RFC 8200 section 5). */
    public static final int MIN_MTU = 1280;

    private long address;

    /** Places this view over the header at a native address and returns this view. */
    public Ipv6HeaderFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /** Returns the version, 0 to 15; {@link #VERSION_6} in a valid header. */
    public int version()
    {
        return versionClassFlow() >>> VERSION_SHIFT;
    }

    /** Returns DSCP (high six bits, RFC 2474) and ECN (low two, RFC 3168), 0 to 255. */
    public int trafficClass()
    {
        return versionClassFlow() >>> TRAFFIC_CLASS_SHIFT & 0xFF;
    }

    /** Returns the flow label (RFC 6437), 20 bits. */
    public int flowLabel()
    {
        return versionClassFlow() & FLOW_LABEL_MASK;
    }

    /** Sets the version to 6, the traffic class, 0 to 255, and the flow label, 20 bits. */
    public Ipv6HeaderFlyweight versionClassFlow(final int trafficClass, final int flowLabel)
    {
        FrameMemory.putIntBE(address + VERSION_CLASS_FLOW_OFFSET,
            VERSION_6 << VERSION_SHIFT | trafficClass << TRAFFIC_CLASS_SHIFT | flowLabel);
        return this;
    }

    /** Returns the length of everything after this header in bytes, extension headers included, 0 to 65,535. */
    public int payloadLength()
    {
        return FrameMemory.getShortBE(address + PAYLOAD_LENGTH_OFFSET);
    }

    /** Sets the length of everything after this header in bytes. */
    public Ipv6HeaderFlyweight payloadLength(final int length)
    {
        FrameMemory.putShortBE(address + PAYLOAD_LENGTH_OFFSET, length);
        return this;
    }

    /** Returns the type of the header that follows, 0 to 255; see {@link IpProtocol}. */
    public int nextHeader()
    {
        return FrameMemory.getByte(address + NEXT_HEADER_OFFSET) & 0xFF;
    }

    /** Sets the type of the header that follows; see {@link IpProtocol}. */
    public Ipv6HeaderFlyweight nextHeader(final int nextHeader)
    {
        FrameMemory.putByte(address + NEXT_HEADER_OFFSET, nextHeader);
        return this;
    }

    /** Returns the hop limit, 0 to 255. */
    public int hopLimit()
    {
        return FrameMemory.getByte(address + HOP_LIMIT_OFFSET) & 0xFF;
    }

    /** Sets the hop limit, 0 to 255. */
    public Ipv6HeaderFlyweight hopLimit(final int hopLimit)
    {
        FrameMemory.putByte(address + HOP_LIMIT_OFFSET, hopLimit);
        return this;
    }

    /** Decrements the hop limit, which must not be 0, of the header at a native address. */
    public static void decrementHopLimit(final long address)
    {
        FrameMemory.putByte(address + HOP_LIMIT_OFFSET, FrameMemory.getByte(address + HOP_LIMIT_OFFSET) - 1);
    }

    /** Returns the first eight bytes of the source address, as {@link Ipv6Address#high}. */
    public long sourceHigh()
    {
        return FrameMemory.getLongBE(address + SOURCE_OFFSET);
    }

    /** Returns the last eight bytes of the source address, as {@link Ipv6Address#low}. */
    public long sourceLow()
    {
        return FrameMemory.getLongBE(address + SOURCE_OFFSET + Long.BYTES);
    }

    /** Sets the source address, in the format of {@link Ipv6Address}. */
    public Ipv6HeaderFlyweight source(final long high, final long low)
    {
        FrameMemory.putLongBE(address + SOURCE_OFFSET, high);
        FrameMemory.putLongBE(address + SOURCE_OFFSET + Long.BYTES, low);
        return this;
    }

    /** Returns the first eight bytes of the destination address, as {@link Ipv6Address#high}. */
    public long destinationHigh()
    {
        return FrameMemory.getLongBE(address + DESTINATION_OFFSET);
    }

    /** Returns the last eight bytes of the destination address, as {@link Ipv6Address#low}. */
    public long destinationLow()
    {
        return FrameMemory.getLongBE(address + DESTINATION_OFFSET + Long.BYTES);
    }

    /** Sets the destination address, in the format of {@link Ipv6Address}. */
    public Ipv6HeaderFlyweight destination(final long high, final long low)
    {
        FrameMemory.putLongBE(address + DESTINATION_OFFSET, high);
        FrameMemory.putLongBE(address + DESTINATION_OFFSET + Long.BYTES, low);
        return this;
    }

    private int versionClassFlow()
    {
        return FrameMemory.getIntBE(address + VERSION_CLASS_FLOW_OFFSET);
    }
}
