package org.fibnuma.bench.memcached;

import org.fibnuma.bench.lab.MeasurementCommand;
import org.fibnuma.bench.lab.RouterChain;
import org.fibnuma.bench.lab.RouterOptions;
import org.fibnuma.bench.lab.Routers;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.core.agent.CleanEnd;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.ipnuma.demo.PingPongPlace;
import org.fibnuma.ipnuma.demo.PingPongRuns;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code fibnuma bench memcached}. */
@Command(
    name = "memcached",
    description = {
        "SET, GET and ADD one at a time, best and median of several runs: Debian's memcached and Fibnuma's server " +
            "over blocking UDP and over TCP, and Fibnuma's over streams of remote memory: on one host (the loopback, " +
            "shm: and, with DPDK, memif) and, as root, between two network namespaces (a veth pair, xdp: on it).",
        "With --routers 1 or more: memcached over UDP and Fibnuma's server over xdp: through a chain of routers.",
        "The thesis's figures stand beside them; ratios are to memcached over UDP at the same place, or through as " +
            "many routers of the kernel, in the same run."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma bench memcached --sizes 16,512 --json",
        "  fibnuma bench memcached --routers 0,1,4 --sizes 16"
    },
    mixinStandardHelpOptions = true)
public final class MemcachedBenchCommand extends MeasurementCommand
{
    private static final String DPDK = "dpdk-testpmd";
    private static final int LARGEST = 1024;

    @Option(names = "--sizes", split = ",", defaultValue = "16,32,64,128,256,512", paramLabel = "BYTES",
        description = "of values, 1 to 1024 (${DEFAULT-VALUE})")
    private List<Integer> sizes;

    @Option(names = "--commands", defaultValue = "10000", paramLabel = "N", description = "of a run (${DEFAULT-VALUE})")
    private int commands;

    @Option(names = "--runs", defaultValue = "10", paramLabel = "N", description = "of each (${DEFAULT-VALUE})")
    private int runs;

    @Mixin
    private RouterOptions routers;

    /** Creates the command for picocli. */
    public MemcachedBenchCommand()
    {
    }

    @Override
    public Integer call() throws Exception
    {
        require(commands >= 1 && runs >= 1 && sizes.stream().allMatch(size -> size >= 1 && size <= LARGEST),
            "--commands and --runs must be 1 or more, --sizes 1 to " + LARGEST);
        final List<Routers> all = routers.all();
        requireProgram("memcached");
        if (all.stream().anyMatch(each -> each.count() > 0))
        {
            requireNamespaces();
        }
        return CleanEnd.during(() -> run(all));
    }

    private int run(final List<Routers> all) throws IOException
    {
        final MemcachedComparison comparison = new MemcachedComparison();
        try (TemporaryDirectory files = TemporaryDirectory.create("memcached"))
        {
            for (final Routers each : all)
            {
                if (each.count() == 0)
                {
                    measureDirectly(comparison, files.path());
                }
                else
                {
                    measureThrough(comparison, each, files.path());
                }
            }
        }
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("commands", commands);
        result.put("runs", runs);
        result.putAll(comparison.toMap());
        output().print(result, comparison::printThesis);
        return DONE;
    }

    private void measureDirectly(final MemcachedComparison comparison, final Path files) throws IOException
    {
        final String obstacle = namespaceObstacle();
        try (PingPongPlace loopback = PingPongPlace.loopback();
            PingPongPlace namespaces = obstacle == null ? PingPongPlace.namespaces() : null)
        {
            final List<MemcachedRun> all = onOneHost(loopback, files);
            if (namespaces == null)
            {
                output().say("left out: AF_XDP and veth: " + obstacle);
            }
            else
            {
                all.addAll(MemcachedRun.overSockets(namespaces, MemcachedRun.UDP_VETH, MemcachedRun.VETH));
                all.add(MemcachedRun.overXdp(files, namespaces));
            }
            for (final MemcachedRun each : all)
            {
                measure(comparison, each, Routers.NONE);
            }
        }
    }

    private void measureThrough(final MemcachedComparison comparison, final Routers routers, final Path files)
        throws IOException
    {
        try (RouterChain chain = RouterChain.open(routers))
        {
            for (final MemcachedRun each : List.of(
                MemcachedRun.memcached(chain, ClientProgram.UDP, MemcachedRun.UDP_VETH, MemcachedRun.VETH),
                MemcachedRun.overXdp(files, chain)))
            {
                measure(comparison, each, routers);
                chain.verify(2L * Workload.KINDS * sizes.size() * (runs + 1) * commands);
            }
        }
    }

    private void measure(final MemcachedComparison comparison, final MemcachedRun run, final Routers between)
    {
        run.run(sizes, commands, runs, figures -> output().say(comparison.add(run, between, figures)));
    }

    private List<MemcachedRun> onOneHost(final PingPongPlace loopback, final Path files) throws IOException
    {
        final List<MemcachedRun> all = new ArrayList<>(MemcachedRun.overSockets(loopback, MemcachedRun.UDP, ""));
        final String link = "shm:" + MemcachedRun.NAME;
        all.add(MemcachedRun.overStreams(files, loopback, MemcachedRun.UDP, "shm", link + "@far", link));
        if (ChildProcess.isInstalled(DPDK))
        {
            all.add(MemcachedRun.overStreams(files, loopback, MemcachedRun.UDP, "memif",
                PingPongRuns.memifDevice(files, "server"), PingPongRuns.memifDevice(files, "client")));
        }
        else
        {
            output().say("left out: memif: needs DPDK: apt-get install dpdk");
        }
        return all;
    }
}
