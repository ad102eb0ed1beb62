package org.fibnuma.fibnic.demo;

import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.core.service.netns.NamespaceAccess;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.traffic.TrafficGenerator;
import org.fibnuma.core.traffic.TrafficSender;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Three network namespaces, with the router as a process of its own over AF_XDP. The left host is an AF_XDP port of
 * this process. The right host is the kernel of its namespace, which answers for every address. The flood goes to
 * other MAC addresses: the device of the right host counts these frames, and an XDP program drops them.
 */
final class NamespaceNetwork extends DemoNetwork
{
    private static final String ROUTER_CLASS = "org.fibnuma.fibnic.command.FibnumaCommand";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MTU = 1500;
    private static final String LEFT_DEVICE = "left";
    private static final String RIGHT_DEVICE = "right";
    private static final String ROUTER_LEFT_DEVICE = "rl";
    private static final String ROUTER_RIGHT_DEVICE = "rr";

    private final Host left = keep(Host.open("left host"));
    private final Host router = keep(Host.open("router"));
    private final Host right = keep(Host.open("right host"));
    private EchoProber prober;
    private HostFrames frames;
    private HostPort leftPort;

    private NamespaceNetwork()
    {
    }

    /** Connects the hosts, starts the router and opens the port of the left host. */
    static NamespaceNetwork open(final Path routesFile) throws IOException
    {
        final Path config = Files.createTempFile("fibnuma-demo-", ".toml");
        try
        {
            return AllOrNothing.open(new NamespaceNetwork(), network ->
            {
                network.connect();
                Files.writeString(config, network.config(routesFile));
                network.startRouter(config);
                network.openLeftHost();
            });
        }
        finally
        {
            Files.deleteIfExists(config);
        }
    }

    private void connect()
    {
        left.connect(LEFT_DEVICE, router, ROUTER_LEFT_DEVICE, MTU);
        router.connect(ROUTER_RIGHT_DEVICE, right, RIGHT_DEVICE, MTU);
        left.address(LEFT_DEVICE, LEFT_HOST + LENGTH);
        setUpRouter();
        setUpRight();
        frames = new HostFrames(
            MacAddress.parse(router.macAddress(ROUTER_LEFT_DEVICE)), MacAddress.parse(left.macAddress(LEFT_DEVICE)),
            Ipv4Address.parse(LEFT_HOST), IpAddress.parse(LEFT_HOST_IPV6), FRAME_LENGTH);
    }

    private void setUpRouter()
    {
        router.sysctl("ipv4.ip_forward", "1");
        router.enableIpv6();
        router.sysctl("ipv6.conf.all.forwarding", "1");
        router.address(ROUTER_LEFT_DEVICE, ROUTER_LEFT + LENGTH);
        router.address(ROUTER_LEFT_DEVICE, ROUTER_LEFT_IPV6 + LENGTH_IPV6);
        router.address(ROUTER_RIGHT_DEVICE, ROUTER_RIGHT + LENGTH);
        router.address(ROUTER_RIGHT_DEVICE, ROUTER_RIGHT_IPV6 + LENGTH_IPV6);
        for (int i = 0; i < DemoTable.NEXT_HOPS; i++)
        {
            final String macAddress = i == 0 ? right.macAddress(RIGHT_DEVICE) : DemoTable.macOfSink(i);
            neighbor(DemoTable.nextHop(false, i), macAddress, ROUTER_RIGHT_DEVICE);
            neighbor(DemoTable.nextHop(true, i), macAddress, ROUTER_RIGHT_DEVICE);
        }
        neighbor(LEFT_HOST, left.macAddress(LEFT_DEVICE), ROUTER_LEFT_DEVICE);
        neighbor(LEFT_HOST_IPV6, left.macAddress(LEFT_DEVICE), ROUTER_LEFT_DEVICE);
    }

    /** Gives the right host routes that make every address of both families its own. */
    private void setUpRight()
    {
        right.enableIpv6();
        right.address(RIGHT_DEVICE, DemoTable.nextHop(false, 0) + LENGTH);
        right.address(RIGHT_DEVICE, DemoTable.nextHop(true, 0) + LENGTH_IPV6);
        for (final String half : List.of("0.0.0.0/1", "128.0.0.0/1", "::/1", "8000::/1"))
        {
            right.run("ip", "route", "add", "local", half, "dev", "lo", "table", "main");
        }
        right.run("ip", "route", "add", LEFT_HOST, "via", ROUTER_RIGHT);
        right.run("ip", "route", "add", LEFT_HOST_IPV6, "via", ROUTER_RIGHT_IPV6);
        right.sysctl("ipv4.icmp_ratelimit", "0");
        right.sysctl("ipv6.icmp.ratelimit", "0");
        keep(NamespaceAccess.load().dropForeignFrames(
            right.namespaceFile(), RIGHT_DEVICE, MacAddress.parse(right.macAddress(RIGHT_DEVICE))));
    }

    private void neighbor(final String address, final String macAddress, final String device)
    {
        router.run("ip", "neighbor", "replace", address, "lladdr", macAddress, "dev", device, "nud", "permanent");
    }

    private String config(final Path routesFile)
    {
        final int cores = Runtime.getRuntime().availableProcessors();
        return String.join("\n",
            "[router]",
            "name = \"" + name() + "\"",
            "routes-file = \"" + routesFile + "\"",
            "ipv6 = true",
            "idle = \"" + (cores > 1 ? "busy" : "backoff") + "\"",
            "[[port]]",
            "name = \"left\"",
            "device = \"xdp:" + ROUTER_LEFT_DEVICE + "\"",
            "[[port]]",
            "name = \"right\"",
            "device = \"xdp:" + ROUTER_RIGHT_DEVICE + "\"",
            "");
    }

    private void startRouter(final Path config)
    {
        final ChildProcess process =
            keep(router.start(JavaProgram.command(ROUTER_CLASS, "router", "-c", config.toString())));
        try
        {
            process.awaitLine("ready"::equals, PATIENCE);
        }
        catch (final UserException ex)
        {
            throw new UserException("the router did not start: " + ex.getMessage(), ex);
        }
        openCounters();
    }

    private void openLeftHost()
    {
        leftPort = keep(HostPort.open(left.namespaceFile(), LEFT_DEVICE));
        prober = new EchoProber(leftPort.port(), leftPort.pool(), frames, Thread::onSpinWait);
    }

    @Override
    String mode()
    {
        return "af_xdp";
    }

    @Override
    String description()
    {
        return "two hosts and a router in network namespaces of their own, frames over AF_XDP";
    }

    @Override
    EchoProber prober()
    {
        return prober;
    }

    @Override
    TrafficGenerator generate(final IpAddress[] destinations)
    {
        final int core = Runtime.getRuntime().availableProcessors() > 1 ? 0 : ThreadPinning.ANY_CORE;
        final TrafficSender sender =
            new TrafficSender(leftPort.port().txQueue(0), leftPort.pool(), frames, destinations);
        return TrafficGenerator.start(sender, Thread::onSpinWait, core);
    }

    @Override
    void rest(final long millis)
    {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Override
    long delivered()
    {
        return right.receivedFrames(RIGHT_DEVICE);
    }
}
