package org.fibnuma.binding.libc;

import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;

/** Text that native code wrote, as UTF-8. */
public final class NativeText
{
    private NativeText()
    {
    }

    /**
     * Text of a known length.
     *
     * @param address of its first byte.
     * @param length  in bytes.
     * @return the text.
     */
    public static String at(final long address, final long length)
    {
        final byte[] bytes = new byte[(int)length];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = UnsafeApi.getByte(address + i);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * A text of the C language.
     *
     * @param address of its first byte, or 0.
     * @return what stands before the zero; empty where there is no text.
     */
    public static String zeroTerminatedAt(final long address)
    {
        if (address == 0)
        {
            return "";
        }
        int length = 0;
        while (UnsafeApi.getByte(address + length) != 0)
        {
            length++;
        }
        return at(address, length);
    }
}
