package org.fibnuma.ipnuma.memcached.socket;

import io.netty.buffer.ByteBuf;
import org.fibnuma.ipnuma.memcached.store.Decimal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Answers of a client, written to a buffer that its handler sends. For the holder of the store's lock. */
final class ReplyBuffer
{
    private static final byte[] LINE_END = { '\r', '\n' };

    private final byte[] digits = new byte[Decimal.MAX_DIGITS];
    private ByteBuf buffer;

    void begin(final ByteBuf target)
    {
        buffer = target;
    }

    int length()
    {
        return buffer.readableBytes();
    }

    void truncate(final int length)
    {
        buffer.writerIndex(buffer.readerIndex() + length);
    }

    void line(final byte[] text)
    {
        buffer.writeBytes(text).writeBytes(LINE_END);
    }

    void line(final String text)
    {
        bytes(text.getBytes(StandardCharsets.ISO_8859_1));
        lineEnd();
    }

    void lineEnd()
    {
        buffer.writeBytes(LINE_END);
    }

    void bytes(final byte[] source)
    {
        buffer.writeBytes(source);
    }

    void bytes(final byte[] source, final int offset, final int length)
    {
        buffer.writeBytes(source, offset, length);
    }

    void bytes(final ByteBuffer source)
    {
        buffer.writeBytes(source);
    }

    void character(final char character)
    {
        buffer.writeByte(character);
    }

    /** Writes an unsigned number. */
    void number(final long value)
    {
        buffer.writeBytes(digits, 0, Decimal.format(value, digits));
    }
}
