package org.fibnuma.ipnuma.memcached.store;

import java.nio.ByteBuffer;

/**
 * Reads and writes decimal numbers as memcached does, by the rules of C's strtoull and strtol. White space and a sign
 * may precede the digits. White space, a byte 0 or the end must follow. Used by one thread at a time.
 */
public final class Decimal
{
    /** Maximum number of digits of a 64-bit number. */
    public static final int MAX_DIGITS = 20;
    private static final int RADIX = 10;
    private static final long MAX_TENTH = Long.divideUnsigned(-1L, RADIX);

    private long magnitude;
    private boolean isNegative;
    private boolean hasSign;
    private boolean hasDigits;
    private boolean isTooLarge;
    private boolean isEnded;
    private boolean isInvalid;

    /** Creates a reader. */
    public Decimal()
    {
    }

    /** Reads an unsigned 64-bit number; returns false if the bytes are not one. */
    public boolean readUnsigned(final byte[] bytes, final int offset, final int length)
    {
        read(bytes, offset, length);
        return isUnsigned();
    }

    /** Reads an unsigned 64-bit number from position to limit; returns false if the bytes are not one. */
    public boolean readUnsigned(final ByteBuffer bytes)
    {
        start();
        while (bytes.hasRemaining() && !isEnded)
        {
            accept(bytes.get());
        }
        return isUnsigned();
    }

    /** Reads a signed number; returns false if the bytes are not one. {@link #intValue} has its low 32 bits. */
    public boolean readSigned(final byte[] bytes, final int offset, final int length)
    {
        read(bytes, offset, length);
        return isNumber() && (magnitude >= 0 || isNegative && magnitude == Long.MIN_VALUE);
    }

    /** Returns the number that was read last. */
    public long value()
    {
        return isNegative ? -magnitude : magnitude;
    }

    /** Returns the low 32 bits of the number that was read last. */
    public int intValue()
    {
        return (int)value();
    }

    private void read(final byte[] bytes, final int offset, final int length)
    {
        start();
        for (int i = offset; i < offset + length && !isEnded; i++)
        {
            accept(bytes[i]);
        }
    }

    private boolean isNumber()
    {
        return hasDigits && !isInvalid && !isTooLarge;
    }

    private boolean isUnsigned()
    {
        return isNumber() && !(isNegative && value() < 0);
    }

    private void start()
    {
        magnitude = 0;
        isNegative = false;
        hasSign = false;
        hasDigits = false;
        isTooLarge = false;
        isEnded = false;
        isInvalid = false;
    }

    private void accept(final byte character)
    {
        if (character >= '0' && character <= '9')
        {
            final int digit = character - '0';
            final long next = magnitude * RADIX + digit;
            isTooLarge |= Long.compareUnsigned(magnitude, MAX_TENTH) > 0 || Long.compareUnsigned(next, digit) < 0;
            magnitude = next;
            hasDigits = true;
        }
        else if (hasDigits)
        {
            isEnded = true;
            isInvalid = !isSpace(character) && character != 0;
        }
        else if (!hasSign && (character == '-' || character == '+'))
        {
            hasSign = true;
            isNegative = character == '-';
        }
        else if (hasSign || !isSpace(character))
        {
            isEnded = true;
            isInvalid = true;
        }
    }

    private static boolean isSpace(final byte character)
    {
        return character == ' ' || character >= '\t' && character <= '\r';
    }

    /**
     * Writes an unsigned number to the start of an array of {@link #MAX_DIGITS} bytes; returns the number of digits.
     */
    public static int format(final long number, final byte[] target)
    {
        int length = 1;
        for (long rest = Long.divideUnsigned(number, RADIX); rest != 0; rest /= RADIX)
        {
            length++;
        }
        long rest = number;
        for (int i = length - 1; i >= 0; i--)
        {
            final long quotient = rest >= 0 ? rest / RADIX : Long.divideUnsigned(rest, RADIX);
            target[i] = (byte)('0' + (rest - quotient * RADIX));
            rest = quotient;
        }
        return length;
    }
}
