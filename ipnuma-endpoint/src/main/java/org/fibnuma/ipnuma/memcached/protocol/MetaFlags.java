package org.fibnuma.ipnuma.memcached.protocol;

import org.fibnuma.ipnuma.memcached.store.Decimal;

import java.util.Arrays;
import java.util.Base64;

/**
 * The flags of a meta command: one character each, some followed by a token, each at most once. Reused for every
 * command.
 */
public final class MetaFlags
{
    /** Longest flag O with its character. */
    public static final int MAX_OPAQUE_LENGTH = 32;
    /** Maximum number of tokens of a meta command, including its name and key. */
    public static final int MAX_TOKENS = 19;

    private static final int KEY = 1;
    private static final int BASE64_UNIT = 4;
    private static final String BAD_FORMAT = "CLIENT_ERROR bad command line format";
    private static final String BAD_TOKEN = "CLIENT_ERROR bad token in command line format";
    /** Valid flags without an effect before the item is found. */
    private static final String PLAIN = "lOPLkstcfhvuqI";

    private final Decimal decimal = new Decimal();
    private final boolean[] seen = new boolean[Byte.MAX_VALUE];
    private String error;
    private char mode;
    private int newTtl;
    private int vivifyTtl;
    private int recacheTtl;
    private int clientFlags;
    private long cas;
    private long delta;
    private long initial;

    /** Creates flags without any. */
    public MetaFlags()
    {
    }

    /**
     * Reads the flags of a command. Decodes the key in the line if it is in base64.
     *
     * @param line  with tokens.
     * @param first token that is a flag.
     * @return whether all are valid. If not, {@link #error()} has the reason.
     */
    public boolean parse(final RequestLine line, final int first)
    {
        Arrays.fill(seen, false);
        error = null;
        mode = 0;
        newTtl = 0;
        vivifyTtl = 0;
        recacheTtl = 0;
        clientFlags = 0;
        cas = 0;
        delta = 1;
        initial = 0;
        for (int i = first; i < line.count(); i++)
        {
            final byte flag = line.at(i, 0);
            if (flag < 0 || flag == Byte.MAX_VALUE || seen[flag])
            {
                error = "CLIENT_ERROR duplicate flag";
                return false;
            }
            seen[flag] = true;
            if (!accept(line, i, (char)flag))
            {
                error = "CLIENT_ERROR invalid flag";
                return false;
            }
        }
        return error == null;
    }

    private boolean accept(final RequestLine line, final int token, final char flag)
    {
        switch (flag)
        {
            case 'b' -> decodeKey(line);
            case 'N' -> vivifyTtl = seconds(line, token);
            case 'T' -> newTtl = seconds(line, token);
            case 'R' -> recacheTtl = seconds(line, token);
            case 'F' -> clientFlags = (int)number(line, token, error == null ? BAD_FORMAT : error);
            case 'C' -> cas = number(line, token, BAD_TOKEN);
            case 'J' -> initial = number(line, token, "CLIENT_ERROR invalid numeric initial value");
            case 'D' -> delta = number(line, token, "CLIENT_ERROR invalid numeric delta value");
            case 'M' -> readMode(line, token);
            default ->
            {
                return PLAIN.indexOf(flag) >= 0;
            }
        }
        return true;
    }

    private void decodeKey(final RequestLine line)
    {
        final byte[] encoded = Arrays.copyOfRange(
            line.bytes(), line.offset(KEY), line.offset(KEY) + line.length(KEY));
        try
        {
            if (encoded.length % BASE64_UNIT == 0)
            {
                line.replace(KEY, Base64.getDecoder().decode(encoded));
                return;
            }
        }
        catch (final IllegalArgumentException ignore)
        {
            // The error is that of a wrong length.
        }
        error = "CLIENT_ERROR error decoding key";
    }

    private int seconds(final RequestLine line, final int token)
    {
        if (!decimal.readSigned(line.bytes(), line.offset(token) + 1, line.length(token) - 1))
        {
            error = BAD_TOKEN;
        }
        return decimal.intValue();
    }

    private long number(final RequestLine line, final int token, final String problem)
    {
        if (!decimal.readUnsigned(line.bytes(), line.offset(token) + 1, line.length(token) - 1))
        {
            error = problem;
        }
        return decimal.value();
    }

    private void readMode(final RequestLine line, final int token)
    {
        if (line.length(token) == 2)
        {
            mode = (char)line.at(token, 1);
        }
        else
        {
            error = "CLIENT_ERROR incorrect length for M token";
        }
    }

    /** Returns the answer line for invalid flags. */
    public String error()
    {
        return error;
    }

    /** Returns whether a flag is present. */
    public boolean has(final char flag)
    {
        return seen[flag];
    }

    /** Returns the character of flag M, or 0 without it. */
    public char mode()
    {
        return mode;
    }

    /** Returns the number of flag T as the client gave it. */
    public int newTtl()
    {
        return newTtl;
    }

    /** Returns the number of flag N as the client gave it. */
    public int vivifyTtl()
    {
        return vivifyTtl;
    }

    /** Returns the number of flag R as the client gave it. */
    public int recacheTtl()
    {
        return recacheTtl;
    }

    /** Returns the number of flag F. */
    public int clientFlags()
    {
        return clientFlags;
    }

    /** Returns the number of flag C, 0 without it. */
    public long cas()
    {
        return cas;
    }

    /** Returns the number of flag D, 1 without it. */
    public long delta()
    {
        return delta;
    }

    /** Returns the number of flag J, 0 without it. */
    public long initial()
    {
        return initial;
    }
}
