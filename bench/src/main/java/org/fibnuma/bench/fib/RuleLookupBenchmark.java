package org.fibnuma.bench.fib;

import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.fib.FibRules;
import org.fibnuma.fibnic.fib.FibRules.Selector;
import org.fibnuma.fibnic.fib.FibRules.Step;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTables;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Nanoseconds for one IPv4 lookup by rules of policy routing, in batches as a worker does: in the main table, then by
 * the rules one by one. {@code fibnuma bench jmh RuleLookup} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RuleLookupBenchmark
{
    private static final int BATCHES = 1 << 14;
    private static final int BATCH = DestinationBatch.SIZE;
    private static final int NEXT_HOPS = 254;

    /** Source of the routes of the main table, as for {@code bench fib}. */
    @Param("generated:950000")
    public String table;

    /**
     * Rules: none; those of wg-quick, whose default route is in another table; two that select a table with a default
     * route by source; one that selects a table with all routes of the main table.
     */
    @Param({"none", "tunnel", "source", "table"})
    public String rules;

    private final DestinationBatch batch = new DestinationBatch();
    private final ReaderEpochs epochs = new ReaderEpochs();
    private int[] destinations;
    private Ipv4Fib fib;
    private Ipv6Fib further;
    private FibRules steps;
    private int next;

    /** Creates the benchmark, for JMH. */
    public RuleLookupBenchmark()
    {
    }

    /** Loads the tables and draws the destinations. */
    @Setup
    public void load()
    {
        final RouteList routes = RouteTables.open(table);
        final NextHopNumbering numbering = new NextHopNumbering(NEXT_HOPS, routes);
        fib = new Ipv4Fib(epochs);
        further = new Ipv6Fib(epochs);
        further.announce(0, 0, 0, 1);
        for (int i = 0; i < routes.size(); i++)
        {
            fib.announce(routes.prefix(i), routes.length(i), numbering.adjacencyOf(routes, i));
            if ("table".equals(rules))
            {
                further.announce(
                    FibRules.inHigh(routes.prefix(i)), 0, routes.length(i), numbering.adjacencyOf(routes, i));
            }
        }
        final Step host = Step.ofHost(Selector.ALL);
        final Step main = Step.ofMain(Selector.ALL);
        steps = switch (rules)
        {
            case "tunnel" -> new FibRules(List.of(host, main, Step.of(Selector.ALL, further)));
            case "source" -> new FibRules(List.of(host,
                Step.of(Selector.of(false, IpPrefix.parse("10.1.0.0/16"), null), further),
                Step.of(Selector.of(false, IpPrefix.parse("10.2.0.0/16"), null), further), main));
            case "table" -> new FibRules(List.of(host, Step.of(Selector.ALL, further)));
            default -> null;
        };
        destinations = new AddressSample(routes, 1).ofRoutes(BATCHES * BATCH);
    }

    /** Releases the tables' memory. */
    @TearDown
    public void close()
    {
        fib.close();
        further.close();
        batch.close();
    }

    /**
     * Looks up a batch of packets from 10.2.0.1.
     *
     * @return the sum of the adjacencies.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int batch()
    {
        next = next + 1 & BATCHES - 1;
        final int from = next * BATCH;
        batch.lookup(fib, destinations, from, from + BATCH);
        int sum = 0;
        for (int i = 0; i < BATCH; i++)
        {
            final int ofMain = batch.adjacency(i);
            sum += steps == null ? ofMain : steps.lookup(ofMain, false,
                FibRules.inHigh(0x0A02_0001), 0, FibRules.inHigh(destinations[from + i]), 0);
        }
        return sum;
    }
}
