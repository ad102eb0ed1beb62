package org.fibnuma.ipnuma.stream;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;

/**
 * Names and addresses of endpoints for programs written for IP. A host is {@code ipnuma:PC-ID} or the PC ID alone. As
 * an {@link InetAddress} it is 0.0.x.y, with the PC ID in the last two bytes. No host has such an address (RFC 6890,
 * section 2.2.2).
 */
public final class IpnumaHosts
{
    private static final int LENGTH = 4;

    private IpnumaHosts()
    {
    }

    /** Returns the address of a program's address object. Throws an exception if it is not that of an endpoint. */
    public static IpnumaSocketAddress resolve(final SocketAddress address) throws UnknownHostException
    {
        if (address instanceof IpnumaSocketAddress own)
        {
            return own;
        }
        if (address instanceof InetSocketAddress inet)
        {
            return inet.isUnresolved() ?
                resolve(inet.getHostString(), inet.getPort()) :
                new IpnumaSocketAddress(peerId(inet.getAddress()), inet.getPort());
        }
        throw new UnknownHostException(address + " is no address of an endpoint");
    }

    /**
     * Returns the port of an address to listen on. The host is ignored, because a program listens on its own endpoint.
     *
     * @param address of this package or of IP; null for any free port.
     * @return 0 to 65,535.
     * @throws SocketException if the address has another type.
     */
    public static int localPort(final SocketAddress address) throws SocketException
    {
        if (address instanceof IpnumaSocketAddress own)
        {
            return own.port();
        }
        if (address instanceof InetSocketAddress inet)
        {
            return inet.getPort();
        }
        if (address != null)
        {
            throw new SocketException(address + " is no address of an endpoint");
        }
        return 0;
    }

    /** Returns the address with a host such as {@code ipnuma:2}. Throws an exception if the host is no endpoint. */
    public static IpnumaSocketAddress resolve(final String host, final int port) throws UnknownHostException
    {
        final int peerId = IpnumaSocketAddress.parseHost(host);
        if (peerId < 0)
        {
            throw new UnknownHostException("\"" + host + "\" is no endpoint; write ipnuma:PC-ID");
        }
        return new IpnumaSocketAddress(peerId, port);
    }

    /** Returns the PC ID of an address of the form 0.0.x.y. Throws an exception if it has another form. */
    public static int peerId(final InetAddress address) throws UnknownHostException
    {
        final byte[] bytes = address.getAddress();
        if (bytes.length != LENGTH || bytes[0] != 0 || bytes[1] != 0 || (bytes[2] | bytes[3]) == 0)
        {
            throw new UnknownHostException(address + " is no endpoint; use host names such as ipnuma:2");
        }
        return (bytes[2] & 0xFF) << Byte.SIZE | bytes[3] & 0xFF;
    }

    /** Returns the form 0.0.x.y of a PC ID, with the host name {@code ipnuma:PC-ID}. */
    public static InetAddress inetAddress(final IpnumaSocketAddress address)
    {
        try
        {
            return InetAddress.getByAddress(address.host(), new byte[] {
                0, 0, (byte)(address.peerId() >>> Byte.SIZE), (byte)address.peerId()});
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** Returns the form 0.0.x.y of an address, with its port. */
    public static InetSocketAddress inetSocketAddress(final IpnumaSocketAddress address)
    {
        return new InetSocketAddress(inetAddress(address), address.port());
    }
}
