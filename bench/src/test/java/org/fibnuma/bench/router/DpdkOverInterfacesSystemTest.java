package org.fibnuma.bench.router;

import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.HostPrograms;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Await;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * DPDK ports over interfaces of the kernel: with a queue for each of several workers; and while an interface is taken
 * away with frames going both ways: one line says so, the other ports go on, the router ends as it should.
 * <pre>
 *  left 10.0.0.2 h0 == w0 router w1 == h0 10.0.1.2 right
 *                            w2 == h0 10.0.2.2 third
 *     kernel: r0 10.0.0.1, r1 10.0.1.1, r2 10.0.2.1
 * </pre>
 * A TAP interface of the driver's own cannot be one end of a cable: it and w0 are in a bridge.
 */
@NamespaceTest({"ping", "dpdk-testpmd"})
class DpdkOverInterfacesSystemTest
{
    private static final String KNOWS_ITS_LINK = "net_af_packet";
    private static final String TAP = "net_tap";
    private static final String TAP_INTERFACE = "t0";
    /** Another address than the driver's, which the interface begins with. */
    private static final String OF_THE_KERNEL = "02:00:00:00:07:00";
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    /** Longest wait for the answer to a ping. */
    private static final int ANSWER_SECONDS = 20;

    private Host left;
    private Host router;
    private Host right;
    private Host third;
    private List<Host> hosts;

    @BeforeEach
    void open()
    {
        left = Host.open("left");
        router = Host.open("router");
        right = Host.open("right");
        third = Host.open("third");
        hosts = List.of(left, right, third);
        router.sysctl("ipv4.ip_forward", "1");
        for (int i = 0; i < hosts.size(); i++)
        {
            final Host host = hosts.get(i);
            final String wire = "w" + i;
            host.connect("h0", router, wire, 1500);
            host.address("h0", "10.0." + i + ".2/24");
            host.run("ip", "route", "add", "default", "via", "10.0." + i + ".1");
            router.run("ip", "link", "set", wire, "arp", "off");
            router.sysctl("ipv4.conf." + wire + ".forwarding", "0");
        }
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(left, right, third, router);
    }

    @ParameterizedTest
    @ValueSource(strings = {KNOWS_ITS_LINK, "net_pcap", TAP})
    void shouldSayThatADeviceIsGoneAndGoOn(final String driver)
    {
        if (driver.equals(TAP))
        {
            Require.that(addsBridge(), "needs bridges of the kernel: modprobe bridge");
        }
        try (RouterProcess process = RouterProcess.start(router, config(driver), PATIENCE))
        {
            addresses();
            if (driver.equals(TAP))
            {
                bridge();
            }
            assertTrue(pings("10.0.0.2"), () -> String.join("\n", process.errors()));
            try (ChildProcess flood = left.start("ping", "-n", "-q", "-f", "-w", "20", "10.0.1.2");
                ChildProcess back = right.start("ping", "-n", "-q", "-f", "-w", "20", "10.0.0.2"))
            {
                assertTrue(flood.isAlive() && back.isAlive());
                if (driver.equals(KNOWS_ITS_LINK))
                {
                    left.run("ip", "link", "set", "h0", "down");
                    await(process, "port left: link down");
                    left.run("ip", "link", "set", "h0", "up");
                    await(process, "port left: link up");
                }
                final String name = interfaceOf(driver);
                router.run("ip", "link", "delete", name);
                await(process, "port left (dpdk:" + driver + "0,iface=" + name + "): the device is gone");
                assertTrue(pings("10.0.1.1"), () -> String.join("\n", process.errors()));
                assertTrue(pings("10.0.2.2"), "the others forward");
                assertTrue(pings("10.0.2.2"), "still");
            }
            assertEquals(1, process.errors().stream().filter(line -> line.contains("is gone")).count(),
                () -> String.join("\n", process.errors()));
            assertEquals(0, process.terminate(), () -> String.join("\n", process.errors()));
        }
    }

    private void addresses()
    {
        for (int i = 0; i < hosts.size(); i++)
        {
            router.address("r" + i, "10.0." + i + ".1/24");
        }
    }

    private boolean addsBridge()
    {
        try
        {
            router.run("ip", "link", "add", "b0", "type", "bridge");
            return true;
        }
        catch (final UserException ex)
        {
            return false;
        }
    }

    private void bridge()
    {
        // A bridge takes what is for the address of one of its interfaces for its own, and this one has the router's.
        router.run("ip", "link", "set", TAP_INTERFACE, "address", OF_THE_KERNEL);
        for (final String member : List.of("w0", TAP_INTERFACE))
        {
            router.run("ip", "link", "set", member, "master", "b0", "up");
        }
        router.run("ip", "link", "set", "b0", "up");
    }

    private static String interfaceOf(final String driver)
    {
        return driver.equals(TAP) ? TAP_INTERFACE : "w0";
    }

    /** The kernel answers and hears whatever worker a flow is with. */
    @Test
    void shouldServeTheKernelWithAQueueForEachWorker()
    {
        final String config = config(KNOWS_ITS_LINK).replace("[router]\n", "[router]\nworkers = 2\n")
            .replaceAll("iface=w[012]", "$0,qpairs=2");
        try (RouterProcess process = RouterProcess.start(router, config, PATIENCE))
        {
            addresses();
            for (int i = 3; i < 11; i++)
            {
                // Each address is a flow of its own to the kernel's fan-out.
                right.address("h0", "10.0.1." + i + "/24");
                for (final String address : List.of("10.0.1.1", "10.0.0.2"))
                {
                    right.run("ping", "-n", "-q", "-c", "3", "-i", "0.05",
                        "-W", Integer.toString(ANSWER_SECONDS), "-I", "10.0.1." + i, address);
                }
            }
            assertEquals(0, process.terminate(), () -> String.join("\n", process.errors()));
        }
    }

    private boolean pings(final String address)
    {
        return HostPrograms.pings(right, address, 3, ANSWER_SECONDS);
    }

    private static void await(final RouterProcess process, final String text)
    {
        Await.until(() -> "\"" + text + "\" in " + String.join("\n", process.errors()), () ->
        {
            assertTrue(process.isAlive());
            return process.errors().stream().anyMatch(line -> line.contains(text));
        });
    }

    private static String config(final String driver)
    {
        final String others = driver.equals(TAP) ? KNOWS_ITS_LINK : driver;
        return String.join("\n",
            "[router]",
            "name = \"removal-" + ProcessHandle.current().pid() + "\"",
            "cores = []",
            port("left", driver + "0,iface=" + interfaceOf(driver), "tap:r0"),
            port("right", others + "1,iface=w1", "tap:r1"),
            port("third", others + "2,iface=w2", "tap:r2"),
            "");
    }

    private static String port(final String name, final String device, final String exception)
    {
        return String.join("\n", "[[port]]", "name = \"" + name + "\"", "device = \"dpdk:" + device + "\"",
            "exception = \"" + exception + "\"");
    }
}
