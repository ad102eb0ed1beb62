package org.fibnuma.core.wire;

import org.fibnuma.core.memory.FrameMemory;

/**
 * 48-bit MAC addresses as {@code long}: the first byte on the wire is bits 47 to 40, so {@code 02:00:00:00:00:01} is
 * {@code 0x0200_0000_0001L}.
 */
public final class MacAddress
{
    /** Length on the wire in bytes. */
    public static final int LENGTH = 6;
    public static final long BROADCAST = 0xFFFF_FFFF_FFFFL;

    private static final long GROUP_BIT = 0x0100_0000_0000L;
    private static final int BYTE_COUNT_IN_TEXT = 6;

    private MacAddress()
    {
    }

    /** Returns whether an address is multicast or broadcast (IEEE 802 I/G bit). */
    public static boolean isGroup(final long mac)
    {
        return (mac & GROUP_BIT) != 0;
    }

    /** Reads the MAC address at a native address. */
    public static long read(final long address)
    {
        return (long)FrameMemory.getShortBE(address) << 32 |
            FrameMemory.getIntBE(address + Short.BYTES) & 0xFFFF_FFFFL;
    }

    /** Writes a MAC address of six bytes to a native address. */
    public static void write(final long address, final long mac)
    {
        FrameMemory.putShortBE(address, (int)(mac >>> 32));
        FrameMemory.putIntBE(address + Short.BYTES, (int)mac);
    }

    /**
     * Parses six hexadecimal bytes such as {@code aa:bb:cc:dd:ee:ff}.
     *
     * @throws IllegalArgumentException quoting the text if it is not a MAC address.
     */
    public static long parse(final String text)
    {
        final String[] parts = text.split(":", -1);
        if (parts.length != BYTE_COUNT_IN_TEXT)
        {
            throw new IllegalArgumentException("not a MAC address: \"" + text + "\"");
        }
        long mac = 0;
        for (final String part : parts)
        {
            if (!part.matches("[0-9a-fA-F]{1,2}"))
            {
                throw new IllegalArgumentException("not a MAC address: \"" + text + "\"");
            }
            mac = mac << 8 | Integer.parseInt(part, 16);
        }
        return mac;
    }

    /** Formats an address as {@code aa:bb:cc:dd:ee:ff} in lower case. */
    public static String format(final long mac)
    {
        final StringBuilder text = new StringBuilder();
        for (int shift = 40; shift >= 0; shift -= 8)
        {
            text.append(String.format("%02x", mac >>> shift & 0xFF)).append(shift == 0 ? "" : ":");
        }
        return text.toString();
    }
}
