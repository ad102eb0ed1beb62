package org.fibnuma.binding.netlink;

import org.agrona.DirectBuffer;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;

import java.nio.ByteOrder;

import static org.fibnuma.binding.netlink.NetlinkLayout.ATTRIBUTE_HEADER_LENGTH;
import static org.fibnuma.binding.netlink.NetlinkLayout.ATTRIBUTE_LENGTH_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.ATTRIBUTE_TYPE_MASK;
import static org.fibnuma.binding.netlink.NetlinkLayout.ATTRIBUTE_TYPE_OFFSET;

/**
 * Iterates over consecutive attributes. An attribute of invalid length ends the iteration. If a value is too short for
 * the requested type, the caller's substitute is returned. Nothing is read outside the attributes.
 */
public final class NetlinkAttributeFlyweight
{
    private static final int MAC_LENGTH = 6;

    private DirectBuffer buffer;
    private int offset;
    private int length;
    private int nextOffset;
    private int limit;
    private boolean malformed;

    /** Moves before the first attribute of {@code length} bytes of attributes in a buffer, and returns this. */
    public NetlinkAttributeFlyweight wrap(final DirectBuffer buffer, final int offset, final int length)
    {
        this.buffer = buffer;
        this.offset = offset;
        this.length = 0;
        this.nextOffset = offset;
        this.limit = offset + length;
        this.malformed = false;
        return this;
    }

    /** Moves before the first attribute nested in another attribute's value, and returns this. */
    public NetlinkAttributeFlyweight wrapNested(final NetlinkAttributeFlyweight outer)
    {
        return wrap(outer.buffer, outer.valueOffset(), outer.valueLength());
    }

    /** Moves to the next attribute. Returns false at the end, or if the rest is malformed. */
    public boolean next()
    {
        final int remaining = limit - nextOffset;
        if (remaining < ATTRIBUTE_HEADER_LENGTH)
        {
            malformed |= remaining > 0;
            return false;
        }
        final int claimed = buffer.getShort(nextOffset + ATTRIBUTE_LENGTH_OFFSET) & 0xFFFF;
        if (claimed < ATTRIBUTE_HEADER_LENGTH || claimed > remaining)
        {
            malformed = true;
            return false;
        }
        offset = nextOffset;
        length = claimed;
        nextOffset = Math.min(limit, offset + NetlinkLayout.align(claimed));
        return true;
    }

    /** Moves to the next attribute of a type. Returns false at the end, or if the rest is malformed. */
    public boolean find(final int type)
    {
        while (next())
        {
            if (type() == type)
            {
                return true;
            }
        }
        return false;
    }

    /** Returns whether {@link #next()} ended at bytes that are not an attribute. */
    public boolean isMalformed()
    {
        return malformed;
    }

    /** Returns the type of the attribute, a number of the family, without flag bits. */
    public int type()
    {
        return buffer.getShort(offset + ATTRIBUTE_TYPE_OFFSET) & ATTRIBUTE_TYPE_MASK;
    }

    /** Returns the buffer that was wrapped. */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /** Returns the offset of the value in {@link #buffer()}. */
    public int valueOffset()
    {
        return offset + ATTRIBUTE_HEADER_LENGTH;
    }

    /** Returns the length of the value in bytes, 0 or more. */
    public int valueLength()
    {
        return length - ATTRIBUTE_HEADER_LENGTH;
    }

    /** Returns the value as 8 bits, 0 to 255, or a substitute for a shorter value. */
    public int byteValue(final int whenShort)
    {
        return valueLength() < Byte.BYTES ? whenShort : buffer.getByte(valueOffset()) & 0xFF;
    }

    /** Returns the value as 16 bits in the machine's order, 0 to 65,535, or a substitute for a shorter value. */
    public int shortValue(final int whenShort)
    {
        return valueLength() < Short.BYTES ? whenShort : buffer.getShort(valueOffset()) & 0xFFFF;
    }

    /** Returns the value as 16 bits in network order, 0 to 65,535, or a substitute for a shorter value. */
    public int networkShortValue(final int whenShort)
    {
        return valueLength() < Short.BYTES ?
            whenShort : buffer.getShort(valueOffset(), ByteOrder.BIG_ENDIAN) & 0xFFFF;
    }

    /** Returns the value as 32 bits in the machine's order, or a substitute for a shorter value. */
    public int intValue(final int whenShort)
    {
        return valueLength() < Integer.BYTES ? whenShort : buffer.getInt(valueOffset());
    }

    /** Returns the value as 32 bits in network order, or a substitute for a shorter value. */
    public int networkIntValue(final int whenShort)
    {
        return valueLength() < Integer.BYTES ? whenShort : buffer.getInt(valueOffset(), ByteOrder.BIG_ENDIAN);
    }

    /**
     * Returns the high half of an IPv4 or IPv6 address in the format of {@link IpAddress}; both halves are 0 if the
     * value has neither 4 nor 16 bytes.
     */
    public long addressHigh()
    {
        return valueLength() == Ipv6Address.LENGTH ? buffer.getLong(valueOffset(), ByteOrder.BIG_ENDIAN) : 0;
    }

    /** Returns the low half of the address of {@link #addressHigh()}. */
    public long addressLow()
    {
        return switch (valueLength())
        {
            case Ipv4Address.LENGTH -> IpAddress.mappedLow(buffer.getInt(valueOffset(), ByteOrder.BIG_ENDIAN));
            case Ipv6Address.LENGTH -> buffer.getLong(valueOffset() + Long.BYTES, ByteOrder.BIG_ENDIAN);
            default -> 0;
        };
    }

    /** Returns an IPv4 or IPv6 address; {@link IpAddress#NONE} if the value has neither 4 nor 16 bytes. */
    public IpAddress addressValue()
    {
        return new IpAddress(addressHigh(), addressLow());
    }

    /** Returns the value in the format of {@link org.fibnuma.core.wire.MacAddress}; 0 if it has not 6 bytes. */
    public long macValue()
    {
        if (valueLength() != MAC_LENGTH)
        {
            return 0;
        }
        return (buffer.getShort(valueOffset(), ByteOrder.BIG_ENDIAN) & 0xFFFFL) << Integer.SIZE |
            buffer.getInt(valueOffset() + Short.BYTES, ByteOrder.BIG_ENDIAN) & 0xFFFF_FFFFL;
    }

    /** Returns the value as text, up to its first zero byte. */
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
