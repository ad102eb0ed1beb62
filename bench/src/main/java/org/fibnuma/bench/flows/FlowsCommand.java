package org.fibnuma.bench.flows;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.MeasurementCommand;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.bench.lab.Turns;
import org.fibnuma.core.UserException;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code fibnuma bench flows}: compares the router on a host with a stateful filter with the kernel alone. */
@Command(
    name = "flows",
    description = "Forwards UDP connections on a host with a stateful filter and masquerading, in turn with the " +
        "kernel alone, without and with a flowtable, and with the router on a host without filters. Needs root, nft " +
        "and conntrack.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  fibnuma bench flows --json", "  fibnuma bench flows --flows 100000 --rounds 1"})
public final class FlowsCommand extends MeasurementCommand
{
    private static final int SHORTEST_FRAME = 60;
    private static final int LONGEST_FRAME = 1514;
    private static final int MOST_FLOWS = 1 << 20;
    private static final int DECIMALS = 3;
    /** Time until the JIT has compiled the data path. */
    private static final Duration WARM_UP = Duration.ofMillis(2500);

    @Option(names = "--flows", defaultValue = "10000", description = "number of connections (${DEFAULT-VALUE})")
    private int flows;

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

    private final Rounds<FlowsContestant> rates = new Rounds<>();
    private final Rounds<FlowsContestant> learning = new Rounds<>();
    private final ChangeTimes changes = new ChangeTimes();
    private double bytesPerFlow;

    /** Creates the command for picocli. */
    public FlowsCommand()
    {
    }

    @Override
    public Integer call() throws IOException
    {
        require(seconds >= 1 && rounds >= 1 && frameSize >= SHORTEST_FRAME && frameSize <= LONGEST_FRAME &&
            flows >= 1 && flows <= MOST_FLOWS, "--seconds and --rounds must be 1 or more, --frame-size " +
            SHORTEST_FRAME + " to " + LONGEST_FRAME + ", --flows 1 to " + MOST_FLOWS);
        requireNamespaces();
        requireProgram("nft");
        requireProgram("conntrack");
        try (FlowsRig rig = FlowsRig.open(generatorCore, forwarderCore, flows, frameSize))
        {
            final Turns turns = new Turns(output()::say);
            for (final FlowsContestant contestant : FlowsContestant.values())
            {
                final String missing = contestant.filter(rig);
                if (missing == null)
                {
                    turns.add(contestant.label(), WARM_UP.plusSeconds(seconds), () -> measure(rig, contestant));
                }
                else
                {
                    output().say("left out: " + contestant.label() + ": " + missing);
                }
            }
            turns.run("round", rounds);
        }
        output().print(result(), this::print);
        return DONE;
    }

    private String measure(final FlowsRig rig, final FlowsContestant contestant) throws IOException
    {
        try (Contestant.Running running = contestant.start(rig))
        {
            if (contestant.hasFlows())
            {
                try (ControlClient client = ControlClient.connect(contestant.routerName()))
                {
                    learning.add(contestant, rig.establish(() -> count(client)));
                    final JsonNode answer = ask(client);
                    bytesPerFlow = answer.path("tableBytes").asDouble() / answer.path("capacity").asDouble();
                }
            }
            else if (contestant.isTracked())
            {
                rig.establish(contestant.isOffloaded() ? rig::offloaded : rig::tracked);
            }
            final FlowsRig.Measurement measurement = rig.measure(WARM_UP, Duration.ofSeconds(seconds));
            rates.add(contestant, measurement.forwarded());
            running.verify();
            if (contestant.hasFlows())
            {
                verifyFlows(contestant);
                changes.measure(rig, contestant.routerName());
            }
            if (contestant.isOffloaded())
            {
                verifyCount(rig.offloaded(), "connections are left in the flowtable");
            }
            return String.format("%6.3f Mpps of %.3f offered", measurement.forwarded(), measurement.offered());
        }
    }

    private void verifyFlows(final FlowsContestant contestant) throws IOException
    {
        try (ControlClient client = ControlClient.connect(contestant.routerName()))
        {
            verifyCount(count(client), "flows are left");
        }
    }

    /** Fails if connections were lost while they were measured: their packets have passed the kernel's chains. */
    private void verifyCount(final int count, final String what)
    {
        if (count < flows)
        {
            throw new UserException("only " + count + " of " + flows + " " + what);
        }
    }

    private static int count(final ControlClient client)
    {
        try
        {
            return ask(client).path("count").asInt();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("the router does not answer", ex);
        }
    }

    private static JsonNode ask(final ControlClient client) throws IOException
    {
        return client.ask(ControlProtocol.request("flows").put("limit", 0));
    }

    private Map<String, Object> result()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("mpps", rounded(rates.median(FlowsContestant.FLOWS)));
        map.put("kernelMpps", rounded(rates.median(FlowsContestant.KERNEL)));
        map.put("flowtableMpps", rounded(rates.median(FlowsContestant.FLOWTABLE)));
        map.put("plainMpps", rounded(rates.median(FlowsContestant.PLAIN)));
        map.put("ratioToKernel", rounded(rates.ratio(FlowsContestant.FLOWS, FlowsContestant.KERNEL)));
        map.put("ratioToFlowtable", rounded(rates.ratio(FlowsContestant.FLOWS, FlowsContestant.FLOWTABLE)));
        map.put("ratioToPlain", rounded(rates.ratio(FlowsContestant.FLOWS, FlowsContestant.PLAIN)));
        map.put("flows", flows);
        map.put("bytesPerFlow", rounded(bytesPerFlow));
        map.put("learnSeconds", rounded(learning.median(FlowsContestant.FLOWS)));
        map.put("lastFrameMs", changes.toMap());
        map.put("frameSize", frameSize);
        final Map<String, Object> all = new LinkedHashMap<>();
        for (final FlowsContestant contestant : rates.contestants())
        {
            all.put(contestant.label(), Rounds.rounded(rates.of(contestant), DECIMALS));
        }
        map.put("rounds", all);
        return map;
    }

    private void print(final PrintWriter out)
    {
        out.printf("%n%-24s %s%n", "one core forwards", "Mpps");
        for (final FlowsContestant contestant : rates.contestants())
        {
            out.printf("%-24s %6.3f%n", contestant.label(), rates.median(contestant));
        }
        out.printf("%n%d flows of %.0f bytes, learned in %.1f s%n",
            flows, bytesPerFlow, learning.median(FlowsContestant.FLOWS));
        for (final FlowsContestant contestant : rates.contestants())
        {
            if (contestant != FlowsContestant.FLOWS)
            {
                out.printf("%s / %s: %.2f%n", FlowsContestant.FLOWS.label(), contestant.label(),
                    rates.ratio(FlowsContestant.FLOWS, contestant));
            }
        }
        out.println("last frame after a change: " + changes.toMap().entrySet().stream()
            .map(change -> change.getKey() + " " + change.getValue() + " ms").collect(Collectors.joining(", ")));
    }

    private static Double rounded(final Double value)
    {
        return Rounds.rounded(value, DECIMALS);
    }
}
