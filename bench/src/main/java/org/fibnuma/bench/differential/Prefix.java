package org.fibnuma.bench.differential;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * A network of either family.
 *
 * @param address first address, 4 or 16 bytes.
 * @param length  number of bits that all addresses of the network share.
 */
record Prefix(byte[] address, int length)
{
    /** Takes the first bits of an address. */
    static Prefix of(final byte[] address, final int length)
    {
        final byte[] first = address.clone();
        for (int bit = length; bit < first.length * Byte.SIZE; bit++)
        {
            first[bit / Byte.SIZE] &= (byte)~(0x80 >>> bit % Byte.SIZE);
        }
        return new Prefix(first, length);
    }

    /** Reads an address with or without a length, such as {@code 10.0.0.0/8}; {@code default} is that of IPv4. */
    static Prefix parse(final String text)
    {
        final String[] parts = ("default".equals(text) ? "0.0.0.0/0" : text).split("/");
        final byte[] address = parse(parts[0], text);
        return of(address, parts.length == 1 ? address.length * Byte.SIZE : Integer.parseInt(parts[1]));
    }

    private static byte[] parse(final String digits, final String text)
    {
        try
        {
            final byte[] address = InetAddress.getByName(digits).getAddress();
            // Java takes an IPv4-mapped address for one of IPv4.
            return address.length == 4 && digits.indexOf(':') >= 0 ?
                ByteBuffer.allocate(16).putShort(10, (short)-1).putInt(12, ByteBuffer.wrap(address).getInt()).array() :
                address;
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalArgumentException(text, ex);
        }
    }

    boolean isIpv4()
    {
        return address.length == 4;
    }

    /** Returns whether the address at a place in a frame is of this network. */
    boolean contains(final byte[] frame, final int offset)
    {
        return Arrays.equals(of(Arrays.copyOfRange(frame, offset, offset + address.length), length).address, address);
    }

    /** Returns an address: often the first or the last one, seldom the one before or behind the network. */
    byte[] draw(final Random random)
    {
        final byte[] drawn = address.clone();
        final int choice = random.nextInt(12);
        for (int bit = length; bit < drawn.length * Byte.SIZE; bit++)
        {
            if (choice == 0 || choice > 2 && random.nextBoolean())
            {
                drawn[bit / Byte.SIZE] |= (byte)(0x80 >>> bit % Byte.SIZE);
            }
        }
        if (choice == 2)
        {
            step(drawn, random.nextBoolean() ? 1 : -1);
        }
        return drawn;
    }

    private static void step(final byte[] address, final int by)
    {
        for (int i = address.length - 1; i >= 0; i--)
        {
            address[i] += (byte)by;
            if (address[i] != (by > 0 ? 0 : -1))
            {
                return;
            }
        }
    }

    @Override
    public String toString()
    {
        try
        {
            return InetAddress.getByAddress(address).getHostAddress() + "/" + length;
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
