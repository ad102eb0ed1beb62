package org.fibnuma.bench.tcp;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.time.Duration;

/** Two hosts with a router between them, 10.0.0.2 -- r0 router r1 -- 10.0.1.2; all links have the same MTU. */
final class TcpRig implements AutoCloseable
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SERVER = "10.0.1.2";
    private static final double BITS_PER_GIGABIT = 1e9;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Host left = Host.open("left");
    private final Host router = Host.open("router");
    private final Host right = Host.open("right");

    TcpRig(final int mtu)
    {
        try
        {
            connect(left, "r0", "10.0.0.", mtu);
            connect(right, "r1", "10.0.1.", mtu);
            // The router needs this too: it forwards only where the kernel would.
            router.sysctl("ipv4.ip_forward", "1");
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    private void connect(final Host host, final String routerDevice, final String network, final int mtu)
    {
        host.connect("h0", router, routerDevice, mtu);
        host.address("h0", network + "2/24");
        router.address(routerDevice, network + "1/24");
        host.run("ip", "route", "add", "default", "via", network + "1");
    }

    /**
     * Starts the router as a user runs it, with defaults for everything but the frame size.
     *
     * @throws UserException if the router does not start; the message contains its error lines.
     */
    RouterProcess startRouter(final int frameSize)
    {
        return RouterProcess.start(router, String.join("\n",
            "[router]",
            "name = \"bench-tcp-" + ProcessHandle.current().pid() + "\"",
            "frame-size = " + frameSize,
            "[[port]]",
            "name = \"left\"",
            "device = \"xdp:r0\"",
            "[[port]]",
            "name = \"right\"",
            "device = \"xdp:r1\"",
            ""), PATIENCE);
    }

    /**
     * Measures one TCP connection from left to right.
     *
     * @param seconds time for which the connection sends.
     * @return Gbit/s of data that arrived.
     */
    double measure(final int seconds)
    {
        try (ChildProcess server = right.start("iperf3", "-s", "-1", "--forceflush"))
        {
            server.awaitLine(line -> line.contains("listening"), PATIENCE);
            try (ChildProcess client = left.start(
                "iperf3", "-c", SERVER, "-t", Integer.toString(seconds), "-J", "--connect-timeout", "5000"))
            {
                if (client.awaitExit(PATIENCE.plusSeconds(seconds)) != 0)
                {
                    throw new UserException("iperf3: " + String.join(" | ", client.errors()));
                }
                return JSON.readTree(String.join("\n", client.output())).at("/end/sum_received/bits_per_second")
                    .asDouble() / BITS_PER_GIGABIT;
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
        right.close();
        router.close();
        left.close();
    }
}
