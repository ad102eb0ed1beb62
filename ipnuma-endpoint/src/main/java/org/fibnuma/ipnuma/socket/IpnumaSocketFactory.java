package org.fibnuma.ipnuma.socket;

import org.fibnuma.ipnuma.stream.IpnumaHosts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;

/** Creates {@link IpnumaSocket}s for a program that gets its sockets from a factory. */
public final class IpnumaSocketFactory extends SocketFactory
{
    private final SocketDriver driver;

    /** Creates a factory. The driver stays open longer than the sockets. */
    public IpnumaSocketFactory(final SocketDriver driver)
    {
        this.driver = driver;
    }

    @Override
    public Socket createSocket() throws IOException
    {
        return new IpnumaSocket(driver);
    }

    /** Connects to a host such as {@code ipnuma:2} or {@code 2}. */
    @Override
    public Socket createSocket(final String host, final int port) throws IOException
    {
        return connected(IpnumaHosts.resolve(host, port));
    }

    /** Ignores the local address, which has no effect. */
    @Override
    public Socket createSocket(
        final String host, final int port, final InetAddress localHost, final int localPort) throws IOException
    {
        return createSocket(host, port);
    }

    /** Connects to a host, given as {@link IpnumaSocket#getInetAddress} returns it. */
    @Override
    public Socket createSocket(final InetAddress host, final int port) throws IOException
    {
        return createSocket(Integer.toString(IpnumaHosts.peerId(host)), port);
    }

    /** Ignores the local address, which has no effect. */
    @Override
    public Socket createSocket(
        final InetAddress address, final int port, final InetAddress localAddress, final int localPort)
        throws IOException
    {
        return createSocket(address, port);
    }

    private Socket connected(final SocketAddress address) throws IOException
    {
        final Socket socket = createSocket();
        socket.connect(address);
        return socket;
    }
}
