package org.fibnuma.bench;

import org.openjdk.jmh.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code fibnuma bench jmh}: passes all its arguments to JMH. */
@Command(
    name = "jmh",
    description = "Runs microbenchmarks; what follows goes to JMH: names or parts of them, -l for a list, -h for help.",
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma bench jmh -l",
        "  fibnuma bench jmh FibLookupBenchmark -f 1"
    })
public final class JmhCommand implements Callable<Integer>
{
    @Unmatched
    private final List<String> arguments = new ArrayList<>();

    /** Creates the command for picocli. */
    public JmhCommand()
    {
    }

    @Override
    public Integer call() throws IOException
    {
        Main.main(arguments.toArray(new String[0]));
        return 0;
    }
}
