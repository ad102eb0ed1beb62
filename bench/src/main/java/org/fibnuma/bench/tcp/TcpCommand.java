package org.fibnuma.bench.tcp;

import org.fibnuma.bench.lab.MeasurementCommand;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.bench.lab.Turns;
import org.fibnuma.core.UserException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code fibnuma bench tcp}: compares TCP through the router with TCP through the kernel. */
@Command(
    name = "tcp",
    description = "TCP between two network namespaces through the router and through the kernel, in turn. Needs root.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma bench tcp --mtu 1500,9000 --rounds 5 --json")
public final class TcpCommand extends MeasurementCommand
{
    private static final int LEAST_MTU = 576;
    private static final int LARGEST_MTU = 65535;
    private static final String ROUTER = "fibnuma";
    private static final String KERNEL = "kernel";

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

    /** Creates the command for picocli. */
    public TcpCommand()
    {
    }

    @Override
    public Integer call() throws IOException
    {
        require(seconds >= 1 && rounds >= 1 && mtus.stream().allMatch(mtu -> mtu >= LEAST_MTU && mtu <= LARGEST_MTU),
            "--seconds and --rounds must be 1 or more, --mtu " + LEAST_MTU + " to " + LARGEST_MTU);
        requireProgram(TcpRig.PROGRAM);
        requireNamespaces();
        final List<Map<String, Object>> results = new ArrayList<>();
        for (final int mtu : mtus)
        {
            results.add(measure(mtu));
        }
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("frameSize", frameSize);
        map.put("mtus", results);
        output().print(map, out -> print(results, out));
        return DONE;
    }

    private Map<String, Object> measure(final int mtu) throws IOException
    {
        final Rounds<String> rates = new Rounds<>();
        final String[] refusal = new String[1];
        try (TcpRig rig = TcpRig.open(mtu))
        {
            final Turns turns = new Turns(output()::say);
            turns.add("MTU " + mtu + " " + ROUTER, Duration.ofSeconds(seconds), () ->
            {
                refusal[0] = refusal[0] == null ? addRouter(rig, rates) : refusal[0];
                return refusal[0] == null ? text(rates.last(ROUTER)) + " Gbit/s" : refusal[0];
            });
            turns.add("MTU " + mtu + " " + KERNEL, Duration.ofSeconds(seconds), () ->
            {
                rates.add(KERNEL, rig.measure(seconds));
                return text(rates.last(KERNEL)) + " Gbit/s";
            });
            turns.run("round", rounds);
        }
        return result(mtu, rates, refusal[0]);
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
}
