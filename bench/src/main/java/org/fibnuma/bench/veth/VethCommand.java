package org.fibnuma.bench.veth;

import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.MeasurementCommand;
import org.fibnuma.bench.lab.Turns;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;

/** {@code fibnuma bench veth}: compares the router with testpmd and the kernel between two veth pairs. */
@Command(
    name = "veth",
    description = "Forwards between two veth pairs over AF_XDP, in turn with testpmd and the kernel. Needs root.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma bench veth --frame-size 1514 --rounds 5 --json")
public final class VethCommand extends MeasurementCommand
{
    private static final int SHORTEST_FRAME = 60;
    private static final int LONGEST_FRAME = 1514;
    /** Time until the JIT has compiled the data path. */
    private static final Duration WARM_UP = Duration.ofMillis(1500);

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

    private final VethResult result = new VethResult();

    /** Creates the command for picocli. */
    public VethCommand()
    {
    }

    @Override
    public Integer call() throws IOException
    {
        require(seconds >= 1 && rounds >= 1 && frameSize >= SHORTEST_FRAME && frameSize <= LONGEST_FRAME,
            "--seconds and --rounds must be 1 or more, --frame-size " + SHORTEST_FRAME + " to " + LONGEST_FRAME);
        try (VethRig rig = VethRig.open(generatorCore, forwarderCore, frameSize))
        {
            final Turns turns = new Turns(output()::say);
            final List<Contestant<VethBed>> contestants = List.of(
                new FibnumaContestant(),
                new TestpmdContestant(0), new TestpmdContestant(64),
                new KernelContestant(true), new KernelContestant(false));
            for (final Contestant<VethBed> contestant : contestants)
            {
                if (turns.includes(contestant))
                {
                    turns.add(contestant.name(), WARM_UP.plusSeconds(seconds).multipliedBy(Sink.values().length),
                        () -> measure(rig, contestant));
                }
            }
            turns.run("round", rounds);
        }
        output().print(result.toMap(frameSize), result::print);
        return DONE;
    }

    private String measure(final VethRig rig, final Contestant<VethBed> contestant)
    {
        final StringJoiner figures = new StringJoiner(", ");
        try (Contestant.Running running = contestant.start(rig.bed()))
        {
            for (final Sink sink : Sink.values())
            {
                final VethRig.Measurement measurement = rig.measure(sink, WARM_UP, Duration.ofSeconds(seconds));
                running.verify();
                result.add(contestant.name(), sink, measurement.forwarded());
                figures.add(String.format("%s sink %6.3f Mpps of %.3f offered",
                    sink.label(), measurement.forwarded(), measurement.offered()));
            }
        }
        return figures.toString();
    }
}
