package org.fibnuma.bench.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import org.fibnuma.bench.lab.MeasurementCommand;

/** {@code fibnuma bench ipnuma-fuzz}: sends mutated datagrams to the receivers of remote memory. */
@Command(
    name = "ipnuma-fuzz",
    description = "Sends mutated and random datagrams of all four wire formats to the receivers of remote memory. " +
        "Fails if a byte changes that the source may not write, if an answer contains a byte that the source may " +
        "not read, or if answers exceed the permitted size or rate. With " +
        "FIBNUMA_JAVA_OPTS=-Dfibnuma.bounds.checks=true it also fails if an access leaves its datagram.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma bench ipnuma-fuzz --datagrams 100000 --seed 7")
public final class FuzzCommand extends MeasurementCommand
{
    @Option(names = "--datagrams", defaultValue = "1000000", paramLabel = "N",
        description = "how many to send (${DEFAULT-VALUE})")
    private long datagrams;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N",
        description = "the same seed sends the same datagrams (${DEFAULT-VALUE})")
    private long seed;

    /** Creates the command for picocli. */
    public FuzzCommand()
    {
    }

    @Override
    public Integer call() throws JsonProcessingException
    {
        require(datagrams >= 1, "--datagrams: " + datagrams + " is less than 1");
        try (FuzzRun run = new FuzzRun(seed))
        {
            final FuzzResult result = run.run(datagrams);
            output().print(result.toMap(), result::print);
            return result.isClean() ? DONE : FAILED;
        }
    }
}
