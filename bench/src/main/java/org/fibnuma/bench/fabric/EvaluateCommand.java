package org.fibnuma.bench.fabric;

import org.fibnuma.core.service.command.Commands;
import org.fibnuma.core.service.command.ResultOutput;
import org.fibnuma.pfc.plot.PlotFont;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

/** {@code fibnuma fabric evaluate}. Main class. */
@Command(
    name = "fibnuma fabric evaluate",
    description = "Repeats figures and a table of the paper on turn addition: CSV, plots (SVG) and tables, with the " +
        "paper's values for comparison. Without --figure, --table and --balance everything of the paper, which takes " +
        "minutes.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma fabric evaluate --figure 22 --out figures",
        "  fibnuma fabric evaluate --balance --out balance"
    })
public final class EvaluateCommand implements Callable<Integer>
{
    private static final int OK = 0;
    private static final int FAILED = 1;

    @Spec
    private CommandSpec spec;

    @Option(names = "--figure", paramLabel = "21|22|25", description = "figure to repeat; may be given several times")
    private List<Integer> figures = List.of();

    @Option(names = "--table", paramLabel = "2", description = "table to repeat")
    private List<Integer> tables = List.of();

    @Option(names = "--balance", description = "the most loaded channel of tables by destination in networks of " +
        "several families, all methods and OpenSM's engines")
    private boolean balance;

    @Option(names = "--balance-networks", defaultValue = "25", paramLabel = "N",
        description = "generated networks in --balance (${DEFAULT-VALUE}, all)")
    private int balanceNetworks;

    @Option(names = "--balance-topology", paramLabel = "FILE",
        description = "a further network in --balance, as for fabric plan; may be given several times")
    private List<Path> balanceTopologies = List.of();

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N",
        description = "seed of networks and ties (${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--networks", defaultValue = "10", paramLabel = "N",
        description = "networks of each size in figure 21 (${DEFAULT-VALUE}, the paper's)")
    private int networks;

    @Option(names = "--largest-network", defaultValue = "100", paramLabel = "N",
        description = "switches of the largest network in figure 21 (${DEFAULT-VALUE}, the paper's)")
    private int largestNetwork;

    @Option(names = "--largest-ports", defaultValue = "32", paramLabel = "K",
        description = "most ports of a switch in figure 25 and table 2 (${DEFAULT-VALUE}, the paper's)")
    private int largestPorts;

    @Option(names = "--join-ports", defaultValue = "8", paramLabel = "K",
        description = "ports of a switch in figure 22 (${DEFAULT-VALUE}; the paper does not say)")
    private int joinPorts;

    @Option(names = "--by-tables", description = "figures have columns for tables by destination beside those for " +
        "paths per pair, in figure 25 up to 8 ports; takes some seconds for each network")
    private boolean byTables;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "directory for CSV files and plots")
    private Path out;

    @Mixin
    private ResultOutput output;

    /** Creates the command, for picocli. */
    public EvaluateCommand()
    {
    }

    /**
     * Runs the command and ends the process: exit status 0 for success, 1 for failure, 2 for wrong usage.
     *
     * @param arguments options.
     */
    public static void main(final String[] arguments)
    {
        System.exit(Commands.prepare(new CommandLine(new EvaluateCommand())).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        require(Set.of(21, 22, 25).containsAll(figures), "--figure: only 21, 22 and 25 can be repeated");
        require(Set.of(2).containsAll(tables), "--table: only 2 can be repeated");
        require(networks >= 1 && largestNetwork >= 10 && largestPorts >= 4 && largestPorts <= 32 &&
            joinPorts >= 4 && joinPorts <= 32 && joinPorts % 2 == 0, "a size is out of range; see --help");
        final boolean everything = figures.isEmpty() && tables.isEmpty() && !balance;
        final List<Evaluation> evaluations = new ArrayList<>();
        if (everything || figures.contains(21))
        {
            evaluations.add(new RandomNetworkFigure(seed, networks, largestNetwork, byTables));
        }
        if (everything || figures.contains(22))
        {
            evaluations.add(new JoinFigure(seed, joinPorts, byTables));
        }
        if (everything || figures.contains(25))
        {
            evaluations.add(new SizeFigure(seed, largestPorts, byTables));
        }
        if (everything || !tables.isEmpty())
        {
            evaluations.add(new JoiningTurnsTable(seed, largestPorts));
        }
        if (balance)
        {
            evaluations.add(new BalanceTable(seed, balanceNetworks, balanceTopologies, output::say));
        }
        return evaluate(evaluations);
    }

    private int evaluate(final List<Evaluation> evaluations) throws IOException, InterruptedException
    {
        PlotFont.require();
        Files.createDirectories(out);
        final Map<String, Object> results = new LinkedHashMap<>();
        int unproved = 0;
        for (final Evaluation evaluation : evaluations)
        {
            final CsvTable table = evaluation.measure();
            unproved += evaluation.unproved();
            put(results, table, evaluation.plot(table));
        }
        output.print(results, text ->
        {
            // Each table has been printed when it was measured.
        });
        return unproved == 0 ? OK : FAILED;
    }

    private void put(final Map<String, Object> results, final CsvTable table, final String svg) throws IOException
    {
        table.write(out);
        if (svg != null)
        {
            Files.writeString(out.resolve(table.name() + ".svg"), svg);
        }
        results.put(table.name(), table.toList());
        table.print(output.progress());
    }

    private void require(final boolean met, final String message)
    {
        if (!met)
        {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
