package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.UserException;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.service.host.RunDirectory;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A host on either side of a router that tests may start, stop and kill: 10.0.0.2 -- r0 router r1 -- 10.0.1.2, and with
 * IPv6 {@link #LEFT_IPV6} -- {@link #ROUTER_LEFT_IPV6} router -- {@link #RIGHT_IPV6}.
 */
final class RouterLifeLab implements AutoCloseable
{
    static final Duration PATIENCE = Duration.ofSeconds(120);
    static final String LEFT_IPV6 = "2001:db8:1::2";
    static final String ROUTER_LEFT_IPV6 = "2001:db8:1::1";
    static final String RIGHT_IPV6 = "2001:db8:2::2";
    private static final String ROUTER_RIGHT_IPV6 = "2001:db8:2::1";

    private static final AtomicInteger SERIAL = new AtomicInteger();
    private static final int MTU = 1500;

    private final String name = "life-" + ProcessHandle.current().pid() + "-" + SERIAL.incrementAndGet();
    private final Host left = Host.open("left");
    private final Host router = Host.open("router");
    private final Host right = Host.open("right");

    static RouterLifeLab open()
    {
        return open(1);
    }

    /** With devices of the router that may have some queues each way, and have one. */
    static RouterLifeLab open(final int mostQueues)
    {
        final RouterLifeLab lab = new RouterLifeLab();
        boolean complete = false;
        try
        {
            lab.connect(lab.left, "r0", "10.0.0.", mostQueues);
            lab.connect(lab.right, "r1", "10.0.1.", mostQueues);
            lab.router.sysctl("ipv4.ip_forward", "1");
            complete = true;
            return lab;
        }
        finally
        {
            if (!complete)
            {
                lab.close();
            }
        }
    }

    private void connect(final Host host, final String routerDevice, final String network, final int mostQueues)
    {
        host.connect("h0", router, routerDevice, MTU, mostQueues);
        if (mostQueues > 1)
        {
            router.run("ethtool", "-L", routerDevice, "rx", "1", "tx", "1");
        }
        host.address("h0", network + "2/24");
        router.address(routerDevice, network + "1/24");
        host.run("ip", "route", "add", "default", "via", network + "1");
    }

    /** Enables IPv6, adds its addresses and the hosts' default routes; the router's kernel does not forward it yet. */
    void addIpv6()
    {
        for (final Host host : List.of(left, router, right))
        {
            host.sysctl("ipv6.conf.all.disable_ipv6", "0");
        }
        addIpv6(left, LEFT_IPV6, "r0", ROUTER_LEFT_IPV6);
        addIpv6(right, RIGHT_IPV6, "r1", ROUTER_RIGHT_IPV6);
    }

    private void addIpv6(
        final Host host, final String address, final String routerDevice, final String routerAddress)
    {
        host.run("ip", "address", "replace", address + "/64", "dev", "h0", "nodad");
        router.run("ip", "address", "replace", routerAddress + "/64", "dev", routerDevice, "nodad");
        host.run("ip", "-6", "route", "replace", "default", "via", routerAddress);
    }

    String name()
    {
        return name;
    }

    Host router()
    {
        return router;
    }

    Host left()
    {
        return left;
    }

    Host right()
    {
        return right;
    }

    /** With some lines more in the table of the router. */
    RouterProcess start(final String... keys)
    {
        return RouterProcess.start(router, config(keys), PATIENCE);
    }

    String config(final String... keys)
    {
        return String.join("\n",
            "[router]",
            "name = \"" + name + "\"",
            "cores = []",
            String.join("\n", keys),
            "[[port]]",
            "name = \"left\"",
            "device = \"xdp:r0\"",
            "[[port]]",
            "name = \"right\"",
            "device = \"xdp:r1\"",
            "");
    }

    ControlClient client() throws IOException
    {
        return ControlClient.connect(name);
    }

    JsonNode ask(final String what) throws IOException
    {
        try (ControlClient client = client())
        {
            return client.ask(ControlProtocol.request(what));
        }
    }

    /** Sends echo requests from left to right; yields whether every one was answered. */
    boolean pings(final int count)
    {
        return pings(count, "20");
    }

    /** Sends two echo requests from left to right, of which no answer is expected; yields whether none came soon. */
    boolean pingsInVain()
    {
        return !pings(2, "2");
    }

    private boolean pings(final int count, final String patienceSeconds)
    {
        try
        {
            left.run(
                "ping", "-n", "-q", "-c", Integer.toString(count), "-i", "0.05", "-W", patienceSeconds, "10.0.1.2");
            return true;
        }
        catch (final UserException ex)
        {
            return false;
        }
    }

    /** Whether an XDP program is on a device of the router. */
    boolean hasProgram(final String device)
    {
        return router.run("ip", "-d", "link", "show", device).contains("prog/xdp");
    }

    /** Also removes what a killed router could not, as the next one of its name would. */
    @Override
    public void close()
    {
        for (final Host host : List.of(left, right, router))
        {
            host.close();
        }
        final Path counters = CountersFile.directoryOf(name);
        try
        {
            Files.deleteIfExists(RunDirectory.controlSocketOf(name));
            if (Files.exists(counters))
            {
                CountersFile.create(counters, 1).close();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
