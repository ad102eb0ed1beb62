package org.fibnuma.core.wire;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** IPv4 addresses as {@code int}: {@code 10.0.0.1} is {@code 0x0A000001}, so addresses above 127 are negative. */
public final class Ipv4Address
{
    /** Bytes on the wire. */
    public static final int LENGTH = Integer.BYTES;

    private static final Pattern DOTTED = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");

    private Ipv4Address()
    {
    }

    /**
     * Reads four decimal numbers with dots between.
     *
     * @param text such as {@code 192.0.2.1}.
     * @return the address.
     * @throws IllegalArgumentException naming the text where it is not one.
     */
    public static int parse(final String text)
    {
        final Matcher matcher = DOTTED.matcher(text);
        if (!matcher.matches())
        {
            throw new IllegalArgumentException("not an IPv4 address: \"" + text + "\"");
        }
        int address = 0;
        for (int i = 1; i <= LENGTH; i++)
        {
            final int octet = Integer.parseInt(matcher.group(i));
            if (octet > 255)
            {
                throw new IllegalArgumentException("not an IPv4 address: \"" + text + "\"");
            }
            address = address << 8 | octet;
        }
        return address;
    }

    /**
     * Writes it with dots.
     *
     * @param address to write.
     * @return such as {@code 192.0.2.1}.
     */
    public static String format(final int address)
    {
        return (address >>> 24) + "." + (address >>> 16 & 0xFF) + "." + (address >>> 8 & 0xFF) + "." + (address & 0xFF);
    }

    /**
     * The bits that a prefix of this length fixes.
     *
     * @param prefixLength 0 to 32.
     * @return such as {@code 0xFFFFFF00} for 24.
     */
    public static int mask(final int prefixLength)
    {
        return prefixLength == 0 ? 0 : -1 << 32 - prefixLength;
    }
}
