package org.fibnuma.binding.netlink;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv6Address;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import static org.fibnuma.binding.netlink.NetlinkLayout.ATTRIBUTE_HEADER_LENGTH;
import static org.fibnuma.binding.netlink.NetlinkLayout.ATTRIBUTE_LENGTH_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.ATTRIBUTE_TYPE_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.FLAGS_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.HEADER_LENGTH;
import static org.fibnuma.binding.netlink.NetlinkLayout.LENGTH_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLA_F_NESTED;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_REQUEST;
import static org.fibnuma.binding.netlink.NetlinkLayout.SEQUENCE_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.TYPE_OFFSET;

/** One or more requests in one buffer, sent together. {@link #begin} starts the next request. One thread. */
public final class NetlinkRequest
{
    private final UnsafeBuffer buffer;
    private int offset;
    private int length;

    /** Allocates a buffer of {@code capacity} bytes. */
    public NetlinkRequest(final int capacity)
    {
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
    }

    /** Removes all requests and returns this. */
    public NetlinkRequest clear()
    {
        offset = 0;
        length = 0;
        return this;
    }

    /**
     * Starts a request and returns this; NLM_F_REQUEST is added.
     *
     * @param type            of the message.
     * @param flags           {@code NLM_F_...}.
     * @param sequence        number that the answer will have.
     * @param structureLength bytes of the family's fixed structure, which is zeroed.
     */
    public NetlinkRequest begin(final int type, final int flags, final int sequence, final int structureLength)
    {
        offset = length;
        length += NetlinkLayout.align(HEADER_LENGTH + structureLength);
        buffer.setMemory(offset, length - offset, (byte)0);
        buffer.putShort(offset + TYPE_OFFSET, (short)type);
        buffer.putShort(offset + FLAGS_OFFSET, (short)(flags | NLM_F_REQUEST));
        buffer.putInt(offset + SEQUENCE_OFFSET, sequence);
        buffer.putInt(offset + LENGTH_OFFSET, length - offset);
        return this;
    }

    /** Adds flags {@code NLM_F_...} to the current request and returns this. */
    public NetlinkRequest addFlags(final int flags)
    {
        buffer.putShort(offset + FLAGS_OFFSET, (short)(buffer.getShort(offset + FLAGS_OFFSET) | flags));
        return this;
    }

    /** Writes the low 8 bits of a value to the fixed structure and returns this. */
    public NetlinkRequest putByte(final int fieldOffset, final int value)
    {
        buffer.putByte(offset + HEADER_LENGTH + fieldOffset, (byte)value);
        return this;
    }

    /** Writes the low 16 bits of a value to the fixed structure, in the machine's order, and returns this. */
    public NetlinkRequest putShort(final int fieldOffset, final int value)
    {
        buffer.putShort(offset + HEADER_LENGTH + fieldOffset, (short)value);
        return this;
    }

    /** Writes 32 bits to the fixed structure, in the machine's order, and returns this. */
    public NetlinkRequest putInt(final int fieldOffset, final int value)
    {
        buffer.putInt(offset + HEADER_LENGTH + fieldOffset, value);
        return this;
    }

    /** Adds an attribute of 32 bits in the machine's order and returns this. */
    public NetlinkRequest addInt(final int type, final int value)
    {
        buffer.putInt(addAttribute(type, Integer.BYTES), value);
        return this;
    }

    /** Adds an attribute of 32 bits in network order and returns this. */
    public NetlinkRequest addNetworkInt(final int type, final int value)
    {
        buffer.putInt(addAttribute(type, Integer.BYTES), value, ByteOrder.BIG_ENDIAN);
        return this;
    }

    /** Adds an attribute with all bytes of a buffer and returns this. */
    public NetlinkRequest addBytes(final int type, final DirectBuffer value)
    {
        final int position = addAttribute(type, value.capacity());
        buffer.setMemory(position, length - position, (byte)0);
        buffer.putBytes(position, value, 0, value.capacity());
        return this;
    }

    /** Adds an attribute with the low 8 bits of a value and returns this. */
    public NetlinkRequest addByte(final int type, final int value)
    {
        buffer.putByte(addPadded(type, Byte.BYTES), (byte)value);
        return this;
    }

    /** Adds an attribute with the low 16 bits of a value in network order, and returns this. */
    public NetlinkRequest addNetworkShort(final int type, final int value)
    {
        buffer.putShort(addPadded(type, Short.BYTES), (short)value, ByteOrder.BIG_ENDIAN);
        return this;
    }

    /** Adds an attribute with two longs in the machine's order and returns this. */
    public NetlinkRequest addLongs(final int type, final long first, final long second)
    {
        final int value = addAttribute(type, 2 * Long.BYTES);
        buffer.putLong(value, first);
        buffer.putLong(value + Long.BYTES, second);
        return this;
    }

    /** Adds an attribute with ASCII text and a zero byte, and returns this. */
    public NetlinkRequest addText(final int type, final String text)
    {
        final int value = addPadded(type, text.length() + 1);
        buffer.putStringWithoutLengthAscii(value, text);
        return this;
    }

    /**
     * Adds an attribute with an address in the format of {@link org.fibnuma.core.wire.Ipv4Address}, and returns this.
     */
    public NetlinkRequest addIpv4(final int type, final int address)
    {
        return addNetworkInt(type, address);
    }

    /** Adds an attribute with the 4 or 16 bytes of an address and returns this. */
    public NetlinkRequest addAddress(final int type, final IpAddress address)
    {
        return address.isIpv4() ? addIpv4(type, address.ipv4()) : addIpv6(type, address.high(), address.low());
    }

    /**
     * Adds an attribute with an address in the format of {@link org.fibnuma.core.wire.Ipv6Address}, and returns this.
     */
    public NetlinkRequest addIpv6(final int type, final long high, final long low)
    {
        final int value = addAttribute(type, Ipv6Address.LENGTH);
        buffer.putLong(value, high, ByteOrder.BIG_ENDIAN);
        buffer.putLong(value + Long.BYTES, low, ByteOrder.BIG_ENDIAN);
        return this;
    }

    /**
     * Starts an attribute that contains the attributes added until {@link #endNested}. Returns its position, for
     * {@link #endNested}.
     */
    public int beginNested(final int type)
    {
        return addAttribute(type | NLA_F_NESTED, 0) - ATTRIBUTE_HEADER_LENGTH;
    }

    /** Ends the attribute that {@link #beginNested} started at a position, and returns this. */
    public NetlinkRequest endNested(final int position)
    {
        buffer.putShort(position + ATTRIBUTE_LENGTH_OFFSET, (short)(length - position));
        return this;
    }

    /** Returns the length of all requests in bytes. */
    public int length()
    {
        return length;
    }

    /** Returns the size of the buffer in bytes. */
    public int capacity()
    {
        return buffer.capacity();
    }

    /** Sets the number of the request at a position, and returns the position after it. */
    int number(final int position, final int sequence)
    {
        buffer.putInt(position + SEQUENCE_OFFSET, sequence);
        return position + NetlinkLayout.align(buffer.getInt(position + LENGTH_OFFSET));
    }

    long address()
    {
        return buffer.addressOffset();
    }

    /** Adds an attribute whose value and padding are zeroed. Returns the position of the value. */
    private int addPadded(final int type, final int valueLength)
    {
        final int value = addAttribute(type, valueLength);
        buffer.setMemory(value, length - value, (byte)0);
        return value;
    }

    private int addAttribute(final int type, final int valueLength)
    {
        final int attribute = length;
        buffer.putShort(attribute + ATTRIBUTE_LENGTH_OFFSET, (short)(ATTRIBUTE_HEADER_LENGTH + valueLength));
        buffer.putShort(attribute + ATTRIBUTE_TYPE_OFFSET, (short)type);
        length += NetlinkLayout.align(ATTRIBUTE_HEADER_LENGTH + valueLength);
        buffer.putInt(offset + LENGTH_OFFSET, length - offset);
        return attribute + ATTRIBUTE_HEADER_LENGTH;
    }
}
