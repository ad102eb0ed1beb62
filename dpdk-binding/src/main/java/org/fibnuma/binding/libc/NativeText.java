package org.fibnuma.binding.libc;

import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;

/** Reads UTF-8 text that native code wrote. */
public final class NativeText
{
    private NativeText()
    {
    }

    /** Reads text of a known length in bytes at a native address. */
    public static String at(final long address, final long length)
    {
        final byte[] bytes = new byte[(int)length];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = UnsafeApi.getByte(address + i);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Reads text up to its first zero byte. Returns an empty string for address 0. */
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
