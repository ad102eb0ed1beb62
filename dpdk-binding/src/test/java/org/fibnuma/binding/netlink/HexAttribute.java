package org.fibnuma.binding.netlink;

/** Netlink attributes written down as hexadecimal bytes of a little-endian machine. */
public final class HexAttribute
{
    private static final int HEADER = 4;

    private HexAttribute()
    {
    }

    /** An attribute with the value, padded to four bytes. */
    public static String attribute(final int type, final String value)
    {
        final String bytes = value.replaceAll("\\s", "");
        final int length = HEADER + bytes.length() / 2;
        return String.format("%02x%02x%02x%02x", length & 0xFF, length >> 8, type & 0xFF, type >> 8) + bytes +
            "00".repeat(-length & 3);
    }

    /** Text with a zero byte. */
    public static String text(final String text)
    {
        final StringBuilder hex = new StringBuilder();
        text.chars().forEach(character -> hex.append(String.format("%02x", character)));
        return hex + "00";
    }
}
