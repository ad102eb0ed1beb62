package org.fibnuma.bench;

import org.fibnuma.bench.control.BenchControlCommand;
import org.fibnuma.bench.fib.BenchFibCommand;
import org.fibnuma.bench.forward.ForwardCommand;
import org.fibnuma.bench.fuzz.FuzzCommand;
import org.fibnuma.bench.pipeline.BenchPipelineCommand;
import org.fibnuma.bench.tcp.TcpCommand;
import org.fibnuma.bench.veth.VethCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fibnuma bench}: one subcommand for each thing that is measured. */
@Command(
    name = "fibnuma bench",
    description = "Measures what Fibnuma claims; the bench module's README says what the figures mean.",
    subcommands = {
        BenchFibCommand.class, BenchPipelineCommand.class, BenchControlCommand.class, ForwardCommand.class,
        VethCommand.class, TcpCommand.class, FuzzCommand.class, JmhCommand.class},
    mixinStandardHelpOptions = true)
public final class BenchCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    /** For picocli. */
    public BenchCommand()
    {
    }

    /**
     * Runs a benchmark; exit status 0 done, 1 failed, 2 wrong usage.
     *
     * @param arguments the benchmark and its options.
     */
    public static void main(final String[] arguments)
    {
        System.exit(new CommandLine(new BenchCommand()).execute(arguments));
    }

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "which benchmark? see --help");
    }
}
