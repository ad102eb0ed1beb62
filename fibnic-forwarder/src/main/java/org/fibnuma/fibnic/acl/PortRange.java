package org.fibnuma.fibnic.acl;

/**
 * A range of ports of a transport protocol, or of types or codes of ICMP.
 *
 * @param first lowest port, from 0.
 * @param last  highest port, from {@code first} to 65,535.
 */
public record PortRange(int first, int last)
{
    /** All ports. */
    public static final PortRange ANY = new PortRange(0, 0xFFFF);

    /** Checks the order. */
    public PortRange
    {
        if (first < 0 || first > last || last > 0xFFFF)
        {
            throw new IllegalArgumentException(text(first, last) +
                " is not a range of ports; give 0 to 65535, the lower one first");
        }
    }

    /** Returns the range of one port. */
    public static PortRange of(final int port)
    {
        return new PortRange(port, port);
    }

    /**
     * Parses {@code 80} or {@code 1024-65535}.
     *
     * @throws IllegalArgumentException quoting the text if it is not a range.
     */
    public static PortRange parse(final String text)
    {
        if (!text.matches("\\d{1,5}(-\\d{1,5})?"))
        {
            throw new IllegalArgumentException(
                "\"" + text + "\" is not a range of ports; write \"80\" or \"1024-65535\"");
        }
        final int hyphen = text.indexOf('-');
        final int first = Integer.parseInt(hyphen < 0 ? text : text.substring(0, hyphen));
        return new PortRange(first, Integer.parseInt(text.substring(hyphen + 1)));
    }

    /** Returns whether this range contains all ports. */
    public boolean isAny()
    {
        return equals(ANY);
    }

    /** Returns whether a port is in this range. */
    public boolean contains(final int port)
    {
        return first <= port && port <= last;
    }

    /** Returns whether all ports of another range are in this one. */
    public boolean covers(final PortRange inner)
    {
        return first <= inner.first && inner.last <= last;
    }

    @Override
    public String toString()
    {
        return text(first, last);
    }

    private static String text(final int first, final int last)
    {
        return first == last ? String.valueOf(first) : first + "-" + last;
    }
}
