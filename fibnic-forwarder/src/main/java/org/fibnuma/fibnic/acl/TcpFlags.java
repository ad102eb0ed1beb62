package org.fibnuma.fibnic.acl;

import java.util.ArrayList;
import java.util.List;

/** The flags of TCP (RFC 9293 section 3.1) as text: {@code syn,!ack} is SYN set and ACK not set. */
public final class TcpFlags
{
    private static final List<String> NAMES = List.of("fin", "syn", "rst", "psh", "ack", "urg", "ece", "cwr");
    private static final String NOT = "!";
    private static final int MASK_SHIFT = 8;

    private TcpFlags()
    {
    }

    /**
     * Parses flags.
     *
     * @param text names separated by commas, each with {@code !} before it if the flag must not be set.
     * @return value and mask, to be read by {@link #value} and {@link #mask}.
     * @throws IllegalArgumentException quoting the name that is not a flag or occurs twice.
     */
    public static int parse(final String text)
    {
        int value = 0;
        int mask = 0;
        for (final String part : text.split(",", -1))
        {
            final String word = part.strip();
            final int bit = NAMES.indexOf(word.startsWith(NOT) ? word.substring(1) : word);
            if (bit < 0 || (mask & 1 << bit) != 0)
            {
                throw new IllegalArgumentException("\"" + word + "\" " +
                    (bit < 0 ? "is not a TCP flag; one of " + String.join(", ", NAMES) + ", or \"!\" and one of them" :
                    "is given twice; give each flag once"));
            }
            mask |= 1 << bit;
            value |= word.startsWith(NOT) ? 0 : 1 << bit;
        }
        return mask << MASK_SHIFT | value;
    }

    /** Returns the values of the flags in a result of {@link #parse}. */
    public static int value(final int parsed)
    {
        return parsed & (1 << MASK_SHIFT) - 1;
    }

    /** Returns the flags that a result of {@link #parse} names. */
    public static int mask(final int parsed)
    {
        return parsed >>> MASK_SHIFT;
    }

    /** Returns the text of some flags. */
    static String format(final int value, final int mask)
    {
        final List<String> words = new ArrayList<>();
        for (int bit = 0; bit < NAMES.size(); bit++)
        {
            if ((mask & 1 << bit) != 0)
            {
                words.add(((value & 1 << bit) != 0 ? "" : NOT) + NAMES.get(bit));
            }
        }
        return String.join(",", words);
    }
}
