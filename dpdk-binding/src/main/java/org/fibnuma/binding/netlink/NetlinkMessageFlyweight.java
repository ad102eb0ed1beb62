package org.fibnuma.binding.netlink;

import org.agrona.DirectBuffer;

import static org.fibnuma.binding.netlink.NetlinkLayout.FLAGS_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.HEADER_LENGTH;
import static org.fibnuma.binding.netlink.NetlinkLayout.LENGTH_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.SEQUENCE_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.TYPE_OFFSET;

/**
 * The messages of one datagram, one after the other. A message whose length does not fit into what was received ends
 * the datagram and is told by {@link #isMalformed()}; nothing is ever read outside it.
 */
public final class NetlinkMessageFlyweight
{
    private DirectBuffer buffer;
    private int offset;
    private int length;
    private int nextOffset;
    private int limit;
    private boolean malformed;

    /**
     * Stands before the first message.
     *
     * @param buffer that holds the datagram.
     * @param offset of its first byte.
     * @param length of it in bytes.
     * @return this.
     */
    public NetlinkMessageFlyweight wrap(final DirectBuffer buffer, final int offset, final int length)
    {
        this.buffer = buffer;
        this.offset = offset;
        this.length = 0;
        this.nextOffset = offset;
        this.limit = offset + length;
        this.malformed = false;
        return this;
    }

    /**
     * Goes to the next message.
     *
     * @return false at the end, or where the rest makes no sense.
     */
    public boolean next()
    {
        final int remaining = limit - nextOffset;
        if (remaining < HEADER_LENGTH)
        {
            malformed |= remaining > 0;
            return false;
        }
        final int claimed = buffer.getInt(nextOffset + LENGTH_OFFSET);
        if (claimed < HEADER_LENGTH || claimed > remaining)
        {
            malformed = true;
            return false;
        }
        offset = nextOffset;
        length = claimed;
        nextOffset = Math.min(limit, offset + NetlinkLayout.align(claimed));
        return true;
    }

    /**
     * Whether the datagram ended in something that is no message.
     *
     * @return true after {@link #next()} met it.
     */
    public boolean isMalformed()
    {
        return malformed;
    }

    /**
     * What the message is.
     *
     * @return {@code NLMSG_...} or a number of the family.
     */
    public int type()
    {
        return buffer.getShort(offset + TYPE_OFFSET) & 0xFFFF;
    }

    /**
     * How it is meant.
     *
     * @return {@code NLM_F_...}.
     */
    public int flags()
    {
        return buffer.getShort(offset + FLAGS_OFFSET) & 0xFFFF;
    }

    /**
     * Which request it answers.
     *
     * @return the request's number; 0 in most notifications.
     */
    public int sequence()
    {
        return buffer.getInt(offset + SEQUENCE_OFFSET);
    }

    /**
     * Where the message is.
     *
     * @return the buffer that was wrapped.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Where the payload begins.
     *
     * @return offset in {@link #buffer()}.
     */
    public int payloadOffset()
    {
        return offset + HEADER_LENGTH;
    }

    /**
     * How much of it there is.
     *
     * @return bytes, 0 or more.
     */
    public int payloadLength()
    {
        return length - HEADER_LENGTH;
    }

    /**
     * Goes through the attributes behind the family's fixed structure.
     *
     * @param attributes      to wrap.
     * @param structureLength bytes of the structure that the payload begins with.
     * @return false where the payload is shorter than the structure; then there are no attributes either.
     */
    public boolean wrapAttributes(final NetlinkAttributeFlyweight attributes, final int structureLength)
    {
        final int aligned = NetlinkLayout.align(structureLength);
        attributes.wrap(buffer, payloadOffset() + aligned, Math.max(0, payloadLength() - aligned));
        return payloadLength() >= structureLength;
    }
}
