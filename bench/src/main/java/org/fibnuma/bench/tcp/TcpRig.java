package org.fibnuma.bench.tcp;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.ProgramOutput;
import org.fibnuma.bench.lab.RoutedHosts;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.time.Duration;

/** A TCP connection of iperf3 from the left host to the right one; both links have the same MTU. */
final class TcpRig implements AutoCloseable
{
    static final String PROGRAM = "iperf3";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final double BITS_PER_GIGABIT = 1e9;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RoutedHosts hosts;

    private TcpRig(final int mtu)
    {
        hosts = RoutedHosts.open(mtu);
    }

    static TcpRig open(final int mtu)
    {
        return AllOrNothing.open(new TcpRig(mtu), rig ->
        {
            connect(rig.hosts.left(), RoutedHosts.LEFT, "10.0.0.1");
            connect(rig.hosts.right(), RoutedHosts.RIGHT, "10.0.1.1");
            rig.hosts.kernelForwarding(true);
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
     * Measures one TCP connection from left to right.
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
