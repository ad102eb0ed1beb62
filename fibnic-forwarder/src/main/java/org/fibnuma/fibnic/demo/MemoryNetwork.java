package org.fibnuma.fibnic.demo;

import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.traffic.TrafficGenerator;
import org.fibnuma.core.traffic.TrafficSender;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.config.ConfigReader;
import org.fibnuma.fibnic.control.Router;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The router in this process, between links in memory; needs no root. Both hosts share one frame pool and run on one
 * thread: during pings that of the caller, during the flood that of the generator.
 */
final class MemoryNetwork extends DemoNetwork
{
    private static final int HOST_FRAMES = 16_384;
    private static final String ROUTER_LEFT_MAC = "02:00:00:00:00:01";
    private static final String ROUTER_RIGHT_MAC = "02:00:00:00:00:02";
    private static final String LEFT_MAC = "02:00:00:00:02:01";
    private static final String RIGHT_MAC = "02:00:00:00:02:02";

    private Port left;
    private FramePool pool;
    private EchoResponder responder;
    private EchoProber prober;

    private MemoryNetwork()
    {
    }

    /** Starts the router and both hosts. */
    static MemoryNetwork open(final Path routesFile)
    {
        return AllOrNothing.open(new MemoryNetwork(), network -> network.start(routesFile));
    }

    private void start(final Path routesFile)
    {
        final Router router = keep(openRouter(config(routesFile)));
        router.start();
        openCounters();
        pool = router.hostPool();
        left = openHost("left");
        responder = new EchoResponder(openHost("right"), pool);
        prober = new EchoProber(left, pool, leftFrames(), responder::poll);
    }

    private static HostFrames leftFrames()
    {
        return new HostFrames(
            MacAddress.parse(ROUTER_LEFT_MAC), MacAddress.parse(LEFT_MAC), Ipv4Address.parse(LEFT_HOST),
            IpAddress.parse(LEFT_HOST_IPV6), FRAME_LENGTH);
    }

    private String config(final Path routesFile)
    {
        final StringBuilder config = new StringBuilder(String.join("\n",
            "[router]",
            "name = \"" + name() + "\"",
            "control = \"static\"",
            "ipv6 = true",
            "routes-file = \"" + routesFile + "\"",
            "idle = \"" + (Runtime.getRuntime().availableProcessors() > 1 ? "busy" : "yield") + "\"",
            port("left", ROUTER_LEFT, ROUTER_LEFT_IPV6, ROUTER_LEFT_MAC),
            port("right", ROUTER_RIGHT, ROUTER_RIGHT_IPV6, ROUTER_RIGHT_MAC),
            neighbor(LEFT_HOST, LEFT_MAC),
            neighbor(LEFT_HOST_IPV6, LEFT_MAC)));
        for (int i = 0; i < DemoTable.NEXT_HOPS; i++)
        {
            final String macAddress = i == 0 ? RIGHT_MAC : DemoTable.macOfSink(i);
            config.append(neighbor(DemoTable.nextHop(false, i), macAddress));
            config.append(neighbor(DemoTable.nextHop(true, i), macAddress));
        }
        return config.toString();
    }

    private String port(final String side, final String address, final String ipv6Address, final String macAddress)
    {
        return "[[port]]\nname = \"" + side + "\"\ndevice = \"mem:" + name() + "-" + side + "\"\n" +
            "address = [\"" + address + LENGTH + "\", \"" + ipv6Address + LENGTH_IPV6 + "\"]\n" +
            "mac = \"" + macAddress + "\"\n";
    }

    private static String neighbor(final String address, final String macAddress)
    {
        return "[[neighbor]]\naddress = \"" + address + "\"\nmac = \"" + macAddress + "\"\n";
    }

    private static Router openRouter(final String config)
    {
        try
        {
            final Path file = Files.createTempFile("fibnuma-demo-", ".toml");
            try
            {
                Files.writeString(file, config);
                return Router.open(ConfigReader.read(file), HOST_FRAMES);
            }
            finally
            {
                Files.delete(file);
            }
        }
        catch (final IOException | ConfigException ex)
        {
            throw new UserException("the router did not start: " + ex.getMessage(), ex);
        }
    }

    private Port openHost(final String side)
    {
        final Port port = keep(Ports.open(new PortRequest(
            side + " host", "mem:" + name() + "-" + side + "@far", 0, List.of(pool), PortSettings.DEFAULT)));
        port.start();
        return port;
    }

    @Override
    String mode()
    {
        return "memory";
    }

    @Override
    String description()
    {
        return "the router and two hosts in this process, frames through rings in memory";
    }

    @Override
    EchoProber prober()
    {
        return prober;
    }

    @Override
    TrafficGenerator generate(final IpAddress[] destinations)
    {
        final TrafficSender sender = new TrafficSender(left.txQueue(0), pool, leftFrames(), destinations);
        return TrafficGenerator.start(sender, responder::poll, ThreadPinning.ANY_CORE);
    }

    @Override
    void rest(final long millis)
    {
        final long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end && !Thread.currentThread().isInterrupted())
        {
            responder.poll();
            Thread.onSpinWait();
        }
    }

    @Override
    long delivered()
    {
        return responder.received();
    }
}
