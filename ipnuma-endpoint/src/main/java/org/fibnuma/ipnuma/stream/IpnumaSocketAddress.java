package org.fibnuma.ipnuma.stream;

import org.fibnuma.ipnuma.table.PageMap;

import java.net.SocketAddress;

/**
 * Address of a listening program or of one end of a connection: PC ID of its endpoint and port. The text form is {@code
 * ipnuma:PC-ID/PORT}, such as {@code ipnuma:2/7000}. Immutable.
 */
public final class IpnumaSocketAddress extends SocketAddress
{
    /** Start of the text form. */
    public static final String SCHEME = "ipnuma:";
    /** Highest port. */
    public static final int MAX_PORT = 0xFFFF;

    private static final long serialVersionUID = 1;

    private final int peerId;
    private final int port;

    /**
     * Creates an address.
     *
     * @param peerId PC ID, 1 to 65,535.
     * @param port   0 to 65,535; 0 only to listen on any free port.
     * @throws IllegalArgumentException if a value is out of range.
     */
    public IpnumaSocketAddress(final int peerId, final int port)
    {
        if (peerId < 1 || peerId > PageMap.MAX_PC_ID || port < 0 || port > MAX_PORT)
        {
            throw new IllegalArgumentException("no address: PC ID " + peerId + ", port " + port +
                "; PC IDs are 1 to " + PageMap.MAX_PC_ID + ", ports 0 to " + MAX_PORT);
        }
        this.peerId = peerId;
        this.port = port;
    }

    /**
     * Parses the text form.
     *
     * @param text such as {@code ipnuma:2/7000}.
     * @return the address.
     * @throws IllegalArgumentException with one line if the text is no address.
     */
    public static IpnumaSocketAddress parse(final String text)
    {
        final int slash = text.indexOf('/');
        if (text.startsWith(SCHEME) && slash > 0)
        {
            final int peerId = number(text.substring(SCHEME.length(), slash));
            final int port = number(text.substring(slash + 1));
            if (peerId >= 1 && port >= 0)
            {
                return new IpnumaSocketAddress(peerId, port);
            }
        }
        throw new IllegalArgumentException("\"" + text + "\" is no address; write it as ipnuma:PC-ID/PORT");
    }

    /**
     * Parses a host that a program passes without a port.
     *
     * @param host {@code ipnuma:PC-ID} or the PC ID alone.
     * @return the PC ID, or -1 if the text is neither.
     */
    public static int parseHost(final String host)
    {
        final int peerId = number(host.startsWith(SCHEME) ? host.substring(SCHEME.length()) : host);
        return peerId == 0 ? -1 : peerId;
    }

    private static int number(final String digits)
    {
        if (digits.isEmpty() || digits.length() > 5 || !digits.chars().allMatch(c -> c >= '0' && c <= '9'))
        {
            return -1;
        }
        final int number = Integer.parseInt(digits);
        return number <= MAX_PORT ? number : -1;
    }

    /** Returns the PC ID, 1 to 65,535. */
    public int peerId()
    {
        return peerId;
    }

    /** Returns the port, 0 to 65,535. */
    public int port()
    {
        return port;
    }

    /** Returns the address without its port, such as {@code ipnuma:2}. */
    public String host()
    {
        return SCHEME + peerId;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof IpnumaSocketAddress address && address.peerId == peerId && address.port == port;
    }

    @Override
    public int hashCode()
    {
        return peerId << Short.SIZE | port;
    }

    @Override
    public String toString()
    {
        return host() + "/" + port;
    }
}
