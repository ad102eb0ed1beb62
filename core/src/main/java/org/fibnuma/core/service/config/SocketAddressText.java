package org.fibnuma.core.service.config;

import java.net.InetSocketAddress;

/** Reads and writes socket addresses in the form {@code HOST:PORT}. */
public final class SocketAddressText
{
    private static final int MAX_PORT = 65_535;

    private SocketAddressText()
    {
    }

    /**
     * Reads an address and resolves its host.
     *
     * @throws IllegalArgumentException with one line, if the text is not an address or the host does not exist.
     */
    public static InetSocketAddress parse(final String text)
    {
        final InetSocketAddress unresolved = parseUnresolved(text);
        final InetSocketAddress address = new InetSocketAddress(unresolved.getHostString(), unresolved.getPort());
        if (address.isUnresolved())
        {
            throw new IllegalArgumentException(
                "there is no host \"" + address.getHostString() + "\"; give its IP address");
        }
        return address;
    }

    /**
     * Reads an address without resolving its host, which may not exist yet.
     *
     * @throws IllegalArgumentException with one line, if the text is not an address.
     */
    public static InetSocketAddress parseUnresolved(final String text)
    {
        final int colon = text.lastIndexOf(':');
        final String port = text.substring(colon + 1);
        final int number = port.matches("[0-9]{1,5}") ? Integer.parseInt(port) : 0;
        if (colon < 1 || !text.substring(0, colon).matches("[A-Za-z0-9._:%\\[\\]-]+") || number < 1 ||
            number > MAX_PORT)
        {
            throw new IllegalArgumentException(
                "\"" + text + "\" is not a host and port; write it as 10.9.0.1:3423");
        }
        return InetSocketAddress.createUnresolved(text.substring(0, colon), number);
    }

    /** Writes a resolved address, such as {@code 127.0.0.1:2620} or {@code [0:0:0:0:0:0:0:1]:2620}. */
    public static String format(final InetSocketAddress address)
    {
        final String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }
}
