package org.fibnuma.bench.fib;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.fibnuma.bench.lab.MeasurementCommand;
import org.fibnuma.bench.lab.PinnedRun;
import org.fibnuma.core.UserException;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.routes.Ipv6RouteList;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableReader;
import org.fibnuma.fibnic.routes.RouteTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.Map;

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
public final class BenchFibCommand extends MeasurementCommand
{
    private static final String DEFAULT_TABLE = "generated:950000";
    private static final String DEFAULT_IPV6_TABLE = "generated:200000";
    private static final String FLAPS = "random routes are removed and added";
    private static final Map<Integer, Integer> NEXT_HOPS_OF_WIDTH = Map.of(2, 2, 4, 14, 8, 254, 16, 1000);

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

    /** Creates the command, for picocli. */
    public BenchFibCommand()
    {
    }

    @Override
    public Integer call() throws JsonProcessingException
    {
        final int wantedNextHops = wantedNextHops();
        PinnedRun.pinToLastCore();
        final RouteTableReader reader = peer == null ? RouteTableReader.ofAllPeers() : RouteTableReader.ofPeer(peer);
        final String name = table != null ? table : family == 4 ? DEFAULT_TABLE : DEFAULT_IPV6_TABLE;
        final FibResult result = family == 4 ?
            measureIpv4(reader, name, wantedNextHops) : measureIpv6(reader, name, wantedNextHops);
        result.table = name + (peer == null ? "" : ", peer " + peer);
        result.updates = updates == null ? FLAPS : updates;
        output().print(result.toMap(), result::print);
        return result.wrong == 0 ? DONE : FAILED;
    }

    private FibResult measureIpv4(final RouteTableReader reader, final String name, final int wantedNextHops)
    {
        final RouteList routes = requireRoutes(RouteTables.open(name, reader), name);
        final RouteList changes = updates == null ?
            FibMeasurement.flapsOf(routes) :
            requireRoutes(RouteTables.open(updates, RouteTableReader.ofAllPeers()), updates);
        return new FibMeasurement(routes, changes, wantedNextHops, runMs).run();
    }

    private FibResult measureIpv6(final RouteTableReader reader, final String name, final int wantedNextHops)
    {
        final Ipv6RouteList routes = requireIpv6Routes(RouteTables.openIpv6(name, reader), name);
        final Ipv6RouteList changes = updates == null ?
            Fib6Measurement.flapsOf(routes) :
            requireIpv6Routes(RouteTables.openIpv6(updates, RouteTableReader.ofAllPeers()), updates);
        return new Fib6Measurement(routes, changes, wantedNextHops, runMs).run(!withoutPeers);
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

    private RouteList requireRoutes(final RouteList routes, final String name)
    {
        requireRoutes(routes.size(), name, "IPv4", routes.skippedIpv6() + " lines about IPv6, ", routes.skippedPeers());
        return routes;
    }

    private Ipv6RouteList requireIpv6Routes(final Ipv6RouteList routes, final String name)
    {
        requireRoutes(routes.size(), name, "IPv6", routes.skippedIpv4() + " lines about IPv4, ", routes.skippedPeers());
        return routes;
    }

    private void requireRoutes(
        final int count, final String name, final String kind, final String skipped, final int skippedPeers)
    {
        if (count == 0)
        {
            throw new UserException(name + ": no " + kind + " routes" + (peer == null ? "" : " of peer " + peer) +
                " (left out: " + skipped + skippedPeers + " of other peers)");
        }
    }
}
