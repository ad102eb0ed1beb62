package org.fibnuma.bench.tcp;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.ProgramOutput;
import org.fibnuma.bench.lab.RoutedHosts;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.ThreadEnd;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.NamespaceAccess;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** TCP connections from the left host to the right one; both links have the same MTU. */
final class TcpRig implements AutoCloseable
{
    static final String PROGRAM = "iperf3";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final double BITS_PER_GIGABIT = 1e9;
    private static final int PORT = 2222;
    private static final int CONNECT_TIMEOUT_MS = 60_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RoutedHosts hosts;

    private TcpRig(final int mtu)
    {
        hosts = RoutedHosts.open(mtu);
    }

    /**
     * Creates the hosts.
     *
     * @param mtu      of both links.
     * @param filtered whether the router's host has a stateful filter and masquerades.
     */
    static TcpRig open(final int mtu, final boolean filtered)
    {
        return AllOrNothing.open(new TcpRig(mtu), rig ->
        {
            connect(rig.hosts.left(), RoutedHosts.LEFT, "10.0.0.1");
            connect(rig.hosts.right(), RoutedHosts.RIGHT, "10.0.1.1");
            rig.hosts.kernelForwarding(true);
            if (filtered)
            {
                rig.hosts.filter(true);
            }
        });
    }

    private static void connect(final Host host, final String address, final String gateway)
    {
        host.address(RoutedHosts.HOST_DEVICE, address + "/24");
        host.run("ip", "route", "add", "default", "via", gateway);
    }

    /**
     * Starts the router as a user runs it, with defaults for everything but the frame size.
     *
     * @throws UserException if the router does not start; the message contains its error lines.
     */
    RouterProcess startRouter(final int frameSize)
    {
        return hosts.startRouter("bench-tcp-" + ProcessHandle.current().pid(), "frame-size = " + frameSize);
    }

    /**
     * Opens and closes one connection after the other.
     *
     * @param seconds time for which it does.
     * @return connections a second.
     */
    double openings(final int seconds)
    {
        final NamespaceAccess namespaces = NamespaceAccess.load();
        final ServerSocketChannel server = namespaces.call(hosts.right().namespaceFile(), TcpRig::listen);
        final Thread acceptor = new Thread(() -> accept(server), "acceptor");
        acceptor.setDaemon(true);
        acceptor.start();
        try (server)
        {
            return namespaces.call(hosts.left().namespaceFile(), () -> openings(TimeUnit.SECONDS.toNanos(seconds)));
        }
        catch (final IOException | UncheckedIOException ex)
        {
            throw new UserException("TCP connections cannot be opened: " + ex.getMessage(), ex);
        }
        finally
        {
            ThreadEnd.await(acceptor);
        }
    }

    private static ServerSocketChannel listen()
    {
        try
        {
            return ServerSocketChannel.open().bind(new InetSocketAddress(RoutedHosts.RIGHT, PORT));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Accepts connections until the socket is closed. */
    private static void accept(final ServerSocketChannel server)
    {
        try
        {
            while (true)
            {
                server.accept().close();
            }
        }
        catch (final IOException ex)
        {
            if (server.isOpen())
            {
                throw new UncheckedIOException(ex);
            }
        }
    }

    /** Each is closed by the server, and then reset: so it leaves no state at the host that opened it. */
    private static double openings(final long durationNs)
    {
        final InetSocketAddress address = new InetSocketAddress(RoutedHosts.RIGHT, PORT);
        final ByteBuffer end = ByteBuffer.allocate(1);
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        int count = 0;
        while (elapsedNs < durationNs)
        {
            try (SocketChannel channel = SocketChannel.open())
            {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                channel.socket().connect(address, CONNECT_TIMEOUT_MS);
                channel.read(end);
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
            count++;
            elapsedNs = System.nanoTime() - startNs;
        }
        return count * (double)TimeUnit.SECONDS.toNanos(1) / elapsedNs;
    }

    /**
     * Measures one TCP connection from left to right with iperf3.
     *
     * @param seconds time for which the connection sends.
     * @return Gbit/s of data that arrived.
     */
    double measure(final int seconds)
    {
        try (ChildProcess server = hosts.right().start(PROGRAM, "-s", "-1", "--forceflush"))
        {
            server.awaitLine(line -> line.contains("listening"), PATIENCE);
            try (ChildProcess client = hosts.left().start(
                PROGRAM, "-c", RoutedHosts.RIGHT, "-t", Integer.toString(seconds), "-J", "--connect-timeout", "5000"))
            {
                final String result = ProgramOutput.await(client, PATIENCE.plusSeconds(seconds), PROGRAM);
                return JSON.readTree(result).at("/end/sum_received/bits_per_second").asDouble() / BITS_PER_GIGABIT;
            }
        }
        catch (final IOException ex)
        {
            throw new UserException("the output of iperf3 is not JSON: " + ex.getMessage(), ex);
        }
    }

    @Override
    public void close()
    {
        hosts.close();
    }
}
