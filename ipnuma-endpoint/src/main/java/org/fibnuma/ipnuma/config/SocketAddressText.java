package org.fibnuma.ipnuma.config;

import java.net.InetSocketAddress;

/** Addresses of sockets as people write them. */
public final class SocketAddressText
{
    private static final int MAX_PORT = 65_535;

    private SocketAddressText()
    {
    }

    /**
     * Reads an address.
     *
     * @param text {@code HOST:PORT}.
     * @return resolved.
     * @throws IllegalArgumentException in one line, where it is none or there is no such host.
     */
    public static InetSocketAddress parse(final String text)
    {
        final int colon = text.lastIndexOf(':');
        final String port = text.substring(colon + 1);
        final int number = port.matches("[0-9]{1,5}") ? Integer.parseInt(port) : 0;
        if (colon < 1 || number < 1 || number > MAX_PORT)
        {
            throw new IllegalArgumentException(
                "\"" + text + "\" is no address of a socket; write it as HOST:PORT, such as 10.9.0.2:9000");
        }
        final InetSocketAddress address = new InetSocketAddress(text.substring(0, colon), number);
        if (address.isUnresolved())
        {
            throw new IllegalArgumentException(
                "there is no host \"" + address.getHostString() + "\"; give its IP address");
        }
        return address;
    }
}
