package org.fibnuma.core.wire;

/** IPv4 addresses as {@code int}: {@code 10.0.0.1} is {@code 0x0A000001}, so addresses above 127 are negative. */
public final class Ipv4Address
{
    public static final int LENGTH = Integer.BYTES;

    private static final int MAX_OCTET_DIGITS = 3;
    private static final int MULTICAST_SHIFT = 28;
    private static final int MULTICAST_PREFIX = 0xE;

    private Ipv4Address()
    {
    }

    /**
     * Parses an address in dotted decimal notation, such as {@code 192.0.2.1}.
     *
     * @throws IllegalArgumentException quoting the text if it is not an address.
     */
    public static int parse(final String text)
    {
        int address = 0;
        int position = 0;
        for (int i = 1; i <= LENGTH; i++)
        {
            final int dot = i < LENGTH ? text.indexOf('.', position) : text.length();
            final int octet = dot < 0 ? -1 : parseOctet(text, position, dot);
            if (octet < 0)
            {
                throw new IllegalArgumentException("not an IPv4 address: \"" + text + "\"");
            }
            address = address << 8 | octet;
            position = dot + 1;
        }
        return address;
    }

    private static int parseOctet(final String text, final int start, final int end)
    {
        int octet = end > start && end - start <= MAX_OCTET_DIGITS ? 0 : -1;
        for (int i = start; octet >= 0 && i < end; i++)
        {
            final int digit = text.charAt(i) - '0';
            octet = digit >= 0 && digit <= 9 ? octet * 10 + digit : -1;
        }
        return octet <= 255 ? octet : -1;
    }

    /** Formats an address in dotted decimal notation, such as {@code 192.0.2.1}. */
    public static String format(final int address)
    {
        return (address >>> 24) + "." + (address >>> 16 & 0xFF) + "." + (address >>> 8 & 0xFF) + "." + (address & 0xFF);
    }

    /** Returns whether an address is in {@code 224.0.0.0/4} (RFC 5771). */
    public static boolean isMulticast(final int address)
    {
        return address >>> MULTICAST_SHIFT == MULTICAST_PREFIX;
    }

    /** Returns the network mask of a prefix length from 0 to 32, such as {@code 0xFFFFFF00} for 24. */
    public static int mask(final int prefixLength)
    {
        return prefixLength == 0 ? 0 : -1 << 32 - prefixLength;
    }
}
