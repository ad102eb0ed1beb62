package org.fibnuma.bench.system;

import org.fibnuma.bench.lab.Host;
import org.fibnuma.bench.lab.RouterProcess;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Three hosts around one router, each on a cable of its own, with scapy at the far end:
 * <pre>
 *  a 10.0.0.2/24 -- r0 10.0.0.1 \
 *  b 10.0.1.2/24 -- r1 10.0.1.1  > router
 *    10.0.2.1/31       10.0.2.0 /
 *  c 10.0.3.2/24 -- r2 10.0.3.1    MTU 1000
 * </pre>
 * What is sent to {@link #BEYOND_A}, {@link #BEYOND_B} and {@link #BEYOND_C} leaves by these hosts and is answered by
 * nobody.
 */
final class RouterLab implements AutoCloseable
{
    static final int MTU = 1500;
    static final int NARROW_MTU = 1000;
    static final String BEYOND_A = "198.51.101.";
    static final String BEYOND_B = "198.51.100.";
    static final String BEYOND_C = "203.0.113.";
    static final String BEYOND_B_BY_31 = "198.18.4.";
    static final String BLACKHOLE = "198.18.1.";
    static final String UNREACHABLE = "198.18.2.";
    static final String PROHIBITED = "198.18.3.";
    static final String NO_ROUTE = "192.0.2.";

    private static final String CONFIG = String.join("\n",
        "[router]",
        "name = \"%s\"",
        "idle = \"backoff\"",
        "cores = []",
        "[[port]]",
        "name = \"left\"",
        "device = \"xdp:r0\"",
        "[[port]]",
        "name = \"right\"",
        "device = \"xdp:r1\"",
        "[[port]]",
        "name = \"narrow\"",
        "device = \"xdp:r2\"",
        "");

    private final String name;
    private final Host router = Host.open("router");
    private final ScapyHost a;
    private final ScapyHost b;
    private final ScapyHost c;
    private RouterProcess process;

    private RouterLab(final String name)
    {
        this.name = name + "-" + ProcessHandle.current().pid();
        a = cable("a", "a0", "r0", MTU);
        b = cable("b", "b0", "r1", MTU);
        c = cable("c", "c0", "r2", NARROW_MTU);
    }

    /** Everything but the router itself. */
    static RouterLab open(final String name)
    {
        final RouterLab lab = new RouterLab(name);
        try
        {
            lab.configure();
            return lab;
        }
        catch (final RuntimeException ex)
        {
            lab.close();
            throw ex;
        }
    }

    private ScapyHost cable(final String name, final String device, final String routerDevice, final int mtu)
    {
        final Host host = Host.open(name);
        host.connect(device, router, routerDevice, mtu);
        host.withoutChecksumOffload(device);
        router.withoutChecksumOffload(routerDevice);
        return new ScapyHost(host, device);
    }

    private void configure()
    {
        a.host().address("a0", "10.0.0.2/24");
        b.host().address("b0", "10.0.1.2/24");
        b.host().address("b0", "10.0.2.1/31");
        c.host().address("c0", "10.0.3.2/24");
        router.address("r0", "10.0.0.1/24");
        router.address("r1", "10.0.1.1/24");
        router.address("r1", "10.0.2.0/31");
        router.address("r2", "10.0.3.1/24");
        a.host().run("ip", "route", "add", "default", "via", "10.0.0.1");
        b.host().run("ip", "route", "add", "default", "via", "10.0.1.1");
        c.host().run("ip", "route", "add", "default", "via", "10.0.3.1");
        for (final Host host : List.of(a.host(), b.host(), c.host(), router))
        {
            host.sysctl("ipv4.conf.all.rp_filter", "0");
            host.sysctl("ipv4.conf.all.send_redirects", "0");
            host.sysctl("ipv4.icmp_ratelimit", "0");
        }
        router.sysctl("ipv4.ip_forward", "1");
        for (final String device : List.of("r0", "r1", "r2"))
        {
            router.sysctl("ipv4.conf." + device + ".send_redirects", "0");
        }
        addSpecialRoutes();
        greet(a, "r0");
        greet(b, "r1");
        greet(c, "r2");
    }

    /** The routes to networks that every test may count on. */
    void addSpecialRoutes()
    {
        route("replace", BEYOND_A + "0/24", "via", "10.0.0.2");
        route("replace", BEYOND_B + "0/24", "via", "10.0.1.2");
        route("replace", BEYOND_C + "0/24", "via", "10.0.3.2");
        route("replace", BEYOND_B_BY_31 + "0/24", "via", "10.0.2.1");
        route("replace", "blackhole", BLACKHOLE + "0/24");
        route("replace", "unreachable", UNREACHABLE + "0/24");
        route("replace", "prohibit", PROHIBITED + "0/24");
    }

    private void greet(final ScapyHost host, final String routerDevice)
    {
        host.awaitReady();
        host.define(Map.of("TO_ROUTER",
            "Ether(src='" + host.macAddress() + "', dst='" + router.macAddress(routerDevice) + "')"));
    }

    /** Starts the router under test on all three cables. */
    void startRouter()
    {
        process = RouterProcess.start(router, String.format(CONFIG, name), Duration.ofSeconds(30));
    }

    /** For a test in which the kernel, as the reference, is not as strict as the RFC that the router follows. */
    void assumeRouter(final String kernelDiffers)
    {
        assumeTrue(process != null, kernelDiffers);
    }

    /** Changes the routes of the router's kernel: the words behind {@code ip route}. */
    void route(final String... words)
    {
        final String[] command = new String[words.length + 2];
        command[0] = "ip";
        command[1] = "route";
        System.arraycopy(words, 0, command, 2, words.length);
        router.run(command);
    }

    /** The router's name, by which other processes find it. */
    String name()
    {
        return name;
    }

    Host router()
    {
        return router;
    }

    RouterProcess process()
    {
        return process;
    }

    ScapyHost a()
    {
        return a;
    }

    ScapyHost b()
    {
        return b;
    }

    ScapyHost c()
    {
        return c;
    }

    /** What the router counted so far, or nothing where the kernel forwards. */
    Fates fates()
    {
        return process == null ? Fates.unknown() : Fates.read(name);
    }

    @Override
    public void close()
    {
        if (process != null)
        {
            process.close();
        }
        for (final ScapyHost host : List.of(a, b, c))
        {
            host.close();
            host.host().close();
        }
        router.close();
    }
}
