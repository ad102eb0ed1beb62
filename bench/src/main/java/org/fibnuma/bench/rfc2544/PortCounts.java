package org.fibnuma.bench.rfc2544;

/**
 * Links of a device.
 *
 * @param left  from which frames come.
 * @param right to which they go.
 */
record PortCounts(int left, int right)
{
    static final PortCounts ONE_EACH = new PortCounts(1, 1);
    static final int MOST = 4;

    /**
     * Reads the value of an option.
     *
     * @param text such as {@code 1:3}.
     * @return null if it is not of this form or a number is not 1 to {@link #MOST}.
     */
    static PortCounts parse(final String text)
    {
        return text.matches("[1-" + MOST + "]:[1-" + MOST + "]") ?
            new PortCounts(text.charAt(0) - '0', text.charAt(2) - '0') : null;
    }

    /** Returns the text of the option. */
    @Override
    public String toString()
    {
        return left + ":" + right;
    }
}
