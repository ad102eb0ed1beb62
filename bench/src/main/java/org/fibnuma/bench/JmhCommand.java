package org.fibnuma.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.UserException;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** {@code fibnuma bench jmh}: passes its arguments to JMH, and compares with a saved run if wanted. */
@Command(
    name = "jmh",
    description = "Runs microbenchmarks; what follows goes to JMH: names or parts of them, -h for help. A run is " +
        "saved by -rf json -rff FILE.",
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma bench jmh --list",
        "  fibnuma bench jmh FibLookupBenchmark -f 3 -rf json -rff before.json",
        "  fibnuma bench jmh FibLookupBenchmark -f 3 --baseline before.json"
    })
public final class JmhCommand implements Callable<Integer>
{
    private static final int SLOWER = 1;

    @Spec
    private CommandSpec spec;

    @Option(names = "--list", description = "list the benchmarks")
    private boolean isList;

    @Option(names = "--baseline", paramLabel = "FILE", description = "compare with a saved run: what is slower by " +
        "more than both errors is run once more, and what is slower again is printed; exit status 1 then")
    private Path baseline;

    @Unmatched
    private final List<String> arguments = new ArrayList<>();

    /** Creates the command for picocli. */
    public JmhCommand()
    {
    }

    @Override
    public Integer call() throws IOException
    {
        if (isList)
        {
            arguments.add("-l");
        }
        if (baseline == null)
        {
            Main.main(arguments.toArray(new String[0]));
            return 0;
        }
        final JsonNode saved = read(baseline);
        if (!saved.isArray() || saved.isEmpty())
        {
            throw new UserException(baseline + ": no results of JMH; save them by -rf json -rff FILE");
        }
        final JmhComparison first = new JmhComparison(saved, run(Set.of()));
        final Set<String> slower = new TreeSet<>(first.slower());
        final PrintWriter out = spec.commandLine().getOut();
        first.print(out);
        if (!slower.isEmpty())
        {
            out.println("runs once more what is slower");
            out.flush();
            final JmhComparison second = new JmhComparison(
                saved, run(slower.stream().map(first::benchmark).collect(Collectors.toSet())));
            second.print(out);
            slower.retainAll(second.slower());
        }
        slower.forEach(name -> out.println("slower twice: " + name));
        out.flush();
        return slower.isEmpty() ? 0 : SLOWER;
    }

    /** Runs some benchmarks, or without any all that the arguments name, and returns JMH's results. */
    private JsonNode run(final Set<String> benchmarks) throws IOException
    {
        final Path file = Files.createTempFile("fibnuma-jmh-", ".json");
        try
        {
            final OptionsBuilder options = new OptionsBuilder();
            options.parent(new CommandLineOptions(arguments.toArray(new String[0])));
            options.resultFormat(ResultFormatType.JSON).result(file.toString());
            benchmarks.forEach(name -> options.include("^" + Pattern.quote(name) + "$"));
            new Runner(options.build()).run();
            return read(file);
        }
        catch (final CommandLineOptionException | RunnerException ex)
        {
            throw new ParameterException(spec.commandLine(), "JMH: " + ex.getMessage(), ex);
        }
        finally
        {
            Files.delete(file);
        }
    }

    private static JsonNode read(final Path file) throws IOException
    {
        try
        {
            return new ObjectMapper().readTree(file.toFile());
        }
        catch (final JsonProcessingException ex)
        {
            throw new UserException(file + ": not JSON: " + ex.getOriginalMessage(), ex);
        }
    }
}
