package org.fibnuma.bench.differential;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.command.ResultOutput;
import org.fibnuma.core.service.netns.Host;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** {@code fibnuma bench differential}: compares the router with the kernel packet by packet. */
@Command(
    name = "differential",
    description = "Draws hosts and packets, forwards the packets by the kernel alone and by the router beside the " +
        "same kernel, and compares every frame that leaves. Prints a shell script for each difference. Exit status 1 " +
        "if there is one. Needs root.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma bench differential --minutes 20 --seed 7",
        "  fibnuma bench differential --firewall --minutes 10"
    })
public final class DifferentialCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--minutes", defaultValue = "1", paramLabel = "N",
        description = "how long to compare, without the time to shrink differences (${DEFAULT-VALUE})")
    private double minutes;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N",
        description = "the same seed draws the same hosts and packets (${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--first", defaultValue = "0", paramLabel = "N",
        description = "number of the first host, to repeat one that differed (${DEFAULT-VALUE})")
    private int first;

    @Option(names = "--shrink-seconds", defaultValue = "150", paramLabel = "N",
        description = "longest time to look for the fewest commands of a difference; 0: all of them (${DEFAULT-VALUE})")
    private int shrinkSeconds;

    @Option(names = "--firewall",
        description = "draw rulesets, their changes, and packets of connections, in place of hosts and packets")
    private boolean firewall;

    @Mixin
    private ResultOutput output;

    /** Creates the command for picocli. */
    public DifferentialCommand()
    {
    }

    @Override
    public Integer call() throws JsonProcessingException
    {
        if (minutes <= 0 || first < 0 || shrinkSeconds < 0)
        {
            throw new ParameterException(spec.commandLine(),
                "--minutes must be more than 0, --first and --shrink-seconds 0 or more");
        }
        final String obstacle = Host.obstacle("./fibnuma bench differential");
        if (obstacle != null)
        {
            throw new UserException(obstacle);
        }
        final long seconds = Math.round(minutes * TimeUnit.MINUTES.toSeconds(1));
        if (firewall)
        {
            final FirewallRun run = new FirewallRun(seed, shrinkSeconds, output::say);
            run.run(seconds, first, Integer.MAX_VALUE);
            return print(run.differences(), run.toMap());
        }
        final DifferentialRun run = new DifferentialRun(seed, shrinkSeconds, output::say);
        run.run(seconds, first, Integer.MAX_VALUE);
        return print(run.scripts(), run.toMap());
    }

    private int print(final List<String> differences, final Map<String, Object> result) throws JsonProcessingException
    {
        differences.forEach(output::say);
        output.print(result);
        return differences.isEmpty() ? 0 : 1;
    }
}
