package org.fibnuma.bench.control;

import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.BgpSpeaker;
import org.fibnuma.bench.lab.Frr;
import org.fibnuma.bench.lab.KernelTable;
import org.fibnuma.bench.lab.ProcessUsage;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableGenerator;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A router process with {@code control = "fpm"} beside zebra and bgpd in a namespace, and a BGP neighbour in another.
 * zebra hands the neighbour's routes to the router and installs them in the kernel. For one thread.
 */
final class FpmRun implements AutoCloseable
{
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(10);
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Time between two counts of the kernel's routes; the kernel walks through all of them for each. */
    private static final long KERNEL_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MTU = 1500;
    private static final int ROUTER_AS = 65001;
    private static final int NEIGHBOR_AS = 65002;
    private static final String ROUTER = "10.0.1.1";
    private static final String NEIGHBOR = "10.0.1.2";
    private static final String FIBNUMA = "fibnuma";
    private static final List<String> DAEMONS = List.of("bgpd", "zebra");

    private final String name = "bench-fpm-" + ProcessHandle.current().pid();
    private final TemporaryDirectory directory = TemporaryDirectory.create("fpm");
    private final Host neighbor = Host.open("neighbor");
    private final Host router = Host.open("router");
    private Frr frr;
    private RouterProcess process;
    private ControlClient client;

    private FpmRun() throws IOException
    {
    }

    /**
     * Starts the router, zebra and bgpd.
     *
     * @throws UserException if one of them does not start, or FRR is not installed.
     * @throws IOException   if the router does not answer or a file cannot be written.
     */
    static FpmRun open() throws IOException
    {
        return AllOrNothing.open(new FpmRun(), run ->
        {
            run.neighbor.connect("h0", run.router, "r0", MTU);
            run.neighbor.address("h0", NEIGHBOR + "/24");
            run.router.address("r0", ROUTER + "/24");
            run.router.sysctl("ipv4.ip_forward", "1");
            run.router.run("chmod", "755", run.directory.path().toString());
            run.frr = new Frr(run.router, Files.createDirectory(run.directory.path().resolve("frr")));
            run.process = RouterProcess.start(run.router,
                RouterProcess.table(run.name, "control = \"fpm\"", "ipv6 = false") +
                RouterProcess.xdpPort("left", "r0"), START_PATIENCE);
            run.client = ControlClient.connect(run.name);
            run.frr.startConfigured("zebra", List.of("fpm address 127.0.0.1"), "-M", "dplane_fpm_nl");
            run.frr.start("bgpd");
            run.frr.configure("router bgp " + ROUTER_AS, "bgp router-id " + ROUTER, "no bgp ebgp-requires-policy",
                "neighbor " + NEIGHBOR + " remote-as " + NEIGHBOR_AS, "neighbor " + NEIGHBOR + " passive");
        });
    }

    /**
     * Announces generated IPv4 routes and waits until the router and the kernel have all of them.
     *
     * @param count of the routes.
     * @return the times.
     * @throws UserException if it takes more than ten minutes.
     * @throws IOException   if a process ends.
     */
    FpmResult run(final int count) throws IOException
    {
        final RouteList routes = new RouteTableGenerator().generate(count);
        final int fibBefore = fibRoutes();
        final int kernelBefore = KernelTable.prefixes(router);
        try (BgpSpeaker speaker = BgpSpeaker.open(neighbor, ROUTER, NEIGHBOR_AS, NEIGHBOR))
        {
            final Map<String, Double> before = cpuSeconds();
            final long start = System.nanoTime();
            speaker.announce(routes, 0, count, NEIGHBOR, NEIGHBOR_AS);
            final double announced = seconds(start);
            double fib = 0;
            double kernel = 0;
            long lookedNs = start;
            while (fib == 0 || kernel == 0)
            {
                if (fib == 0 && fibRoutes() - fibBefore >= count)
                {
                    fib = seconds(start);
                }
                if (kernel == 0 && System.nanoTime() - lookedNs >= KERNEL_INTERVAL_NS)
                {
                    kernel = KernelTable.prefixes(router) - kernelBefore >= count ? seconds(start) : 0;
                    lookedNs = System.nanoTime();
                }
                if (System.nanoTime() - start > PATIENCE_NS)
                {
                    throw new UserException("after ten minutes the router has " + fibRoutes() +
                        " routes and the kernel " + KernelTable.prefixes(router) + " of " + count);
                }
                LockSupport.parkNanos(INTERVAL_NS);
            }
            final Map<String, Double> used = cpuSeconds();
            before.forEach((thread, seconds) -> used.merge(thread, -seconds, Double::sum));
            return new FpmResult(count, announced, fib, kernel, used, memoryMiB());
        }
    }

    private int fibRoutes() throws IOException
    {
        return client.ask(ControlProtocol.request("routes").put("limit", 0)).get("fibRoutes").asInt();
    }

    /** Returns the seconds of all threads so far, by process and thread. */
    private Map<String, Double> cpuSeconds() throws IOException
    {
        final Map<String, Double> all = new LinkedHashMap<>();
        for (final String daemon : DAEMONS)
        {
            ProcessUsage.cpuSeconds(frr.pid(daemon)).forEach((thread, time) -> all.put(daemon + "/" + thread, time));
        }
        ProcessUsage.cpuSeconds(process.pid()).forEach((thread, time) -> all.put(FIBNUMA + "/" + thread, time));
        return all;
    }

    private Map<String, Long> memoryMiB() throws IOException
    {
        final Map<String, Long> all = new LinkedHashMap<>();
        for (final String daemon : DAEMONS)
        {
            all.put(daemon, ProcessUsage.memoryMiB(frr.pid(daemon)));
        }
        all.put(FIBNUMA, ProcessUsage.memoryMiB(process.pid()));
        return all;
    }

    private static double seconds(final long start)
    {
        return (System.nanoTime() - start) / 1e9;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(client, process, frr, router, neighbor, directory);
    }
}
