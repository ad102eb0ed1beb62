package org.fibnuma.bench.router;

import org.fibnuma.bench.lab.ChildProcess;
import org.fibnuma.bench.lab.Host;
import org.fibnuma.bench.lab.LabException;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * DPDK ports over interfaces of the kernel: with a queue for each of several workers; and while an interface is taken
 * away with frames going both ways: one line says so, the other port goes on, the router ends as it should.
 * <pre>
 *  left 10.0.0.2 h0 == w0 router w1 == h0 10.0.1.2 right
 *             kernel: r0 10.0.0.1, r1 10.0.1.1
 * </pre>
 */
class DpdkOverInterfacesSystemTest
{
    private static final String KNOWS_ITS_LINK = "net_af_packet";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long TELL_LIMIT_NS = Duration.ofSeconds(5).toNanos();

    private static final long POLL_NS = Duration.ofMillis(20).toNanos();

    private Host left;
    private Host router;
    private Host right;

    @BeforeEach
    void open()
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("ethtool", "ethtool");
        Require.program("ping", "iputils-ping");
        Require.program("dpdk-testpmd", "dpdk");
        left = Host.open("left");
        router = Host.open("router");
        right = Host.open("right");
        for (final Host host : List.of(left, right))
        {
            final boolean isLeft = host == left;
            host.connect("h0", router, isLeft ? "w0" : "w1", 1500);
            host.withoutChecksumOffload("h0");
            host.address("h0", isLeft ? "10.0.0.2/24" : "10.0.1.2/24");
            host.run("ip", "route", "add", "default", "via", isLeft ? "10.0.0.1" : "10.0.1.1");
        }
        for (final String wire : List.of("w0", "w1"))
        {
            router.withoutChecksumOffload(wire);
            router.run("ip", "link", "set", wire, "arp", "off");
            router.sysctl("ipv4.conf." + wire + ".forwarding", "0");
        }
    }

    @AfterEach
    void close()
    {
        for (final Host host : List.of(left, right, router))
        {
            host.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {KNOWS_ITS_LINK, "net_pcap"})
    void shouldSayThatADeviceIsGoneAndGoOn(final String driver)
    {
        try (RouterProcess process = RouterProcess.start(router, config(driver), PATIENCE))
        {
            router.address("r0", "10.0.0.1/24");
            router.address("r1", "10.0.1.1/24");
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
                router.run("ip", "link", "delete", "w0");
                await(process, "port left (dpdk:" + driver + "0,iface=w0): the device is gone");
                assertTrue(pings("10.0.1.1"), () -> String.join("\n", process.errors()));
                assertTrue(pings("10.0.1.1"), "still");
            }
            assertEquals(1, process.errors().stream().filter(line -> line.contains("is gone")).count(),
                () -> String.join("\n", process.errors()));
            assertEquals(0, process.terminate(), () -> String.join("\n", process.errors()));
        }
    }

    /** The kernel answers and hears whatever worker a flow is with. */
    @Test
    void shouldServeTheKernelWithAQueueForEachWorker()
    {
        final String config = config(KNOWS_ITS_LINK).replace("[router]\n", "[router]\nworkers = 2\n")
            .replace("iface=w0", "iface=w0,qpairs=2").replace("iface=w1", "iface=w1,qpairs=2");
        try (RouterProcess process = RouterProcess.start(router, config, PATIENCE))
        {
            router.address("r0", "10.0.0.1/24");
            router.address("r1", "10.0.1.1/24");
            for (int i = 3; i < 11; i++)
            {
                // Each address is a flow of its own to the kernel's fan-out.
                right.address("h0", "10.0.1." + i + "/24");
                right.run("ping", "-n", "-q", "-c", "3", "-i", "0.05", "-W", "2", "-I", "10.0.1." + i, "10.0.1.1");
                right.run("ping", "-n", "-q", "-c", "3", "-i", "0.05", "-W", "2", "-I", "10.0.1." + i, "10.0.0.2");
            }
            assertEquals(0, process.terminate(), () -> String.join("\n", process.errors()));
        }
    }

    private boolean pings(final String address)
    {
        try
        {
            right.run("ping", "-n", "-q", "-c", "3", "-i", "0.1", "-W", "2", address);
            return true;
        }
        catch (final LabException ex)
        {
            return false;
        }
    }

    private static void await(final RouterProcess process, final String text)
    {
        final long deadline = System.nanoTime() + TELL_LIMIT_NS;
        while (process.errors().stream().noneMatch(line -> line.contains(text)))
        {
            assertTrue(System.nanoTime() < deadline && process.isAlive(),
                () -> "no \"" + text + "\" in " + String.join("\n", process.errors()));
            LockSupport.parkNanos(POLL_NS);
        }
    }

    private static String config(final String driver)
    {
        return String.join("\n",
            "[router]",
            "name = \"removal-" + ProcessHandle.current().pid() + "\"",
            "cores = []",
            port("left", driver + "0,iface=w0", "tap:r0"),
            port("right", driver + "1,iface=w1", "tap:r1"),
            "");
    }

    private static String port(final String name, final String device, final String exception)
    {
        return String.join("\n", "[[port]]", "name = \"" + name + "\"", "device = \"dpdk:" + device + "\"",
            "exception = \"" + exception + "\"");
    }
}
