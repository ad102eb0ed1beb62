package org.fibnuma.bench.veth;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import org.fibnuma.bench.lab.LabException;
import org.fibnuma.binding.libc.SystemCallException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code fibnuma bench veth}. */
@Command(
    name = "veth",
    description = "Forwards between two veth pairs over AF_XDP, in turn with testpmd and the kernel. Needs root.",
    mixinStandardHelpOptions = true)
public final class VethCommand implements Callable<Integer>
{
    private static final int FAILED = 1;
    private static final Duration WARM_UP = Duration.ofMillis(1500);

    @Spec
    private CommandSpec spec;

    @Option(names = "--seconds", defaultValue = "3", description = "length of one measurement (${DEFAULT-VALUE})")
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

    @Option(names = "--sink", defaultValue = "xdp", description = "what the far end does with frames, for all alike: " +
        "xdp (drop in the driver) or kernel (receive and drop) (${DEFAULT-VALUE})")
    private SinkKind sink;

    @Option(names = "--json", description = "print the result as JSON")
    private boolean json;

    @Override
    public Integer call() throws IOException
    {
        final PrintWriter errors = spec.commandLine().getErr();
        final List<Contestant> contestants = List.of(
            new FibnumaContestant(),
            new TestpmdContestant(0), new TestpmdContestant(64),
            new KernelContestant(true), new KernelContestant(false));
        try (VethRig rig = VethRig.open(generatorCore, forwarderCore, frameSize, sink))
        {
            final Map<String, List<Double>> rates = measure(rig, contestants, errors);
            print(new VethResult(rates));
            return 0;
        }
        catch (final LabException | SystemCallException ex)
        {
            errors.println("fibnuma bench veth: " + ex.getMessage());
            return FAILED;
        }
    }

    private Map<String, List<Double>> measure(
        final VethRig rig, final List<Contestant> contestants, final PrintWriter progress)
    {
        final Map<String, List<Double>> rates = new LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++)
        {
            for (final Contestant contestant : contestants)
            {
                if (contestant.missing() == null)
                {
                    final VethRig.Measurement measurement = measureOnce(rig, contestant);
                    rates.computeIfAbsent(contestant.name(), name -> new ArrayList<>()).add(measurement.forwarded());
                    progress.printf("round %d: %-26s %6.3f Mpps of %.3f offered%n",
                        round, contestant.name(), measurement.forwarded(), measurement.offered());
                }
                else if (round == 1)
                {
                    progress.println("left out: " + contestant.name() + ": " + contestant.missing());
                }
                progress.flush();
            }
        }
        return rates;
    }

    private VethRig.Measurement measureOnce(final VethRig rig, final Contestant contestant)
    {
        try (Contestant.Running running = contestant.start(rig))
        {
            final VethRig.Measurement measurement = rig.measure(WARM_UP, Duration.ofSeconds(seconds));
            running.verify();
            return measurement;
        }
    }

    private void print(final VethResult result) throws IOException
    {
        final PrintWriter out = spec.commandLine().getOut();
        if (json)
        {
            out.println(new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(result.toMap(frameSize, sink)));
        }
        else
        {
            result.print(out);
        }
        out.flush();
    }
}
