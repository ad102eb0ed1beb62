package org.fibnuma.bench.tcp;

import org.fibnuma.bench.lab.MeasurementOutput;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code fibnuma bench tcp}: compares TCP through the router with TCP through the kernel. */
@Command(
    name = "tcp",
    description = "TCP between two network namespaces through the router and through the kernel, in turn. Needs root.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma bench tcp --mtu 1500,9000 --rounds 5 --json")
public final class TcpCommand implements Callable<Integer>
{
    private static final int LEAST_MTU = 576;
    private static final int LARGEST_MTU = 65535;
    private static final String PROGRAM = "iperf3";
    private static final String ROUTER = "fibnuma";
    private static final String KERNEL = "kernel";

    @Spec
    private CommandSpec spec;

    @Option(names = "--mtu", split = ",", defaultValue = "1500,3506,9000",
        description = "of all links, one after the other (${DEFAULT-VALUE})")
    private List<Integer> mtus;

    @Option(names = "--frame-size", defaultValue = "4096", description = "the router's (${DEFAULT-VALUE})")
    private int frameSize;

    @Option(names = "--seconds", defaultValue = "5", description = "length of one measurement (${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--rounds", defaultValue = "3", description = "measurements of each; the median counts " +
        "(${DEFAULT-VALUE})")
    private int rounds;

    @Mixin
    private MeasurementOutput output;

    /** Creates the command for picocli. */
    public TcpCommand()
    {
    }

    @Override
    public Integer call() throws IOException
    {
        if (seconds < 1 || rounds < 1 || mtus.stream().anyMatch(mtu -> mtu < LEAST_MTU || mtu > LARGEST_MTU))
        {
            throw new ParameterException(spec.commandLine(),
                "--seconds and --rounds must be 1 or more, --mtu " + LEAST_MTU + " to " + LARGEST_MTU);
        }
        final String obstacle = ChildProcess.isInstalled(PROGRAM) ? Host.obstacle("./fibnuma bench tcp") :
            PROGRAM + " is missing (apt-get install iperf3)";
        if (obstacle != null)
        {
            throw new UserException(obstacle);
        }
        final List<Map<String, Object>> results = new ArrayList<>();
        for (final int mtu : mtus)
        {
            results.add(measure(mtu));
        }
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("frameSize", frameSize);
        map.put("mtus", results);
        output.print(map, out -> print(results, out));
        return 0;
    }

    private Map<String, Object> measure(final int mtu)
    {
        final Rounds<String> rates = new Rounds<>();
        String refusal = null;
        try (TcpRig rig = new TcpRig(mtu))
        {
            for (int round = 1; round <= rounds; round++)
            {
                if (refusal == null)
                {
                    refusal = addRouter(rig, rates);
                    say(mtu, round, ROUTER, refusal == null ? gigabits(rates.of(ROUTER).get(round - 1)) : refusal);
                }
                rates.add(KERNEL, rig.measure(seconds));
                say(mtu, round, KERNEL, gigabits(rates.of(KERNEL).get(round - 1)));
            }
        }
        return result(mtu, rates, refusal);
    }

    /** Measures the router once; returns why it did not start, or null if it was measured. */
    private String addRouter(final TcpRig rig, final Rounds<String> rates)
    {
        final RouterProcess process;
        try
        {
            process = rig.startRouter(frameSize);
        }
        catch (final UserException ex)
        {
            return ex.getMessage();
        }
        try (process)
        {
            rates.add(ROUTER, rig.measure(seconds));
            return null;
        }
    }

    private static Map<String, Object> result(final int mtu, final Rounds<String> rates, final String refusal)
    {
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("mtu", mtu);
        result.put("gigabits", rates.median(ROUTER));
        result.put("kernelGigabits", rates.median(KERNEL));
        result.put("ratio", rates.ratio(ROUTER, KERNEL));
        result.put("rounds", Map.of(ROUTER, rates.of(ROUTER), KERNEL, rates.of(KERNEL)));
        result.put("leftOut", refusal);
        return result;
    }

    private static void print(final List<Map<String, Object>> results, final PrintWriter out)
    {
        out.printf("%n%8s %14s %14s %8s%n", "MTU", "fibnuma Gbit/s", "kernel Gbit/s", "ratio");
        for (final Map<String, Object> result : results)
        {
            out.printf("%8s %14s %14s %8s%n", result.get("mtu"), text(result.get("gigabits")),
                text(result.get("kernelGigabits")), text(result.get("ratio")));
        }
    }

    private static String text(final Object number)
    {
        return number == null ? "-" : String.format("%.2f", (Double)number);
    }

    private static String gigabits(final double value)
    {
        return String.format("%.2f Gbit/s", value);
    }

    private void say(final int mtu, final int round, final String name, final String what)
    {
        output.say(String.format("MTU %d, round %d: %-8s %s", mtu, round, name, what));
    }
}
