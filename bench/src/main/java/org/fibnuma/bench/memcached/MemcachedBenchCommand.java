package org.fibnuma.bench.memcached;

import org.fibnuma.bench.lab.MeasurementCommand;
import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.core.agent.CleanEnd;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.ipnuma.demo.PingPongPlace;
import org.fibnuma.ipnuma.demo.PingPongRuns;
import picocli.CommandLine.Command;
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
        "SET and GET one at a time, best and median of several runs: Debian's memcached and Fibnuma's server over " +
            "blocking UDP and over TCP, and Fibnuma's over streams of remote memory: on one host (the loopback, shm: " +
            "and, with DPDK, memif) and, as root, between two network namespaces (a veth pair, xdp: on it).",
        "The thesis's figures stand beside them; ratios are to memcached over UDP at the same place in the same run."
    },
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma bench memcached --sizes 16,512 --json",
    mixinStandardHelpOptions = true)
public final class MemcachedBenchCommand extends MeasurementCommand
{
    private static final String DPDK = "dpdk-testpmd";
    private static final String PEER = "memcached, UDP";
    private static final String PEER_VETH = PEER + ", veth";
    private static final int LARGEST = 1024;

    @Option(names = "--sizes", split = ",", defaultValue = "16,32,64,128,256,512", paramLabel = "BYTES",
        description = "of values, 1 to 1024 (${DEFAULT-VALUE})")
    private List<Integer> sizes;

    @Option(names = "--commands", defaultValue = "10000", paramLabel = "N", description = "of a run (${DEFAULT-VALUE})")
    private int commands;

    @Option(names = "--runs", defaultValue = "10", paramLabel = "N", description = "of each (${DEFAULT-VALUE})")
    private int runs;

    /** Creates the command for picocli. */
    public MemcachedBenchCommand()
    {
    }

    @Override
    public Integer call() throws Exception
    {
        require(commands >= 1 && runs >= 1 && sizes.stream().allMatch(size -> size >= 1 && size <= LARGEST),
            "--commands and --runs must be 1 or more, --sizes 1 to " + LARGEST);
        requireProgram("memcached");
        return CleanEnd.during(this::run);
    }

    private int run() throws IOException
    {
        final MemcachedComparison comparison = new MemcachedComparison();
        final String obstacle = namespaceObstacle();
        try (TemporaryDirectory files = TemporaryDirectory.create("memcached");
            PingPongPlace loopback = PingPongPlace.loopback();
            PingPongPlace namespaces = obstacle == null ? PingPongPlace.namespaces() : null)
        {
            final List<MemcachedRun> all = onOneHost(loopback, files.path());
            if (namespaces == null)
            {
                output().say("left out: AF_XDP and veth: " + obstacle);
            }
            else
            {
                all.addAll(MemcachedRun.overSockets(namespaces, PEER_VETH, ", veth"));
                all.add(MemcachedRun.overStreams(files.path(), namespaces, PEER_VETH, "xdp",
                    "xdp:" + PingPongPlace.SERVER_DEVICE, "xdp:" + PingPongPlace.CLIENT_DEVICE));
            }
            for (final MemcachedRun each : all)
            {
                each.run(sizes, commands, runs, figures -> output().say(comparison.add(each, figures)));
            }
        }
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("commands", commands);
        result.put("runs", runs);
        result.putAll(comparison.toMap());
        output().print(result, comparison::printThesis);
        return DONE;
    }

    private List<MemcachedRun> onOneHost(final PingPongPlace loopback, final Path files) throws IOException
    {
        final List<MemcachedRun> all = new ArrayList<>(MemcachedRun.overSockets(loopback, PEER, ""));
        final String link = "shm:" + MemcachedRun.NAME;
        all.add(MemcachedRun.overStreams(files, loopback, PEER, "shm", link + "@far", link));
        if (ChildProcess.isInstalled(DPDK))
        {
            all.add(MemcachedRun.overStreams(files, loopback, PEER, "memif",
                PingPongRuns.memifDevice(files, "server"), PingPongRuns.memifDevice(files, "client")));
        }
        else
        {
            output().say("left out: memif: needs DPDK: apt-get install dpdk");
        }
        return all;
    }
}
