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
    footer = {"  fibnuma bench tcp --mtu 1500,9000 --rounds 5 --json", "  fibnuma bench tcp --mtu 1500 --firewall"})
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

    @Option(names = "--firewall",
        description = "with a stateful filter and masquerading on the router's host; needs nft and conntrack")
    private boolean firewall;

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
        if (firewall)
        {
            requireProgram("nft");
            requireProgram("conntrack");
        }
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
        final Rounds<String> openings = new Rounds<>();
        final String[] refusal = new String[1];
        try (TcpRig rig = TcpRig.open(mtu, firewall))
        {
            final Turns turns = new Turns(output()::say);
            final Duration duration = Duration.ofSeconds(2L * seconds);
            turns.add("MTU " + mtu + " " + ROUTER, duration, () ->
            {
                refusal[0] = refusal[0] == null ? addRouter(rig, rates, openings) : refusal[0];
                return refusal[0] == null ? text(ROUTER, rates, openings) : refusal[0];
            });
            turns.add("MTU " + mtu + " " + KERNEL, duration, () ->
            {
                add(KERNEL, rig, rates, openings);
                return text(KERNEL, rates, openings);
            });
            turns.run("round", rounds);
        }
        return result(mtu, rates, openings, refusal[0]);
    }

    private void add(
        final String contestant, final TcpRig rig, final Rounds<String> rates, final Rounds<String> openings)
    {
        rates.add(contestant, rig.measure(seconds));
        openings.add(contestant, rig.openings(seconds));
    }

    private static String text(final String contestant, final Rounds<String> rates, final Rounds<String> openings)
    {
        return text(rates.last(contestant)) + " Gbit/s, " + Math.round(openings.last(contestant)) +
            " connections/s";
    }

    /** Measures the router once; returns why it did not start, or null if it was measured. */
    private String addRouter(final TcpRig rig, final Rounds<String> rates, final Rounds<String> openings)
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
            add(ROUTER, rig, rates, openings);
            return null;
        }
    }

    private Map<String, Object> result(
        final int mtu, final Rounds<String> rates, final Rounds<String> openings, final String refusal)
    {
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("mtu", mtu);
        result.put("firewall", firewall);
        result.put("gigabits", rates.median(ROUTER));
        result.put("kernelGigabits", rates.median(KERNEL));
        result.put("ratio", rates.ratio(ROUTER, KERNEL));
        result.put("connectionsPerSecond", openings.median(ROUTER));
        result.put("kernelConnectionsPerSecond", openings.median(KERNEL));
        result.put("connectionRatio", openings.ratio(ROUTER, KERNEL));
        result.put("rounds", Map.of(ROUTER, rates.of(ROUTER), KERNEL, rates.of(KERNEL)));
        result.put("connectionRounds", Map.of(ROUTER, openings.of(ROUTER), KERNEL, openings.of(KERNEL)));
        result.put("leftOut", refusal);
        return result;
    }

    private static void print(final List<Map<String, Object>> results, final PrintWriter out)
    {
        out.printf("%n%6s %16s %8s %6s %22s %8s %6s%n", "MTU", "fibnuma Gbit/s", "kernel", "ratio",
            "fibnuma connections/s", "kernel", "ratio");
        for (final Map<String, Object> result : results)
        {
            out.printf("%6s %16s %8s %6s %22s %8s %6s%n", result.get("mtu"), text(result.get("gigabits")),
                text(result.get("kernelGigabits")), text(result.get("ratio")),
                text(result.get("connectionsPerSecond")), text(result.get("kernelConnectionsPerSecond")),
                text(result.get("connectionRatio")));
        }
    }

    private static String text(final Object number)
    {
        return number == null ? "-" : String.format("%.2f", (Double)number);
    }
}
