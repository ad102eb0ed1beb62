package org.fibnuma.binding.netlink;

import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/** Netlink messages written down as hexadecimal bytes of a little-endian machine. */
public final class HexMessage
{
    private HexMessage()
    {
    }

    /**
     * Bytes as they are, whatever blanks are between them; a buffer of just their length, so that no read passes its
     * end.
     */
    public static UnsafeBuffer buffer(final String hex)
    {
        final byte[] bytes = HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes.length));
        buffer.putBytes(0, bytes);
        return buffer;
    }

    /** A message with the payload, standing on it. */
    public static NetlinkMessageFlyweight message(final int type, final int flags, final String payload)
    {
        final UnsafeBuffer body = buffer(payload);
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(16 + body.capacity()));
        buffer.putInt(0, buffer.capacity(), ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(4, (short)type, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(6, (short)flags, ByteOrder.LITTLE_ENDIAN);
        buffer.putBytes(16, body, 0, body.capacity());
        return first(buffer);
    }

    /** The first message of a datagram. */
    public static NetlinkMessageFlyweight first(final UnsafeBuffer datagram)
    {
        final NetlinkMessageFlyweight message =
            new NetlinkMessageFlyweight().wrap(datagram, 0, datagram.capacity());
        message.next();
        return message;
    }
}
