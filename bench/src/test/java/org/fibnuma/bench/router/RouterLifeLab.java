package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.HostPrograms;
import org.fibnuma.bench.lab.RouterMemory;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Await;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.service.host.RunDirectory;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A host on either side of a router that tests may start, stop and kill: 10.0.0.2 -- r0 router r1 -- 10.0.1.2, and with
 * IPv6 {@link #LEFT_IPV6} -- {@link #ROUTER_LEFT_IPV6} router -- {@link #RIGHT_IPV6}. The lab closes the router that
 * was started last.
 */
public final class RouterLifeLab implements AutoCloseable
{
    public static final Duration PATIENCE = Duration.ofSeconds(120);
    public static final String LEFT_IPV6 = "2001:db8:1::2";
    private static final String ROUTER_LEFT_IPV6 = "2001:db8:1::1";
    public static final String RIGHT_IPV6 = "2001:db8:2::2";
    private static final String ROUTER_RIGHT_IPV6 = "2001:db8:2::1";
    private static final AtomicInteger SERIAL = new AtomicInteger();
    private static final int MTU = 1500;

    private final String name = "life-" + ProcessHandle.current().pid() + "-" + SERIAL.incrementAndGet();
    private final Host left = Host.open("left");
    private final Host router = Host.open("router");
    private final Host right = Host.open("right");
    private RouterProcess process;

    public static RouterLifeLab open()
    {
        return open(1);
    }

    /** With hosts that are not connected yet. */
    static RouterLifeLab unconnected()
    {
        final RouterLifeLab lab = new RouterLifeLab();
        lab.router.sysctl("ipv4.ip_forward", "1");
        return lab;
    }

    /** With devices of the router that may have some queues each way, and have one. */
    public static RouterLifeLab open(final int mostQueues)
    {
        final RouterLifeLab lab = unconnected();
        try
        {
            lab.connect(lab.left, "r0", "10.0.0.", mostQueues);
            lab.connect(lab.right, "r1", "10.0.1.", mostQueues);
            return lab;
        }
        catch (final RuntimeException ex)
        {
            lab.close();
            throw ex;
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

    /** Connects another host, which has device h0, address 2 of a network, and the router's address 1 as gateway. */
    public void connect(final Host host, final String routerDevice, final String network)
    {
        connect(host, routerDevice, network, 1);
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

    /** Adds an IPv6 address of a host and one of the router on a link; the latter is the host's gateway. */
    public void addIpv6(final Host host, final String address, final String routerDevice, final String routerAddress)
    {
        host.run("ip", "address", "replace", address + "/64", "dev", "h0", "nodad");
        router.run("ip", "address", "replace", routerAddress + "/64", "dev", routerDevice, "nodad");
        host.run("ip", "-6", "route", "replace", "default", "via", routerAddress);
    }

    /** As {@link #addIpv6()} does, and the router's kernel forwards IPv6. */
    public void forwardIpv6()
    {
        addIpv6();
        router.sysctl("ipv6.conf.all.forwarding", "1");
    }

    public String name()
    {
        return name;
    }

    public Host router()
    {
        return router;
    }

    public Host left()
    {
        return left;
    }

    public Host right()
    {
        return right;
    }

    /** Runs commands of a shell on the router's host, up to the first that fails; returns their output. */
    public String shell(final String commands)
    {
        return router.run("sh", "-e", "-c", commands);
    }

    /** Returns the content of a file of sysfs about a device of the router. */
    String value(final String device, final String file)
    {
        return router.run("cat", "/sys/class/net/" + device + "/" + file).strip();
    }

    /** Starts the router with some lines more in its table. */
    RouterProcess start(final String... keys)
    {
        return startConfigured(config(keys));
    }

    /** Starts the router with a configuration and some flags of the JVM. */
    public RouterProcess startConfigured(final String config, final String... flags)
    {
        final RouterProcess started = RouterProcess.start(router, config, PATIENCE, List.of(flags));
        CloseHelper.close(process);
        process = started;
        return started;
    }

    public String config(final String... keys)
    {
        return String.join("\n",
            "[router]",
            "name = \"" + name + "\"",
            "cores = []",
            String.join("\n", keys),
            port("left", "xdp:r0") + port("right", "xdp:r1"));
    }

    /** Returns a port's table of the configuration, with some lines more. */
    public static String port(final String port, final String device, final String... keys)
    {
        return "[[port]]\nname = \"" + port + "\"\ndevice = \"" + device + "\"\n" +
            Stream.of(keys).map(key -> key + "\n").collect(Collectors.joining());
    }

    public RouterProcess process()
    {
        return process;
    }

    /** Ends the router by SIGTERM, which it follows with status 0. */
    public void terminate()
    {
        assertEquals(0, process.terminate(), this::log);
    }

    /** Returns what the router has logged; nothing if this lab has started none. */
    public String log()
    {
        return process == null ? "" : String.join("\n", process.errors());
    }

    /** Returns the number of logged lines that contain a text. */
    public long count(final String text)
    {
        return process.errors().stream().filter(line -> line.contains(text)).count();
    }

    /** Waits until a logged line contains a text. */
    public void awaitLog(final String text)
    {
        await("\"" + text + "\"", () -> count(text) > 0);
    }

    /** Waits for what the running router does a little later. */
    void await(final String what, final Callable<Boolean> condition)
    {
        await(() -> what, condition);
    }

    private void await(final Supplier<String> what, final Callable<Boolean> condition)
    {
        Await.until(() -> what.get() + " in\n" + log(), () ->
        {
            assertTrue(process.isAlive(), this::log);
            return condition.call();
        });
    }

    ControlClient client()
    {
        try
        {
            return ControlClient.connect(name);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    public JsonNode ask(final String what)
    {
        return ask(ControlProtocol.request(what));
    }

    JsonNode ask(final ObjectNode request)
    {
        try (ControlClient client = client())
        {
            return client.ask(request);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns why the router refuses a request. */
    String refusal(final ObjectNode request)
    {
        return assertThrows(UncheckedIOException.class, () -> ask(request)).getCause().getMessage();
    }

    /** Returns the command line of a command for this router, with the JIT's first tier. */
    String[] command(final String command, final String... options)
    {
        return JavaProgram.command(List.of("-XX:TieredStopAtLevel=1"), "org.fibnuma.fibnic.command.FibnumaCommand",
            Stream.concat(Stream.of(command, "--name", name), Stream.of(options)).toArray(String[]::new));
    }

    /** Starts a command until it prints a line that it runs: a router may still be ending the one before. */
    static ChildProcess startUntilItRuns(final String line, final String... command)
    {
        final ChildProcess[] started = new ChildProcess[1];
        Await.until(() -> line + ", not " + started[0].errors(), () ->
        {
            final ChildProcess child = ChildProcess.start(command);
            started[0] = child;
            Await.until(() -> child.errors().toString(), () -> !child.isAlive() || hasLine(child, line));
            return hasLine(child, line);
        });
        return started[0];
    }

    private static boolean hasLine(final ChildProcess child, final String start)
    {
        return child.errors().stream().anyMatch(line -> line.startsWith(start));
    }

    /** Returns what the router says about a port, from 0. */
    JsonNode port(final int index)
    {
        return ask("ports").get("ports").get(index);
    }

    public JsonNode lookup(final String address)
    {
        return ask(ControlProtocol.request("lookup").put("address", address));
    }

    /** Waits until an address has a kind of route. */
    void awaitKind(final String address, final String kind)
    {
        await(kind + " of " + address, () -> kind.equals(lookup(address).get("kind").asText()));
    }

    /** Returns the number of frames that the router has forwarded. */
    long forwarded()
    {
        return ask("drops").get("forwarded").asLong();
    }

    /** Every received frame has one fate. */
    public void assertBalanced()
    {
        final JsonNode drops = ask("drops");
        assertTrue(drops.get("balanced").asBoolean(), drops::toString);
    }

    /**
     * Waits until the router has no more live objects and no more memory outside its heap than some bytes; a compiler
     * of its JIT has more for a while. Returns both numbers.
     */
    String awaitMemory(final long mostObjects, final long mostOutside)
    {
        final String[] memory = new String[1];
        await(() -> memory[0] + ", more than " + mostObjects + " and " + mostOutside, () ->
        {
            final long objects = RouterMemory.liveBytes(process);
            final long outside = RouterMemory.trimmedBytes(process);
            memory[0] = objects + " bytes of live objects and " + outside + " outside the heap";
            return objects <= mostObjects && outside <= mostOutside;
        });
        return memory[0];
    }

    /** Returns what the router and the kernel have counted, to see where a frame was lost. */
    String traffic()
    {
        final String[] links = {"ip", "-s", "-s", "link"};
        return String.join("\n", ask("drops").toString(), ask("ports").toString(), left.run(links), router.run(links),
            right.run(links), router.run("cat", "/proc/net/softnet_stat"), log());
    }

    /** The table is the kernel's; returns the comparison. */
    JsonNode assertVerified()
    {
        final JsonNode answer = ask("verify");
        assertTrue(answer.get("equal").asBoolean(), () -> answer + log());
        return answer;
    }

    /** Sends echo requests from left to right; yields whether every one was answered. */
    boolean pings(final int count)
    {
        return HostPrograms.pings(left, "10.0.1.2", count, 20);
    }

    /** Every one of some echo requests from left to right is answered. */
    void assertPings(final int count)
    {
        assertTrue(pings(count), this::log);
    }

    /** Sends two echo requests from left to right, of which no answer is expected; yields whether none came soon. */
    boolean pingsInVain()
    {
        return !HostPrograms.pings(left, "10.0.1.2", 2, 2);
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
        CloseHelper.closeAll(process, left, right, router);
        removeLeftovers(name);
    }

    /** Removes the socket and the counters of a killed router. */
    static void removeLeftovers(final String routerName)
    {
        final Path counters = CountersFile.directoryOf(routerName);
        try
        {
            Files.deleteIfExists(RunDirectory.controlSocketOf(routerName));
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
