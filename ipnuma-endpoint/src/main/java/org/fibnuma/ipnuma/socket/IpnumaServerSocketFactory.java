package org.fibnuma.ipnuma.socket;

import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import javax.net.ServerSocketFactory;

/** Creates {@link IpnumaServerSocket}s for a program that gets its sockets from a factory. */
public final class IpnumaServerSocketFactory extends ServerSocketFactory
{
    private final SocketDriver driver;

    /** Creates a factory. The driver stays open longer than the sockets. */
    public IpnumaServerSocketFactory(final SocketDriver driver)
    {
        this.driver = driver;
    }

    @Override
    public ServerSocket createServerSocket() throws IOException
    {
        return new IpnumaServerSocket(driver);
    }

    @Override
    public ServerSocket createServerSocket(final int port) throws IOException
    {
        return createServerSocket(port, 0);
    }

    @Override
    public ServerSocket createServerSocket(final int port, final int backlog) throws IOException
    {
        final ServerSocket socket = createServerSocket();
        socket.bind(new IpnumaSocketAddress(driver.pcId(), port), backlog);
        return socket;
    }

    /** Ignores the address, which has no effect. */
    @Override
    public ServerSocket createServerSocket(final int port, final int backlog, final InetAddress address)
        throws IOException
    {
        return createServerSocket(port, backlog);
    }
}
