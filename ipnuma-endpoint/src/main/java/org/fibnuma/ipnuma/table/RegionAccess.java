package org.fibnuma.ipnuma.table;

/** Kinds of access to a region, as bits. */
public final class RegionAccess
{
    public static final int WRITE = 1;
    public static final int READ = 2;
    /** Fetch and add, swap, compare and swap. Each of them also returns the previous value. */
    public static final int ATOMIC = 4;
    public static final int ALL = WRITE | READ | ATOMIC;

    private static final String[] WORDS = {"write", "read", "atomic"};

    private RegionAccess()
    {
    }

    /**
     * Parses the text of a configuration.
     *
     * @param text such as {@code write+read}.
     * @return the bits.
     * @throws IllegalArgumentException with the part of the text that is not a kind of access.
     */
    public static int parse(final String text)
    {
        int access = 0;
        for (final String word : text.split("\\+", -1))
        {
            final int bit = bitOf(word);
            if (bit == 0)
            {
                throw new IllegalArgumentException(
                    "not an access: \"" + word + "\"; there are write, read and atomic, combined with +");
            }
            access |= bit;
        }
        return access;
    }

    /** Formats access bits, such as {@code write+read}; empty for none. */
    public static String format(final int access)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < WORDS.length; i++)
        {
            if ((access & 1 << i) != 0)
            {
                text.append(text.length() == 0 ? "" : "+").append(WORDS[i]);
            }
        }
        return text.toString();
    }

    private static int bitOf(final String word)
    {
        for (int i = 0; i < WORDS.length; i++)
        {
            if (WORDS[i].equals(word))
            {
                return 1 << i;
            }
        }
        return 0;
    }
}
