package org.fibnuma.bench.fib;

import org.fibnuma.fibnic.fib.Ipv4Fib;
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

import java.util.concurrent.TimeUnit;

/** Nanoseconds for one IPv4 lookup, in batches and one by one; {@code fibnuma bench jmh FibLookup} runs it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FibLookupBenchmark
{
    private static final int BATCHES = 1 << 14;
    private static final int BATCH = DestinationBatch.SIZE;

    /** Source of the routes, as for {@code bench fib}. */
    @Param("generated:950000")
    public String table;

    /** Number of adjacencies for the next hops: for codes of 2, 4, 8 and 16 bits. */
    @Param({"2", "14", "254", "1000"})
    public int nextHops;

    private final DestinationBatch batch = new DestinationBatch();
    private int[] destinations;
    private Ipv4Fib fib;
    private int next;

    /** Creates the benchmark, for JMH. */
    public FibLookupBenchmark()
    {
    }

    /** Loads the table and draws the destinations. */
    @Setup
    public void load()
    {
        final RouteList routes = RouteTables.open(table);
        final NextHopNumbering numbering = new NextHopNumbering(nextHops, routes);
        fib = new Ipv4Fib(new ReaderEpochs());
        for (int i = 0; i < routes.size(); i++)
        {
            fib.announce(routes.prefix(i), routes.length(i), numbering.adjacencyOf(routes, i));
        }
        destinations = new AddressSample(routes, 1).ofRoutes(BATCHES * BATCH);
    }

    /** Releases the table's memory. */
    @TearDown
    public void close()
    {
        fib.close();
        batch.close();
    }

    /**
     * Looks up a batch, like a worker.
     *
     * @return one of the adjacencies.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int batch()
    {
        final int from = nextBatch();
        batch.lookup(fib, destinations, from, from + BATCH);
        return batch.adjacency(0);
    }

    /**
     * Looks up the same destinations one by one.
     *
     * @return the sum of the adjacencies.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int single()
    {
        int sum = 0;
        final int from = nextBatch();
        for (int i = from; i < from + BATCH; i++)
        {
            sum += fib.lookup(destinations[i]);
        }
        return sum;
    }

    private int nextBatch()
    {
        next = next + 1 & BATCHES - 1;
        return next * BATCH;
    }
}
