package org.fibnuma.ipnuma.command;

import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.counter.CountersFileReader;
import org.fibnuma.ipnuma.config.EndpointConfig;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** Prints the counters of a running endpoint. */
@Command(
    name = "counters",
    mixinStandardHelpOptions = true,
    description = "What a running endpoint has counted: frames and what became of them, and each peer's session.")
final class CountersCommand implements Callable<Integer>
{
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
        names = "--name", defaultValue = EndpointConfig.DEFAULT_NAME, paramLabel = "NAME",
        description = "The endpoint to ask (default: ${DEFAULT-VALUE}).")
    private String name;

    @Option(names = "--all", description = "Print those that are 0 too.")
    private boolean all;

    @Option(names = "--json", description = "Print JSON, with those that are 0.")
    private boolean json;

    @Override
    public Integer call()
    {
        final Map<String, Long> values = read(name);
        if (json)
        {
            Answers.printJson(spec, values);
        }
        else
        {
            values.forEach((label, value) ->
            {
                if (all || value != 0)
                {
                    spec.commandLine().getOut().println(String.format("%-40s %,16d", label, value));
                }
            });
            spec.commandLine().getOut().flush();
        }
        return IpnumaCommand.OK;
    }

    private static Map<String, Long> read(final String name)
    {
        final Map<String, Long> values = new LinkedHashMap<>();
        try (CountersFileReader reader = CountersFileReader.open(CountersFile.directoryOf(name)))
        {
            reader.counters().forEach((value, id, label) -> values.put(label, value));
        }
        return values;
    }
}
