package org.fibnuma.core.service.config;

import org.fibnuma.core.wire.IpAddress;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses with a TCP port on which a program listens. Names are refused, because their addresses can change. */
public final class ListenAddress
{
    private static final Pattern LISTEN = Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([0-9.]+)):([0-9]{1,5})");
    private static final int MAX_PORT = 0xFFFF;

    private ListenAddress()
    {
    }

    /**
     * Parses an address with a port, such as {@code 127.0.0.1:2620} or {@code [::1]:2620}.
     *
     * @throws IllegalArgumentException quoting the text if it is none, with examples that have the default port.
     */
    public static InetSocketAddress parse(final String text, final int defaultPort)
    {
        final Matcher matcher = LISTEN.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > MAX_PORT)
        {
            throw notAnAddress(text, defaultPort, null);
        }
        final String address = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        try
        {
            // A text that is an address is not looked up as a name.
            IpAddress.parse(address);
            return new InetSocketAddress(InetAddress.getByName(address), Integer.parseInt(matcher.group(3)));
        }
        catch (final IllegalArgumentException | UnknownHostException ex)
        {
            throw notAnAddress(text, defaultPort, ex);
        }
    }

    private static IllegalArgumentException notAnAddress(
        final String text, final int defaultPort, final Exception cause)
    {
        return new IllegalArgumentException("\"" + text + "\" is not an address with a port; write one such as " +
            "\"127.0.0.1:" + defaultPort + "\" or \"[::1]:" + defaultPort + "\"", cause);
    }
}
