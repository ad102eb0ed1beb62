package org.fibnuma.pfc.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.pfc.plot.PlotFont;
import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeDivisor;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.policy.PauseUpkeep;
import org.fibnuma.pfc.simulator.Arbitration;
import org.fibnuma.pfc.simulator.PauseSimulation;
import org.fibnuma.pfc.simulator.PauseSweep;
import org.fibnuma.pfc.simulator.SimulationResult;
import org.fibnuma.pfc.simulator.SimulationSettings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Runs the simulator once, or for all points of the paper's figures. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Simulates the switch of the pause-time paper: N x N, three queues of 333 packets at each input, 1 Gb/s.",
        "Prints results with the pauses of the paper, which run out, and beside them with those of the router, which",
        "are renewed while the queue is above the high mark and ended at the low mark.",
        "The same options give the same output."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma pfc simulate --load 0.75 --policy cdptc --slots 60000",
        "  fibnuma pfc simulate --sweep --slots 20000 --output figures"
    })
final class SimulateCommand implements Callable<Integer>
{
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(names = "--ports", defaultValue = "" + SimulationSettings.DEFAULT_PORTS, paramLabel = "N",
        description = "Number of inputs and of outputs (default: ${DEFAULT-VALUE}).")
    private int ports;

    @Option(names = "--load", defaultValue = "" + SimulationSettings.DEFAULT_LOAD, paramLabel = "FRACTION",
        description = "Load of each source, as a fraction of line rate (default: ${DEFAULT-VALUE}).")
    private double load;

    @Option(names = "--policy", defaultValue = "cdptc", paramLabel = "NAME",
        description = "pooc (on/off), cdptc (computed time) or drain (one frame for all) (default: ${DEFAULT-VALUE}).")
    private String policy;

    @Option(names = "--gain", defaultValue = "" + PauseTimeLaw.DEFAULT_GAIN, paramLabel = "R",
        description = "Gain of cdptc (default: ${DEFAULT-VALUE}).")
    private double gain;

    @Option(names = "--divisor", defaultValue = "64", paramLabel = "D",
        description = "Divisor of cdptc: 64 as printed in the paper, 16 with the 4 of its equation (1), 128 with " +
            "sizes in bytes (default: ${DEFAULT-VALUE}).")
    private int divisor;

    @Option(names = "--burst", defaultValue = "" + SimulationSettings.DEFAULT_BURST, paramLabel = "PACKETS",
        description = "Mean number of packets in a row to one destination (default: ${DEFAULT-VALUE}).")
    private double burst;

    @Option(names = "--arbitration", defaultValue = "all-heads", paramLabel = "NAME",
        description = "all-heads (the heads of all queues of an input compete for outputs, in three rounds) or " +
            "one-request (an input requests one output a slot) (default: ${DEFAULT-VALUE}).")
    private String arbitration;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "NUMBER",
        description = "Seed of the traffic (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--slots", defaultValue = "" + SimulationSettings.DEFAULT_SLOTS, paramLabel = "NUMBER",
        description = "Packet times to simulate (default: ${DEFAULT-VALUE}).")
    private int slots;

    @Option(names = "--sweep", description = "Run all policies, all divisors and gains 1 to 10, and write figures " +
        "4 and 5 as CSV and SVG.")
    private boolean sweep;

    @Option(names = "--output", defaultValue = ".", paramLabel = "FOLDER",
        description = "Folder for the figures of --sweep (default: the current folder).")
    private Path output;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException
    {
        final SimulationSettings settings = settings();
        final PrintWriter out = spec.commandLine().getOut();
        if (sweep)
        {
            sweep(settings, out);
        }
        else
        {
            print(
                settings, PauseSimulation.run(settings), PauseSimulation.run(settings.with(PauseUpkeep.ROUTER)), out);
        }
        out.flush();
        return PfcCommand.OK;
    }

    private SimulationSettings settings()
    {
        try
        {
            return new SimulationSettings(
                ports, load, PausePolicyKind.of(policy), new PauseTimeLaw(gain, PauseTimeDivisor.of(divisor)), burst,
                seed, slots, Arbitration.of(arbitration), PauseUpkeep.PAPER);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new CommandLine.ParameterException(spec.commandLine(), ex.getMessage());
        }
    }

    private void print(
        final SimulationSettings settings,
        final SimulationResult paper,
        final SimulationResult router,
        final PrintWriter out)
    {
        if (json)
        {
            final ObjectMapper mapper = new ObjectMapper();
            final ObjectNode answer =
                mapper.<ObjectNode>valueToTree(paper).put("arbitration", settings.arbitration().key());
            answer.set("router", mapper.valueToTree(router));
            out.println(answer.toPrettyString());
            return;
        }
        out.printf(Locale.ROOT, "arbitration               %s%n", settings.arbitration().key());
        out.printf(Locale.ROOT, "simulated                 %.3f s%n", paper.seconds());
        out.printf(Locale.ROOT, "                          %12s %12s%n", "paper", "router");
        out.printf(Locale.ROOT, "control packets per port  %12.1f %12.1f%n",
            paper.controlPacketsPerPort(), router.controlPacketsPerPort());
        out.printf(Locale.ROOT, "lost                      %12d %12d%n", paper.lost(), router.lost());
        out.printf(Locale.ROOT, "throughput                %12.4f %12.4f%n", paper.throughput(), router.throughput());
        out.printf(Locale.ROOT, "underflows                %12d %12d%n", paper.underflows(), router.underflows());
        out.printf(Locale.ROOT, "shortest pause, quanta    %12d %12d%n",
            paper.pauseQuanta().min(), router.pauseQuanta().min());
        out.printf(Locale.ROOT, "mean pause, quanta        %12.0f %12.0f%n",
            paper.pauseQuanta().mean(), router.pauseQuanta().mean());
        out.printf(Locale.ROOT, "longest pause, quanta     %12d %12d%n",
            paper.pauseQuanta().max(), router.pauseQuanta().max());
    }

    private void sweep(final SimulationSettings settings, final PrintWriter out) throws IOException
    {
        PlotFont.require();
        Files.createDirectories(output);
        final PauseSweep result = PauseSweep.run(settings);
        Files.writeString(output.resolve("figure4.csv"), result.figure4Csv());
        Files.writeString(output.resolve("figure4.svg"), result.figure4Svg());
        Files.writeString(output.resolve("figure5.csv"), result.figure5Csv());
        Files.writeString(output.resolve("figure5.svg"), result.figure5Svg());
        if (json)
        {
            final ObjectMapper mapper = new ObjectMapper();
            final ObjectNode answer = mapper.createObjectNode().put("arbitration", settings.arbitration().key());
            final ArrayNode rows = answer.putArray("rows");
            result.rows().forEach(row -> rows.add(mapper.<ObjectNode>valueToTree(row)));
            out.println(answer.toPrettyString());
            return;
        }
        out.println("arbitration " + settings.arbitration().key());
        out.println();
        out.print(result.figure4Csv());
        out.println();
        out.print(result.figure5Csv());
        out.println();
        out.println("written to " + output + ": figure4.csv figure4.svg figure5.csv figure5.svg");
    }
}
