package org.fibnuma.ipnuma.memcached.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A command line and its tokens, which are separated by spaces. The line grows up to its limit. Reused for every
 * command of a client.
 */
public final class RequestLine
{
    /** Maximum number of separated tokens; memcached has 24 with the end. */
    public static final int MAX_TOKENS = 23;
    /** Longest line of a command other than get and gets without its end. */
    public static final int MAX_LENGTH = 2048;
    /** Longest line of get and gets: 4,000 keys of full length. */
    public static final int MAX_GET_LENGTH = 1 << 20;

    private static final int INITIAL = 256;
    private static final byte[] GET = "get ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] GETS = "gets ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOREPLY = "noreply".getBytes(StandardCharsets.US_ASCII);

    private final int[] offsets = new int[MAX_TOKENS];
    private final int[] lengths = new int[MAX_TOKENS];
    private byte[] bytes = new byte[INITIAL];
    private int length;
    private int count;
    /** Position of {@link #next}. The next fields have the token that it found. */
    private int rest;
    private int tokenOffset;
    private int tokenLength;

    /** Creates an empty line. */
    public RequestLine()
    {
    }

    /** Empties the line, and releases the memory of an unusually long one. */
    public void clear()
    {
        if (bytes.length > MAX_LENGTH * 2)
        {
            bytes = new byte[INITIAL];
        }
        length = 0;
        count = 0;
    }

    /** Returns the array with the line, with room for this number of bytes after {@link #length}. */
    public byte[] reserve(final int more)
    {
        if (length + more > bytes.length)
        {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
        }
        return bytes;
    }

    /** Adds bytes that were written to the array. */
    public void advance(final int more)
    {
        length += more;
    }

    /** Returns the bytes of the line. */
    public byte[] bytes()
    {
        return bytes;
    }

    /** Returns the length of the line. */
    public int length()
    {
        return length;
    }

    /** Returns whether a line without its end may have more bytes. */
    public boolean mayGrow()
    {
        if (length <= MAX_LENGTH)
        {
            return true;
        }
        int start = 0;
        while (start < 100 && bytes[start] == ' ')
        {
            start++;
        }
        return length <= MAX_GET_LENGTH && (startsWith(start, GET) || startsWith(start, GETS));
    }

    private boolean startsWith(final int offset, final byte[] prefix)
    {
        return Arrays.equals(bytes, offset, offset + prefix.length, prefix, 0, prefix.length);
    }

    /**
     * Ends the line before its LF and finds the tokens. A CR before the LF and everything from a byte 0 on do not
     * count.
     */
    public void end()
    {
        if (length > 1 && bytes[length - 1] == '\r')
        {
            length--;
        }
        for (int i = 0; i < length; i++)
        {
            length = bytes[i] == 0 ? i : length;
        }
        count = 0;
        rest = 0;
        while (count < MAX_TOKENS && next())
        {
            offsets[count] = tokenOffset;
            lengths[count] = tokenLength;
            count++;
        }
        rewind(count == 0 ? 0 : offsets[count - 1] + lengths[count - 1]);
    }

    /** Sets the position of {@link #next}. */
    public void rewind(final int offset)
    {
        rest = offset;
    }

    /** Finds the next token of the line; returns false at its end. */
    public boolean next()
    {
        while (rest < length && bytes[rest] == ' ')
        {
            rest++;
        }
        tokenOffset = rest;
        while (rest < length && bytes[rest] != ' ')
        {
            rest++;
        }
        tokenLength = rest - tokenOffset;
        return tokenLength > 0;
    }

    /** Returns the offset of the token that {@link #next} found. */
    public int nextOffset()
    {
        return tokenOffset;
    }

    /** Returns the length of the token that {@link #next} found. */
    public int nextLength()
    {
        return tokenLength;
    }

    /** Returns the number of tokens, at most {@link #MAX_TOKENS}. */
    public int count()
    {
        return count;
    }

    /** Returns the offset of a token in {@link #bytes}. */
    public int offset(final int token)
    {
        return offsets[token];
    }

    /** Returns the length of a token. */
    public int length(final int token)
    {
        return lengths[token];
    }

    /** Replaces the key by its decoded bytes, which are fewer. */
    public void replace(final int token, final byte[] decoded)
    {
        System.arraycopy(decoded, 0, bytes, offsets[token], decoded.length);
        lengths[token] = decoded.length;
    }

    /** Returns a byte of a token. */
    public byte at(final int token, final int index)
    {
        return bytes[offsets[token] + index];
    }

    /** Returns whether a token equals a word. */
    public boolean is(final int token, final byte[] word)
    {
        return token < count &&
            Arrays.equals(bytes, offsets[token], offsets[token] + lengths[token], word, 0, word.length);
    }

    /** Returns whether the last token is "noreply". */
    public boolean endsWithNoreply()
    {
        return is(count - 1, NOREPLY);
    }

    /** Returns a token as text. */
    public String text(final int token)
    {
        return new String(bytes, offsets[token], lengths[token], StandardCharsets.ISO_8859_1);
    }
}
