package org.fibnuma.fabric.export;

import org.fibnuma.core.Require;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** OpenSM 3.3.23 on a fabric that ibsim simulates, and Debian's ibdmchk on its tables. */
final class OpenSm
{
    private static final Path SIMULATED_UMAD = Path.of("/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so");
    private static final int PATIENCE_SECONDS = 30;
    private static final int TRIES = 3;

    private final Path folder;

    OpenSm(final Path folder)
    {
        this.folder = folder;
    }

    static void require()
    {
        // ibdmchk writes to /var/cache/ibutils.
        Require.root();
        Require.program("opensm", "opensm");
        Require.program("ibsim", "ibsim-utils");
        Require.program("ibdmchk", "ibutils");
        Require.that(Files.exists(SIMULATED_UMAD), "needs " + SIMULATED_UMAD + ": apt-get install libumad2sim0");
    }

    /** Sweeps the fabric once and writes its dumps to the folder. */
    void sweep(final Path net, final String... options) throws IOException, InterruptedException
    {
        for (int i = 0; i < TRIES && !Files.exists(folder.resolve("opensm.fdbs")); i++)
        {
            // ibsim listens on a socket named after its process; both programs get the same name.
            final ProcessBuilder simulator = new ProcessBuilder("ibsim", "-s", "-n", net.toString())
                .directory(folder.toFile()).redirectErrorStream(true).redirectOutput(file("ibsim.log"));
            simulator.environment().put("IBSIM_SOCKNAME", "fibnuma" + ProcessHandle.current().pid());
            final Process ibsim = simulator.start();
            try
            {
                TimeUnit.MILLISECONDS.sleep(300);
                runOpenSm(options);
            }
            finally
            {
                ibsim.destroyForcibly().waitFor();
            }
        }
        assertTrue(Files.exists(folder.resolve("opensm.fdbs")),
            () -> "OpenSM made no tables; see " + folder.resolve("opensm.out"));
    }

    private void runOpenSm(final String... options) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of("opensm", "-o", "-D", "0x43", "-f",
            folder.resolve("opensm.log").toString()));
        command.addAll(List.of(options));
        final ProcessBuilder builder = new ProcessBuilder(command)
            .directory(folder.toFile()).redirectErrorStream(true).redirectOutput(file("opensm.out"));
        builder.environment().put("IBSIM_SOCKNAME", "fibnuma" + ProcessHandle.current().pid());
        builder.environment().put("LD_PRELOAD", SIMULATED_UMAD.toString());
        builder.environment().put("OSM_TMP_DIR", folder.toString());
        builder.environment().put("OSM_CACHE_DIR", folder.toString());
        builder.environment().merge("PATH", ":/usr/sbin", String::concat);
        final Process process = builder.start();
        assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "OpenSM does not end");
    }

    /** Whether ibdmchk finds a credit loop in the tables that OpenSM dumped. */
    boolean hasCreditLoop() throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder("ibdmchk", "-s", "opensm-subnet.lst", "-f", "opensm.fdbs",
            "-m", "opensm.mcfdbs")
            .directory(folder.toFile()).redirectErrorStream(true).redirectOutput(file("ibdmchk.out")).start();
        assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "ibdmchk does not end");
        final String said = Files.readString(folder.resolve("ibdmchk.out"));
        assertTrue(said.contains("-E- credit loops in routing") ^ said.contains("-I- no credit loops found"), said);
        return said.contains("-E- credit loops in routing");
    }

    Path fdbs()
    {
        return folder.resolve("opensm.fdbs");
    }

    Path lfts()
    {
        return folder.resolve("opensm-lfts.dump");
    }

    private File file(final String name)
    {
        return folder.resolve(name).toFile();
    }
}
