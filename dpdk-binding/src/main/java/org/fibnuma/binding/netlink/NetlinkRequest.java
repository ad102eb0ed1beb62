package org.fibnuma.binding.netlink;

import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import static org.fibnuma.binding.netlink.NetlinkLayout.ATTRIBUTE_HEADER_LENGTH;
import static org.fibnuma.binding.netlink.NetlinkLayout.ATTRIBUTE_LENGTH_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.ATTRIBUTE_TYPE_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.FLAGS_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.HEADER_LENGTH;
import static org.fibnuma.binding.netlink.NetlinkLayout.LENGTH_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_REQUEST;
import static org.fibnuma.binding.netlink.NetlinkLayout.SEQUENCE_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.TYPE_OFFSET;

/**
 * One or more requests written one behind the other, to be sent at once. Each is begun, filled and ended by the next
 * {@link #begin} or by sending. One thread.
 */
public final class NetlinkRequest
{
    private final UnsafeBuffer buffer;
    private int offset;
    private int length;

    /**
     * With room for a batch.
     *
     * @param capacity in bytes.
     */
    public NetlinkRequest(final int capacity)
    {
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
    }

    /**
     * Forgets what was written.
     *
     * @return this.
     */
    public NetlinkRequest clear()
    {
        offset = 0;
        length = 0;
        return this;
    }

    /**
     * Begins a request; NLM_F_REQUEST is added.
     *
     * @param type            what is asked.
     * @param flags           {@code NLM_F_...}.
     * @param sequence        number that its answer will carry.
     * @param structureLength bytes of the family's fixed structure, which begins as zeros.
     * @return this.
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

    /**
     * Adds flags to the request that was begun last.
     *
     * @param flags {@code NLM_F_...}.
     * @return this.
     */
    public NetlinkRequest addFlags(final int flags)
    {
        buffer.putShort(offset + FLAGS_OFFSET, (short)(buffer.getShort(offset + FLAGS_OFFSET) | flags));
        return this;
    }

    /**
     * Writes a field of the fixed structure.
     *
     * @param fieldOffset in the structure.
     * @param value       the low 8 bits of which are stored.
     * @return this.
     */
    public NetlinkRequest putByte(final int fieldOffset, final int value)
    {
        buffer.putByte(offset + HEADER_LENGTH + fieldOffset, (byte)value);
        return this;
    }

    /**
     * Writes a field of the fixed structure.
     *
     * @param fieldOffset in the structure.
     * @param value       the low 16 bits of which are stored in the machine's order.
     * @return this.
     */
    public NetlinkRequest putShort(final int fieldOffset, final int value)
    {
        buffer.putShort(offset + HEADER_LENGTH + fieldOffset, (short)value);
        return this;
    }

    /**
     * Writes a field of the fixed structure.
     *
     * @param fieldOffset in the structure.
     * @param value       in the machine's order.
     * @return this.
     */
    public NetlinkRequest putInt(final int fieldOffset, final int value)
    {
        buffer.putInt(offset + HEADER_LENGTH + fieldOffset, value);
        return this;
    }

    /**
     * Adds an attribute of 32 bits in the machine's order.
     *
     * @param type  what it is.
     * @param value of it.
     * @return this.
     */
    public NetlinkRequest addInt(final int type, final int value)
    {
        buffer.putInt(addAttribute(type, Integer.BYTES), value);
        return this;
    }

    /**
     * Adds an attribute that is text, with a zero byte at its end.
     *
     * @param type what it is.
     * @param text in ASCII.
     * @return this.
     */
    public NetlinkRequest addText(final int type, final String text)
    {
        final int value = addAttribute(type, text.length() + 1);
        buffer.setMemory(value, length - value, (byte)0);
        buffer.putStringWithoutLengthAscii(value, text);
        return this;
    }

    /**
     * Adds an attribute that is an IPv4 address.
     *
     * @param type    what it is.
     * @param address as in {@link org.fibnuma.core.wire.Ipv4Address}.
     * @return this.
     */
    public NetlinkRequest addIpv4(final int type, final int address)
    {
        buffer.putInt(addAttribute(type, Integer.BYTES), address, ByteOrder.BIG_ENDIAN);
        return this;
    }

    /**
     * How much is written.
     *
     * @return bytes of all requests.
     */
    public int length()
    {
        return length;
    }

    /**
     * How much room there is.
     *
     * @return bytes.
     */
    public int capacity()
    {
        return buffer.capacity();
    }

    long address()
    {
        return buffer.addressOffset();
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
