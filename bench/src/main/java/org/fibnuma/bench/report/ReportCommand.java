package org.fibnuma.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.MeasurementCommand;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.CleanEnd;
import org.fibnuma.core.service.host.Machine;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.pfc.plot.PlotFont;
import org.fibnuma.pfc.plot.PlotTheme;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code fibnuma bench report}. */
@Command(
    name = "report",
    description = {
        "Measures every figure and table of the papers that software can reproduce, and writes them beside the " +
            "papers' values: index.html, report.md and report.json, with the plots as SVG.",
        "What this machine cannot measure is in the report with the reason."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma bench report --quick -o report",
        "  fibnuma bench report --figures thesis-4.5,pause-4 -o report"
    },
    mixinStandardHelpOptions = true)
public final class ReportCommand extends MeasurementCommand
{
    private static final Duration PATIENCE = Duration.ofHours(12);
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    @Option(names = {"-o", "--out"}, required = true, paramLabel = "DIR", description = "directory for the report")
    private Path directory;

    @Option(names = "--quick", description = "shorter measurements, five minutes in all; without it most options " +
        "have their defaults, which takes hours")
    private boolean isQuick;

    @Option(names = "--figures", split = ",", paramLabel = "ID", description = "figures to measure (all)")
    private List<String> ids;

    /** Creates the command for picocli. */
    public ReportCommand()
    {
    }

    @Override
    public Integer call() throws Exception
    {
        final List<Figure> figures = figures();
        for (final String id : ids == null ? List.<String>of() : ids)
        {
            require(figures.stream().anyMatch(figure -> figure.id().equals(id)), "--figures: unknown \"" + id +
                "\"; one of " + figures.stream().map(Figure::id).collect(Collectors.joining(", ")));
        }
        PlotFont.require();
        return CleanEnd.during(() -> run(
            figures.stream().filter(figure -> ids == null || ids.contains(figure.id())).toList()));
    }

    /** Returns all figures in the order of the papers. */
    private List<Figure> figures()
    {
        final CommandLines commands = new CommandLines(isQuick, directory);
        return Stream.of(ThesisForwarding.figures(commands), ThesisRoundTrip.figures(commands),
            ThesisMemcached.figures(commands), PauseTimes.figures(commands), TurnAdditionFigures.figures(commands),
            Dcqcn.figures(commands)).flatMap(List::stream)
            .sorted(Comparator.<Figure, Paper>comparing(figure -> Paper.of(figure.id()))
            .thenComparing(figure -> NUMBER.matcher(figure.id())
            .replaceAll(number -> "0".repeat(Math.max(0, 4 - number.group().length())) + number.group())))
            .toList();
    }

    private int run(final List<Figure> figures) throws IOException
    {
        final long startNs = System.nanoTime();
        Files.createDirectories(directory);
        final Measurements measurements = new Measurements(this::execute);
        final List<MeasuredFigure> measured = new ArrayList<>();
        for (final Figure figure : figures)
        {
            measured.add(MeasuredFigure.of(figure, measurements));
        }
        final Report report = new Report(measured, "./" + output().invocation(), Machine.facts(), Rounds.rounded(
            (System.nanoTime() - startNs) / (double)TimeUnit.SECONDS.toNanos(1), 1));
        write(report);
        output().print(report.toMap(), out ->
        {
            measured.stream().filter(each -> each.missing() != null).forEach(each ->
                out.println("not measured: " + each.figure().id() + ": " + each.missing()));
            out.println(measured.size() + " figures in " + report.seconds() + " s: " +
                directory.resolve("index.html"));
        });
        return DONE;
    }

    private void write(final Report report) throws IOException
    {
        for (final MeasuredFigure each : report.figures())
        {
            if (each.isDrawn())
            {
                final String id = each.figure().id();
                Files.writeString(directory.resolve(id + ".svg"), FigurePlot.svg(each, PlotTheme.LIGHT));
                Files.writeString(directory.resolve(id + "-dark.svg"), FigurePlot.svg(each, PlotTheme.DARK));
            }
        }
        Files.writeString(directory.resolve("index.html"), HtmlPage.of(report));
        Files.writeString(directory.resolve("report.md"), MarkdownPage.of(report));
        new ObjectMapper().writerWithDefaultPrettyPrinter()
            .writeValue(directory.resolve("report.json").toFile(), report.toMap());
    }

    private Measurements.Output execute(final List<String> command)
    {
        output().say("./fibnuma " + String.join(" ", command));
        try (ChildProcess program = ChildProcess.startTied(javaCommand(command)))
        {
            program.endInput();
            final int status = program.awaitExit(PATIENCE);
            final String text = String.join("\n", program.output());
            final List<String> errors = program.errors();
            // A check ends with 1 if it has found something, and has a result.
            if (status != DONE && !(status == FAILED && text.startsWith("{")))
            {
                throw new UserException(
                    errors.isEmpty() ? "ended with status " + status : errors.get(errors.size() - 1));
            }
            return new Measurements.Output(text, errors);
        }
    }

    /** Returns the Java program that the launcher starts for a command. */
    private static String[] javaCommand(final List<String> command)
    {
        final boolean isEvaluate = command.subList(0, 2).equals(List.of("fabric", "evaluate"));
        final String main = isEvaluate ? "org.fibnuma.bench.fabric.EvaluateCommand" :
            command.get(0).equals("pfc") ? "org.fibnuma.pfc.command.PfcCommand" : "org.fibnuma.bench.BenchCommand";
        return JavaProgram.command(main, command.subList(isEvaluate ? 2 : 1, command.size()).toArray(String[]::new));
    }
}
