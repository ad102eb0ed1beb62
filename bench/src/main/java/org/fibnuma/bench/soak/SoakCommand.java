package org.fibnuma.bench.soak;

import org.fibnuma.bench.lab.MeasurementCommand;
import org.fibnuma.core.agent.CleanEnd;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** {@code fibnuma bench soak}: loads a router with everything at once, for an hour. */
@Command(
    name = "soak",
    description = "Forwards test frames and connections of both families through one router, in network namespaces, " +
        "while routes change, the configuration is reloaded, frames are captured and a port comes and goes. Then it " +
        "checks that every lost frame is counted, none went to a wrong next hop, no connection was lost and nothing " +
        "has grown. Exit status 1 if something does not hold. Needs root.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma bench soak --minutes 3 --json",
        "  fibnuma bench soak --updates updates.txt.gz --seed 7"
    })
public final class SoakCommand extends MeasurementCommand
{
    private static final double SECONDS_A_MINUTE = 60;
    private static final double MILLIS_A_MINUTE = 60_000;

    @Option(names = "--minutes", defaultValue = "60", paramLabel = "N",
        description = "how long to load the router; may have a fraction (${DEFAULT-VALUE})")
    private double minutes;

    @Option(names = "--updates", paramLabel = "FILE",
        description = "trace of route changes, output of bgpdump -m; without it changes are generated")
    private Path updates;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N",
        description = "the same seed generates the same route changes and contents (${DEFAULT-VALUE})")
    private long seed;

    /** Creates the command for picocli. */
    public SoakCommand()
    {
    }

    @Override
    public Integer call() throws Exception
    {
        require(minutes * SECONDS_A_MINUTE >= 1, "--minutes must be a second (0.017) or more");
        requireNamespaces();
        requireProgram("nft");
        requireProgram("conntrack");
        return CleanEnd.during(this::run);
    }

    private int run() throws IOException
    {
        final RouteTrace trace = updates == null ? RouteTrace.generate(seed) : RouteTrace.read(updates);
        output().say("seed " + seed);
        final SoakResult result;
        try (SoakRun run = SoakRun.open(trace, seed, output()::say))
        {
            result = run.run(Duration.ofMillis(Math.round(minutes * MILLIS_A_MINUTE)));
        }
        result.minutes = minutes;
        result.seed = seed;
        output().print(result.toMap(), result::print);
        return result.failures.isEmpty() ? DONE : FAILED;
    }
}
