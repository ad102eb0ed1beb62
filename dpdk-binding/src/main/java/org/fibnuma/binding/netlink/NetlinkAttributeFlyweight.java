package org.fibnuma.binding.netlink;

import org.agrona.DirectBuffer;

import java.nio.ByteOrder;

import static org.fibnuma.binding.netlink.NetlinkLayout.ATTRIBUTE_HEADER_LENGTH;
import static org.fibnuma.binding.netlink.NetlinkLayout.ATTRIBUTE_LENGTH_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.ATTRIBUTE_TYPE_MASK;
import static org.fibnuma.binding.netlink.NetlinkLayout.ATTRIBUTE_TYPE_OFFSET;

/**
 * A run of attributes, one after the other. An attribute whose length does not fit ends the run; a value that is too
 * short for what is asked of it gives the caller's substitute. Nothing is ever read outside the run.
 */
public final class NetlinkAttributeFlyweight
{
    private static final int MAC_LENGTH = 6;

    private DirectBuffer buffer;
    private int offset;
    private int length;
    private int nextOffset;
    private int limit;

    /**
     * Stands before the first attribute.
     *
     * @param buffer that holds the run.
     * @param offset of its first byte.
     * @param length of it in bytes.
     * @return this.
     */
    public NetlinkAttributeFlyweight wrap(final DirectBuffer buffer, final int offset, final int length)
    {
        this.buffer = buffer;
        this.offset = offset;
        this.length = 0;
        this.nextOffset = offset;
        this.limit = offset + length;
        return this;
    }

    /**
     * Stands before the first attribute inside another's value.
     *
     * @param outer whose value holds the run.
     * @return this.
     */
    public NetlinkAttributeFlyweight wrapNested(final NetlinkAttributeFlyweight outer)
    {
        return wrap(outer.buffer, outer.valueOffset(), outer.valueLength());
    }

    /**
     * Goes to the next attribute.
     *
     * @return false at the end, or where the rest makes no sense.
     */
    public boolean next()
    {
        final int remaining = limit - nextOffset;
        if (remaining < ATTRIBUTE_HEADER_LENGTH)
        {
            return false;
        }
        final int claimed = buffer.getShort(nextOffset + ATTRIBUTE_LENGTH_OFFSET) & 0xFFFF;
        if (claimed < ATTRIBUTE_HEADER_LENGTH || claimed > remaining)
        {
            return false;
        }
        offset = nextOffset;
        length = claimed;
        nextOffset = Math.min(limit, offset + NetlinkLayout.align(claimed));
        return true;
    }

    /**
     * What the attribute is.
     *
     * @return a number of the family, without flag bits.
     */
    public int type()
    {
        return buffer.getShort(offset + ATTRIBUTE_TYPE_OFFSET) & ATTRIBUTE_TYPE_MASK;
    }

    /**
     * Where the value is.
     *
     * @return the buffer that was wrapped.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Where the value begins.
     *
     * @return offset in {@link #buffer()}.
     */
    public int valueOffset()
    {
        return offset + ATTRIBUTE_HEADER_LENGTH;
    }

    /**
     * How much of it there is.
     *
     * @return bytes, 0 or more.
     */
    public int valueLength()
    {
        return length - ATTRIBUTE_HEADER_LENGTH;
    }

    /**
     * The value as 16 bits in the machine's order.
     *
     * @param whenShort what to return where it has fewer.
     * @return 0 to 65,535.
     */
    public int shortValue(final int whenShort)
    {
        return valueLength() < Short.BYTES ? whenShort : buffer.getShort(valueOffset()) & 0xFFFF;
    }

    /**
     * The value as 32 bits in the machine's order.
     *
     * @param whenShort what to return where it has fewer.
     * @return the bits.
     */
    public int intValue(final int whenShort)
    {
        return valueLength() < Integer.BYTES ? whenShort : buffer.getInt(valueOffset());
    }

    /**
     * The value as 32 bits in network order, as nf_tables has them.
     *
     * @param whenShort what to return where it has fewer.
     * @return the bits.
     */
    public int networkIntValue(final int whenShort)
    {
        return valueLength() < Integer.BYTES ? whenShort : buffer.getInt(valueOffset(), ByteOrder.BIG_ENDIAN);
    }

    /**
     * The value as an IPv4 address.
     *
     * @param whenOther what to return where it has not 4 bytes.
     * @return as in {@link org.fibnuma.core.wire.Ipv4Address}.
     */
    public int ipv4Value(final int whenOther)
    {
        return valueLength() == Integer.BYTES ? buffer.getInt(valueOffset(), ByteOrder.BIG_ENDIAN) : whenOther;
    }

    /**
     * The value as an Ethernet address.
     *
     * @return as in {@link org.fibnuma.core.wire.MacAddress}; 0 where it has not 6 bytes.
     */
    public long macValue()
    {
        if (valueLength() != MAC_LENGTH)
        {
            return 0;
        }
        return (buffer.getShort(valueOffset(), ByteOrder.BIG_ENDIAN) & 0xFFFFL) << Integer.SIZE |
            buffer.getInt(valueOffset() + Short.BYTES, ByteOrder.BIG_ENDIAN) & 0xFFFF_FFFFL;
    }

    /**
     * The value as text.
     *
     * @return up to its first zero byte.
     */
    public String textValue()
    {
        int characters = 0;
        while (characters < valueLength() && buffer.getByte(valueOffset() + characters) != 0)
        {
            characters++;
        }
        return buffer.getStringWithoutLengthUtf8(valueOffset(), characters);
    }
}
