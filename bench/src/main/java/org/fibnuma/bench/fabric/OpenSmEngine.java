package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.export.RoutesReader;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.tables.TableWalk;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.TopologyReader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs OpenSM on a fabric that ibsim simulates and measures the tables of a routing engine. */
final class OpenSmEngine
{
    private static final Path OPEN_SM = Path.of("/usr/sbin/opensm");
    private static final Path IB_SIM = Path.of("/usr/bin/ibsim");
    private static final Path SIMULATED_UMAD = Path.of("/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so");
    private static final String NO_TABLES = "none";
    private static final int PATIENCE_SECONDS = 60;
    private static final int START_MILLIS = 500;

    private OpenSmEngine()
    {
    }

    /** Returns whether OpenSM, ibsim and its library are installed (Debian: opensm, ibsim-utils, libumad2sim0). */
    static boolean isInstalled()
    {
        return Files.isExecutable(OPEN_SM) && Files.isExecutable(IB_SIM) && Files.exists(SIMULATED_UMAD);
    }

    /**
     * Measures the tables of an engine.
     *
     * @param fabric the network.
     * @param engine name of the engine.
     * @param root   switch that is the root if the engine finds none by itself.
     * @return the load of the most loaded channel under uniform demand, with "loops" if the tables have a cycle on one
     *         lane; "none" if the engine made no tables for all servers.
     */
    static String maxLinkLoad(final Fabric fabric, final String engine, final int root)
        throws IOException, InterruptedException
    {
        final String unaided = measure(fabric, engine, -1);
        return unaided.equals(NO_TABLES) ? measure(fabric, engine, root) : unaided;
    }

    private static String measure(final Fabric fabric, final String engine, final int root)
        throws IOException, InterruptedException
    {
        final Path folder = Files.createTempDirectory("fibnuma-opensm");
        try
        {
            final Path net = folder.resolve("fabric.net");
            Files.writeString(net, describe(fabric));
            final Fabric simulated = TopologyReader.read(net.toString());
            final List<String> options = new ArrayList<>(List.of("-R", engine));
            if (root >= 0)
            {
                final Path roots = folder.resolve("roots");
                final long guid = simulated.switchGuid(simulated.switchNamed(fabric.switchName(root)));
                Files.writeString(roots, String.format("0x%x%n", guid));
                options.addAll(List.of("-a", roots.toString()));
            }
            sweep(folder, net, options);
            final Path tables = folder.resolve("opensm.fdbs");
            if (!Files.exists(tables) || !Files.readString(folder.resolve("opensm.log")).contains(engine + " tables"))
            {
                return NO_TABLES;
            }
            final TableWalk walk = TableWalk.of(RoutesReader.read(simulated, tables), Demand.uniform(simulated));
            final RoutingProof proof = RoutingProof.of(walk);
            return walk.unreachablePairs() > 0 ? NO_TABLES : walk.loads().max() + (proof.isAcyclic() ? "" : " loops");
        }
        finally
        {
            try (Stream<Path> files = Files.walk(folder))
            {
                for (final Path file : files.sorted(Comparator.reverseOrder()).collect(Collectors.toList()))
                {
                    Files.delete(file);
                }
            }
        }
    }

    private static void sweep(final Path folder, final Path net, final List<String> options)
        throws IOException, InterruptedException
    {
        // ibsim listens on a socket named after its process; both programs get the same name.
        final String socket = "fibnuma" + ProcessHandle.current().pid();
        final ProcessBuilder simulator = new ProcessBuilder("ibsim", "-s", "-n", "-N", "4096", "-S", "4096", "-P",
            "65536", net.toString()).directory(folder.toFile()).redirectErrorStream(true)
            .redirectOutput(folder.resolve("ibsim.log").toFile());
        simulator.environment().put("IBSIM_SOCKNAME", socket);
        final Process ibsim = simulator.start();
        try
        {
            TimeUnit.MILLISECONDS.sleep(START_MILLIS);
            final List<String> command = new ArrayList<>(List.of(OPEN_SM.toString(), "-o", "-Q", "-D", "0x43", "-f",
                folder.resolve("opensm.log").toString()));
            command.addAll(options);
            final ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
                .redirectErrorStream(true).redirectOutput(folder.resolve("opensm.out").toFile());
            builder.environment().put("IBSIM_SOCKNAME", socket);
            builder.environment().put("LD_PRELOAD", SIMULATED_UMAD.toString());
            builder.environment().put("OSM_TMP_DIR", folder.toString());
            builder.environment().put("OSM_CACHE_DIR", folder.toString());
            final Process process = builder.start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
            {
                process.destroyForcibly().waitFor();
            }
        }
        finally
        {
            ibsim.destroyForcibly().waitFor();
        }
    }

    /** Returns the input of ibsim. */
    private static String describe(final Fabric fabric)
    {
        final StringBuilder text = new StringBuilder();
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            text.append("Hca\t1 \"").append(fabric.serverName(server)).append("\"\n[1]\t\"")
                .append(fabric.switchName(fabric.serverSwitch(server))).append("\"[")
                .append(fabric.serverPort(server)).append("]\n\n");
        }
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            text.append("Switch\t").append(fabric.degree(node) + fabric.serversAt(node)).append(" \"")
                .append(fabric.switchName(node)).append("\"\n");
            for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
            {
                text.append('[').append(fabric.portNumber(channel)).append("]\t\"")
                    .append(fabric.switchName(fabric.target(channel))).append("\"[")
                    .append(fabric.portNumber(fabric.reverse(channel))).append("]\n");
            }
            for (int server = fabric.firstServer(node); server < fabric.firstServer(node + 1); server++)
            {
                text.append('[').append(fabric.serverPort(server)).append("]\t\"").append(fabric.serverName(server))
                    .append("\"[1]\n");
            }
            text.append('\n');
        }
        return text.toString();
    }
}
