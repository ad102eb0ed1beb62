package org.fibnuma.bench.veth;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.fibnuma.bench.lab.MeasurementOutput;

/** {@code fibnuma bench veth}: compares the router with testpmd and the kernel between two veth pairs. */
@Command(
    name = "veth",
    description = "Forwards between two veth pairs over AF_XDP, in turn with testpmd and the kernel. Needs root.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma bench veth --frame-size 1514 --rounds 5 --json")
public final class VethCommand implements Callable<Integer>
{
    private static final int SHORTEST_FRAME = 60;
    private static final int LONGEST_FRAME = 1514;
    /** Time until the JIT has compiled the data path. */
    private static final Duration WARM_UP = Duration.ofMillis(1500);

    @Spec
    private CommandSpec spec;

    @Option(names = "--seconds", defaultValue = "2", description = "length of one measurement (${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--rounds", defaultValue = "3", description = "measurements of each; the median counts " +
        "(${DEFAULT-VALUE})")
    private int rounds;

    @Option(names = "--frame-size", defaultValue = "60", description = "bytes without FCS, 60 to 1514 " +
        "(${DEFAULT-VALUE})")
    private int frameSize;

    @Option(names = "--generator-core", defaultValue = "1", description = "core that sends (${DEFAULT-VALUE})")
    private int generatorCore;

    @Option(names = "--forwarder-core", defaultValue = "0", description = "core that forwards (${DEFAULT-VALUE})")
    private int forwarderCore;

    @Mixin
    private MeasurementOutput output;

    private final VethResult result = new VethResult();

    /** Creates the command for picocli. */
    public VethCommand()
    {
    }

    @Override
    public Integer call() throws IOException
    {
        if (seconds < 1 || rounds < 1 || frameSize < SHORTEST_FRAME || frameSize > LONGEST_FRAME)
        {
            throw new ParameterException(spec.commandLine(),
                "--seconds and --rounds must be 1 or more, --frame-size " + SHORTEST_FRAME + " to " + LONGEST_FRAME);
        }
        try (VethRig rig = VethRig.open(generatorCore, forwarderCore, frameSize))
        {
            final List<Contestant> contestants = List.of(
                new FibnumaContestant(),
                new TestpmdContestant(0), new TestpmdContestant(64),
                new KernelContestant(true), new KernelContestant(false));
            for (int round = 1; round <= rounds; round++)
            {
                for (final Contestant contestant : contestants)
                {
                    measure(rig, contestant, round);
                }
            }
            output.print(result.toMap(frameSize), result::print);
            return 0;
        }
    }

    private void measure(final VethRig rig, final Contestant contestant, final int round)
    {
        if (contestant.missing() != null)
        {
            if (round == 1)
            {
                output.say("left out: " + contestant.name() + ": " + contestant.missing());
            }
            return;
        }
        try (Contestant.Running running = contestant.start(rig))
        {
            for (final Sink sink : Sink.values())
            {
                final VethRig.Measurement measurement = rig.measure(sink, WARM_UP, Duration.ofSeconds(seconds));
                running.verify();
                result.add(contestant.name(), sink, measurement.forwarded());
                output.say(String.format("round %d: %-26s %-6s sink %6.3f Mpps of %.3f offered",
                    round, contestant.name(), sink.label(), measurement.forwarded(), measurement.offered()));
            }
        }
    }
}
