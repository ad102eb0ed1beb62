package org.fibnuma.bench.ipnuma;

import org.fibnuma.ipnuma.socket.IpnumaServerSocketFactory;
import org.fibnuma.ipnuma.socket.IpnumaSocketFactory;
import org.fibnuma.ipnuma.socket.SocketDriver;
import org.fibnuma.ipnuma.stream.StreamSettings;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;

/** A program with sockets over an endpoint: an echo server, or a client that waits for its server to be killed. */
public final class StreamProgram
{
    private static final int PORT = 7000;

    private StreamProgram()
    {
    }

    /**
     * Prints {@code listening}, or {@code echoed} and later {@code failed} with the message.
     *
     * @param arguments {@code server} or {@code client}, name of the endpoint, its PC ID.
     * @throws IOException if something else fails than what the client waits for.
     */
    public static void main(final String[] arguments) throws IOException
    {
        final StreamSettings settings = StreamSettings.of(arguments[1], Integer.parseInt(arguments[2]));
        try (SocketDriver driver = SocketDriver.open(settings))
        {
            if (arguments[0].equals("server"))
            {
                serve(driver);
            }
            else
            {
                request(driver);
            }
        }
    }

    private static void serve(final SocketDriver driver) throws IOException
    {
        try (ServerSocket server = new IpnumaServerSocketFactory(driver).createServerSocket(PORT))
        {
            System.out.println("listening");
            try (Socket socket = server.accept())
            {
                socket.getInputStream().transferTo(socket.getOutputStream());
            }
        }
    }

    private static void request(final SocketDriver driver) throws IOException
    {
        try (Socket socket = new IpnumaSocketFactory(driver).createSocket("ipnuma:2", PORT))
        {
            socket.getOutputStream().write("hello".getBytes());
            System.out.println("echoed " + new String(socket.getInputStream().readNBytes(5)));
            socket.getInputStream().read();
            System.out.println("ended");
        }
        catch (final SocketException ex)
        {
            System.out.println("failed " + ex.getMessage());
        }
    }
}
