package org.fibnuma.binding.dpdk.eal;

import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;

/** Text in native memory. */
final class LogText
{
    private LogText()
    {
    }

    static String at(final long address, final long length)
    {
        final byte[] bytes = new byte[(int)length];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = UnsafeApi.getByte(address + i);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static String zeroTerminatedAt(final long address)
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
