package org.fibnuma.bench;

import org.fibnuma.bench.changes.ChangesCommand;
import org.fibnuma.bench.control.BenchControlCommand;
import org.fibnuma.bench.differential.DifferentialCommand;
import org.fibnuma.bench.fib.BenchFibCommand;
import org.fibnuma.bench.flows.FlowsCommand;
import org.fibnuma.bench.forward.ForwardCommand;
import org.fibnuma.bench.fuzz.FuzzCommand;
import org.fibnuma.bench.memcached.MemcachedBenchCommand;
import org.fibnuma.bench.peers.PeersBenchCommand;
import org.fibnuma.bench.pingpong.PingPongBenchCommand;
import org.fibnuma.bench.pipeline.BenchPipelineCommand;
import org.fibnuma.bench.report.ReportCommand;
import org.fibnuma.bench.rfc2544.Rfc2544Command;
import org.fibnuma.bench.soak.SoakCommand;
import org.fibnuma.bench.stream.StreamBenchCommand;
import org.fibnuma.bench.tcp.TcpCommand;
import org.fibnuma.bench.veth.VethCommand;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.command.Commands;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;

/** {@code fibnuma bench}: has one subcommand for each measurement. */
@Command(
    name = "fibnuma bench",
    description = "Measures what Fibnuma claims; docs/measuring.md says what the figures mean.",
    subcommands = {
        BenchFibCommand.class, BenchPipelineCommand.class, BenchControlCommand.class, ChangesCommand.class,
        Rfc2544Command.class, ForwardCommand.class, VethCommand.class, FlowsCommand.class, TcpCommand.class,
        DifferentialCommand.class, SoakCommand.class, FuzzCommand.class,
        MemcachedBenchCommand.class, PingPongBenchCommand.class, StreamBenchCommand.class, PeersBenchCommand.class,
        JmhCommand.class, ReportCommand.class},
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma bench pipeline --frame-size 64 --json",
        "  fibnuma bench fib --family 6"
    })
public final class BenchCommand implements Runnable
{
    private static final int FAILED = 1;

    @Spec
    private CommandSpec spec;

    /** Creates the command for picocli. */
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
        System.exit(commandLine(arguments).execute(arguments));
    }

    /**
     * Returns the benchmarks, ready to be executed. A failure that the user can act on becomes one line on standard
     * error and exit status 1.
     *
     * @param arguments what it will be executed with; all benchmarks without them.
     * @return the command line.
     */
    public static CommandLine commandLine(final String... arguments)
    {
        final CommandLine bench = Commands.prepare(Commands.forArguments(BenchCommand.class, arguments));
        return bench.setExecutionExceptionHandler((exception, command, parsed) ->
        {
            if (exception instanceof UserException || exception instanceof SystemCallException ||
                exception instanceof IOException)
            {
                command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + exception.getMessage());
                command.getErr().flush();
                return FAILED;
            }
            throw exception;
        });
    }

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "missing benchmark; see --help");
    }
}
