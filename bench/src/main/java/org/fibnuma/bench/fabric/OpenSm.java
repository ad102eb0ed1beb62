package org.fibnuma.bench.fabric;

import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.fabric.export.OpenSmTables;
import org.fibnuma.fabric.export.RoutesReader;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.tables.TableWalk;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.TopologyReader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** OpenSM on a fabric that ibsim simulates: its own routing engines, and ibdmchk's verdict on tables that it loads. */
final class OpenSm
{
    private static final Path OPEN_SM = Path.of("/usr/sbin/opensm");
    private static final Path IB_SIM = Path.of("/usr/bin/ibsim");
    private static final Path CHECKER = Path.of("/usr/bin/ibdmchk");
    private static final Path SIMULATED_UMAD = Path.of("/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so");
    private static final String LOOPS = " loops";
    private static final String NO_TABLES = "none";
    private static final int PATIENCE_SECONDS = 60;
    private static final int START_MILLIS = 500;
    private static final int TRIES = 3;

    private final Fabric fabric;
    private Path folder;
    private Fabric simulated;

    OpenSm(final Fabric fabric)
    {
        this.fabric = fabric;
    }

    /** A measurement in a folder with the input of ibsim, which is deleted afterwards. */
    @FunctionalInterface
    private interface Measurement<T>
    {
        T run() throws IOException, InterruptedException;
    }

    /** Returns whether OpenSM, ibsim and its library are installed (Debian: opensm, ibsim-utils, libumad2sim0). */
    static boolean isInstalled()
    {
        return Files.isExecutable(OPEN_SM) && Files.isExecutable(IB_SIM) && Files.exists(SIMULATED_UMAD);
    }

    /** Returns whether ibdmchk is installed (Debian: ibutils) and may write to /var/cache/ibutils, as it must. */
    static boolean isCheckerInstalled()
    {
        return Files.isExecutable(CHECKER) && System.getProperty("user.name").equals("root");
    }

    /** Returns the load of the most loaded channel, with "loops" if the tables have a cycle on one lane. */
    static String maxLinkLoad(final TableWalk walk)
    {
        return walk.loads().max() + (RoutingProof.of(walk).isAcyclic() ? "" : LOOPS);
    }

    /**
     * Measures the tables of an engine.
     *
     * @param engine name of the engine.
     * @param root   switch that is the root if the engine finds none by itself.
     * @return the load of the most loaded channel under uniform demand, with "loops" if the tables have a cycle on one
     *         lane; "none" if the engine made no tables for all servers.
     */
    String maxLinkLoad(final String engine, final int root) throws IOException, InterruptedException
    {
        final String unaided = inFolder(() -> measure(engine, -1));
        return unaided.equals(NO_TABLES) ? inFolder(() -> measure(engine, root)) : unaided;
    }

    private String measure(final String engine, final int root) throws IOException, InterruptedException
    {
        final List<String> options = new ArrayList<>(List.of("-R", engine));
        if (root >= 0)
        {
            final Path roots = folder.resolve("roots");
            final long guid = simulated.switchGuid(simulated.switchNamed(fabric.switchName(root)));
            Files.writeString(roots, String.format("0x%x%n", guid));
            options.addAll(List.of("-a", roots.toString()));
        }
        sweep(options);
        final Path tables = folder.resolve("opensm.fdbs");
        if (!Files.exists(tables) || !Files.readString(folder.resolve("opensm.log")).contains(engine + " tables"))
        {
            return NO_TABLES;
        }
        final TableWalk walk = TableWalk.of(RoutesReader.read(simulated, tables), Demand.uniform(simulated));
        return walk.unreachablePairs() > 0 ? NO_TABLES : maxLinkLoad(walk);
    }

    /**
     * Loads tables into the simulated switches and has ibdmchk search them for credit loops.
     *
     * @param tables of the fabric.
     * @return whether it finds one.
     * @throws IOException if OpenSM does not load the tables or ibdmchk has no verdict.
     */
    boolean hasCreditLoop(final ForwardingTables tables) throws IOException, InterruptedException
    {
        return inFolder(() ->
        {
            new OpenSmTables(translate(tables)).write(folder);
            final Path input = Files.move(folder.resolve(OpenSmTables.FILE), folder.resolve("plan.dump"));
            for (int i = 0; i < TRIES && !Files.exists(folder.resolve("opensm.fdbs")); i++)
            {
                sweep(List.of("-R", "file", "-U", input.toString()));
            }
            final TableWalk loaded = TableWalk.of(
                RoutesReader.read(simulated, folder.resolve("opensm.fdbs")), Demand.uniform(simulated));
            if (loaded.loads().max() != TableWalk.of(tables, Demand.uniform(fabric)).loads().max())
            {
                throw new IOException("OpenSM did not load the tables of the plan");
            }
            return isLoopFound();
        });
    }

    private boolean isLoopFound() throws IOException, InterruptedException
    {
        final Path out = folder.resolve("ibdmchk.out");
        final Process process = new ProcessBuilder(CHECKER.toString(), "-s", "opensm-subnet.lst", "-f", "opensm.fdbs",
            "-m", "opensm.mcfdbs").directory(folder.toFile()).redirectErrorStream(true)
            .redirectOutput(out.toFile()).start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
        {
            process.destroyForcibly().waitFor();
        }
        final String verdict = Files.readString(out);
        final boolean isFree = verdict.contains("-I- no credit loops found");
        if (isFree == verdict.contains("-E- credit loops in routing"))
        {
            throw new IOException("ibdmchk has no verdict: " + verdict.lines().reduce((a, b) -> b).orElse(""));
        }
        return !isFree;
    }

    /** Returns the same tables in the numbers of the simulated fabric. */
    private ForwardingTables translate(final ForwardingTables tables)
    {
        final Map<String, Integer> servers = new HashMap<>();
        for (int server = 0; server < simulated.serverCount(); server++)
        {
            servers.put(simulated.serverName(server), server);
        }
        final int[] channels = new int[fabric.channelCount()];
        for (int channel = 0; channel < channels.length; channel++)
        {
            final int node = simulated.switchNamed(fabric.switchName(fabric.source(channel)));
            int same = simulated.firstChannel(node);
            while (simulated.portNumber(same) != fabric.portNumber(channel))
            {
                same++;
            }
            channels[channel] = same;
        }
        final ForwardingTables translated = new ForwardingTables(simulated);
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            final int there = simulated.switchNamed(fabric.switchName(node));
            for (int server = 0; server < fabric.serverCount(); server++)
            {
                final int channel = tables.next(node, server);
                if (channel != ForwardingTables.NONE)
                {
                    translated.set(there, servers.get(fabric.serverName(server)), channels[channel]);
                }
            }
        }
        return translated;
    }

    private <T> T inFolder(final Measurement<T> measurement) throws IOException, InterruptedException
    {
        try (TemporaryDirectory directory = TemporaryDirectory.create("opensm"))
        {
            folder = directory.path();
            final Path net = Files.writeString(folder.resolve("fabric.net"), describe(fabric));
            simulated = TopologyReader.read(net.toString());
            return measurement.run();
        }
    }

    private void sweep(final List<String> options) throws IOException, InterruptedException
    {
        // ibsim listens on a socket named after its process; both programs get the same name.
        final String socket = "fibnuma" + ProcessHandle.current().pid();
        final ProcessBuilder simulator = new ProcessBuilder("ibsim", "-s", "-n", "-N", "4096", "-S", "4096", "-P",
            "65536", "fabric.net").directory(folder.toFile()).redirectErrorStream(true)
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
