package org.fibnuma.binding.netlink;

import org.agrona.DirectBuffer;

import static org.fibnuma.binding.netlink.NetlinkLayout.FLAGS_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.HEADER_LENGTH;
import static org.fibnuma.binding.netlink.NetlinkLayout.LENGTH_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.PORT_ID_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.SEQUENCE_OFFSET;
import static org.fibnuma.binding.netlink.NetlinkLayout.TYPE_OFFSET;

/**
 * Iterates over the messages of one datagram. A message of invalid length ends the iteration, and
 * {@link #isMalformed()} reports it. Nothing is read outside the datagram.
 */
public final class NetlinkMessageFlyweight
{
    private DirectBuffer buffer;
    private int offset;
    private int length;
    private int nextOffset;
    private int limit;
    private boolean malformed;

    /** Moves before the first message of a datagram of {@code length} bytes in a buffer, and returns this. */
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

    /** Moves to the next message. Returns false at the end, or if the rest is malformed. */
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

    /** Returns whether {@link #next()} ended at bytes that are not a message. */
    public boolean isMalformed()
    {
        return malformed;
    }

    /** Returns the type of the message: {@code NLMSG_...} or a number of the family. */
    public int type()
    {
        return buffer.getShort(offset + TYPE_OFFSET) & 0xFFFF;
    }

    /** Returns the flags, {@code NLM_F_...}. */
    public int flags()
    {
        return buffer.getShort(offset + FLAGS_OFFSET) & 0xFFFF;
    }

    /** Returns the number of the request that this message answers; 0 in most notifications. */
    public int sequence()
    {
        return buffer.getInt(offset + SEQUENCE_OFFSET);
    }

    /** Returns the port of the socket whose request caused this message; 0 if the kernel itself did. */
    public int portId()
    {
        return buffer.getInt(offset + PORT_ID_OFFSET);
    }

    /** Returns the buffer that was wrapped. */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /** Returns the offset of the payload in {@link #buffer()}. */
    public int payloadOffset()
    {
        return offset + HEADER_LENGTH;
    }

    /** Returns the length of the payload in bytes, 0 or more. */
    public int payloadLength()
    {
        return length - HEADER_LENGTH;
    }

    /**
     * Wraps the attributes after the family's structure of fixed length at the start of the payload. Returns false if
     * the payload is shorter than the structure; then there are no attributes.
     */
    public boolean wrapAttributes(final NetlinkAttributeFlyweight attributes, final int structureLength)
    {
        final int aligned = NetlinkLayout.align(structureLength);
        attributes.wrap(buffer, payloadOffset() + aligned, Math.max(0, payloadLength() - aligned));
        return payloadLength() >= structureLength;
    }
}
