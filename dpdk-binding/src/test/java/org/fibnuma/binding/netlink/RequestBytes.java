package org.fibnuma.binding.netlink;

import org.agrona.UnsafeApi;

import java.util.HexFormat;

/** The bytes of requests, for comparison. */
public final class RequestBytes
{
    private RequestBytes()
    {
    }

    /** All requests of the buffer as hexadecimal digits. */
    public static String hex(final NetlinkRequest request)
    {
        final byte[] bytes = new byte[request.length()];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = UnsafeApi.getByte(request.address() + i);
        }
        return HexFormat.of().formatHex(bytes);
    }
}
