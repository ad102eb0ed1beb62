package org.fibnuma.bench.fib;

import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.routes.Ipv6RouteList;
import org.fibnuma.fibnic.routes.RouteTableReader;
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

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Nanoseconds for one IPv6 lookup, in batches and one by one; {@code fibnuma bench jmh Fib6Lookup} runs it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class Fib6LookupBenchmark
{
    private static final int BATCHES = 1 << 13;
    private static final int BATCH = DestinationBatch.SIZE;
    private static final int ADJACENCIES = 254;

    /** Source of the routes, as for {@code bench fib --family 6}. */
    @Param("generated:200000")
    public String table;

    private final DestinationBatch batch = new DestinationBatch();
    private final Ipv6Fib fib = new Ipv6Fib(new ReaderEpochs());
    private final long[] highs = new long[BATCHES * BATCH];
    private final long[] lows = new long[BATCHES * BATCH];
    private int next;

    /** Loads the table and draws the destinations. */
    @Setup
    public void load()
    {
        final Ipv6RouteList routes = RouteTables.openIpv6(table, RouteTableReader.ofAllPeers());
        for (int i = 0; i < routes.size(); i++)
        {
            final Ipv6Prefix prefix = routes.prefix(i);
            fib.announce(prefix.high(), prefix.low(), prefix.length(), 1 + i % ADJACENCIES);
        }
        final Ipv6AddressSample sample = new Ipv6AddressSample(routes, new SplittableRandom(1));
        for (int i = 0; i < highs.length; i++)
        {
            final Ipv6Address address = sample.ofRoute();
            highs[i] = address.high();
            lows[i] = address.low();
        }
    }

    /** Releases the table's memory. */
    @TearDown
    public void close()
    {
        fib.close();
        batch.close();
    }

    /** Looks up a batch, like a worker; returns one of the adjacencies. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int batch()
    {
        batch.lookup(fib, highs, lows, nextBatch());
        return batch.adjacency(0);
    }

    /** Looks up the same destinations one by one; returns the sum of the adjacencies. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int single()
    {
        int sum = 0;
        final int from = nextBatch();
        for (int i = from; i < from + BATCH; i++)
        {
            sum += fib.lookup(highs[i], lows[i]);
        }
        return sum;
    }

    private int nextBatch()
    {
        next = next + 1 & BATCHES - 1;
        return next * BATCH;
    }
}
