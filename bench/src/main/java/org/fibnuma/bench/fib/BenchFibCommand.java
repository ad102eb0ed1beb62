package org.fibnuma.bench.fib;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.fibnuma.bench.lab.MeasurementOutput;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.routes.Ipv6RouteList;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableReader;
import org.fibnuma.fibnic.routes.RouteTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.Map;
import java.util.concurrent.Callable;

/** {@code fibnuma bench fib}. */
@Command(
    name = "fib",
    description = "Loads a route table, measures lookups, updates and memory of the FIB on one core and compares " +
        "a million addresses with a slow reference, before and after the updates.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma bench fib --table generated:950000 --json",
        "  fibnuma bench fib --family 6"
    })
public final class BenchFibCommand implements Callable<Integer>
{
    private static final int FAILED = 1;
    private static final String DEFAULT_TABLE = "generated:950000";
    private static final String DEFAULT_IPV6_TABLE = "generated:200000";
    private static final String FLAPS = "random routes are removed and added";
    private static final Map<Integer, Integer> NEXT_HOPS_OF_WIDTH = Map.of(2, 2, 4, 14, 8, 254, 16, 1000);

    @Spec
    private CommandSpec spec;

    @Option(names = "--family", defaultValue = "4", paramLabel = "4|6",
        description = "IPv4 or IPv6; IPv6 is compared with dpdk-test-fib where that is installed (${DEFAULT-VALUE})")
    private int family;

    @Option(names = "--table", paramLabel = "FILE|generated:N",
        description = "routes: lines \"prefix next-hop\" or the output of bgpdump -m, gzip or not " +
            "(generated:950000, for IPv6 generated:200000)")
    private String table;

    @Option(names = "--peer", paramLabel = "A.B.C.D", description = "use only the routes of this peer")
    private String peer;

    @Option(names = "--updates", paramLabel = "FILE",
        description = "trace of changes, output of bgpdump -m; without it random routes are removed and added")
    private String updates;

    @Option(names = "--code-bits", paramLabel = "2|4|8|16",
        description = "force the width of a code: fold or spread the next hops to 2, 14, 254 or 1,000")
    private Integer codeBits;

    @Option(names = "--next-hops", paramLabel = "N", description = "fold or spread the next hops to N")
    private Integer nextHops;

    @Option(names = "--run-ms", defaultValue = "200", paramLabel = "N",
        description = "length of one of the runs whose median counts, in milliseconds (${DEFAULT-VALUE})")
    private int runMs;

    @Option(names = "--without-peers", description = "with --family 6: do not run dpdk-test-fib")
    private boolean withoutPeers;

    @Mixin
    private MeasurementOutput output;

    /** Creates the command, for picocli. */
    public BenchFibCommand()
    {
    }

    @Override
    public Integer call() throws JsonProcessingException
    {
        final int wantedNextHops = wantedNextHops();
        ThreadPinning.load().pinCurrentThread(Runtime.getRuntime().availableProcessors() - 1);
        final RouteTableReader reader = peer == null ? RouteTableReader.ofAllPeers() : RouteTableReader.ofPeer(peer);
        return family == 4 ? measureIpv4(reader, wantedNextHops) : measureIpv6(reader, wantedNextHops);
    }

    private int measureIpv4(final RouteTableReader reader, final int wantedNextHops) throws JsonProcessingException
    {
        final String name = table == null ? DEFAULT_TABLE : table;
        final RouteList routes = requireRoutes(RouteTables.open(name, reader), name);
        final RouteList changes = updates == null ?
            FibMeasurement.flapsOf(routes) :
            requireRoutes(RouteTables.open(updates, RouteTableReader.ofAllPeers()), updates);
        final FibResult result = new FibMeasurement(routes, changes, wantedNextHops, runMs).run();
        result.table = name + (peer == null ? "" : ", peer " + peer);
        result.updates = updates == null ? FLAPS : updates;
        output.print(result.toMap(), result::print);
        return result.wrong == 0 ? 0 : FAILED;
    }

    private int measureIpv6(final RouteTableReader reader, final int wantedNextHops) throws JsonProcessingException
    {
        final String name = table == null ? DEFAULT_IPV6_TABLE : table;
        final Ipv6RouteList routes = requireIpv6Routes(RouteTables.openIpv6(name, reader), name);
        final Ipv6RouteList changes = updates == null ?
            Fib6Measurement.flapsOf(routes) :
            requireIpv6Routes(RouteTables.openIpv6(updates, RouteTableReader.ofAllPeers()), updates);
        final Fib6Result result = new Fib6Measurement(routes, changes, wantedNextHops, runMs).run(!withoutPeers);
        result.table = name + (peer == null ? "" : ", peer " + peer);
        result.updates = updates == null ? FLAPS : updates;
        output.print(result.toMap(), result::print);
        return result.wrong == 0 ? 0 : FAILED;
    }

    private int wantedNextHops()
    {
        require(runMs >= 1, "--run-ms: " + runMs + " is less than 1");
        require(family == 4 || family == 6, "--family: " + family + " is neither 4 nor 6");
        require(family == 4 || codeBits == null, "--code-bits: the IPv6 table has no codes");
        if (codeBits == null)
        {
            require(nextHops == null || nextHops >= 1 && nextHops <= Ipv4Fib.MAX_ADJACENCY,
                "--next-hops: " + nextHops + " is not in 1 to " + Ipv4Fib.MAX_ADJACENCY);
            return nextHops == null ? NextHopNumbering.AS_THEY_ARE : nextHops;
        }
        require(NEXT_HOPS_OF_WIDTH.containsKey(codeBits), "--code-bits: " + codeBits + " is not 2, 4, 8 or 16");
        return NEXT_HOPS_OF_WIDTH.get(codeBits);
    }

    private void require(final boolean met, final String message)
    {
        if (!met)
        {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    private RouteList requireRoutes(final RouteList routes, final String name)
    {
        if (routes.size() == 0)
        {
            throw new UserException(name + ": no IPv4 routes" + (peer == null ? "" : " of peer " + peer) +
                " (left out: " + routes.skippedIpv6() + " lines about IPv6, " + routes.skippedPeers() +
                " of other peers)");
        }
        return routes;
    }

    private Ipv6RouteList requireIpv6Routes(final Ipv6RouteList routes, final String name)
    {
        if (routes.size() == 0)
        {
            throw new UserException(name + ": no IPv6 routes" + (peer == null ? "" : " of peer " + peer) +
                " (left out: " + routes.skippedIpv4() + " lines about IPv4, " + routes.skippedPeers() +
                " of other peers)");
        }
        return routes;
    }
}
