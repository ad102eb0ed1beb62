package org.fibnuma.bench.fib;

import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.routes.RouteList;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Loads a table, measures, and compares with the slow reference before and after the changes. */
final class FibMeasurement
{
    private static final long SEED = 20_261_121;
    private static final int SAMPLE = 1 << 20;
    private static final int FLAPS = 25_000;

    private static final int CHECKED_OF_ROUTES = 300_000;
    private static final int CHECKED_OF_BOUNDARIES = 500_000;
    private static final int CHECKED_OF_SPACE = 200_000;

    private final RouteList table;
    private final RouteList changes;
    private final int runMs;
    private final NextHopNumbering numbering;
    private final SlowLpm reference = new SlowLpm();
    private final FibResult result = new FibResult();

    FibMeasurement(
        final RouteList table, final RouteList changes, final int wantedNextHops, final int runMs)
    {
        this.table = table;
        this.changes = changes;
        this.runMs = runMs;
        this.numbering = new NextHopNumbering(wantedNextHops, table);
    }

    /** Returns changes that withdraw random routes and announce them again in the opposite order. */
    static RouteList flapsOf(final RouteList table)
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        final int[] routes = random.ints(FLAPS, 0, table.size()).toArray();
        final RouteList flaps = new RouteList();
        for (final int route : routes)
        {
            flaps.addWithdrawal(table.prefix(route), table.length(route));
        }
        for (int i = 0; i < FLAPS; i++)
        {
            final int route = routes[FLAPS - 1 - i];
            flaps.addAnnouncement(table.prefix(route), table.length(route), table.nextHop(route));
        }
        return flaps;
    }

    FibResult run()
    {
        try (Ipv4Fib fib = new Ipv4Fib(new ReaderEpochs()))
        {
            load(fib);
            final AddressSample sample = new AddressSample(table, SEED);
            final int[] ofRoutes = sample.ofRoutes(SAMPLE);
            final int[] ofSpace = sample.ofSpace(SAMPLE);
            final LookupRate rate = new LookupRate(SAMPLE, runMs);
            try (DestinationBatch batch = new DestinationBatch())
            {
                result.batchLookups = rate.median(() -> passInBatches(fib, batch, ofRoutes));
                result.singleLookups = rate.median(() -> passOneByOne(fib, ofRoutes));
                result.batchLookupsOfSpace = rate.median(() -> passInBatches(fib, batch, ofSpace));
            }
            check(fib, sample);
            replay(fib);
            check(fib, sample);
        }
        return result;
    }

    private static long passInBatches(final Ipv4Fib fib, final DestinationBatch batch, final int[] destinations)
    {
        long sum = 0;
        for (int i = 0; i < destinations.length; i += DestinationBatch.SIZE)
        {
            batch.lookup(fib, destinations, i, i + DestinationBatch.SIZE);
            sum += batch.adjacency(0) + batch.adjacency(DestinationBatch.SIZE - 1);
        }
        return sum;
    }

    private static long passOneByOne(final Ipv4Fib fib, final int[] destinations)
    {
        long sum = 0;
        for (final int destination : destinations)
        {
            sum += fib.lookup(destination);
        }
        return sum;
    }

    private void load(final Ipv4Fib fib)
    {
        final int[] adjacencies = adjacenciesOf(table);
        final long start = System.nanoTime();
        apply(fib, table, adjacencies);
        result.loadSeconds = (System.nanoTime() - start) / 1e9;
        applyToReference(table, adjacencies);
        result.nextHops = (int)Arrays.stream(adjacencies).filter(adjacency -> adjacency != 0).distinct().count();
        result.routes = fib.size();
        result.codeBits = fib.codeBits();
        result.tableBytes = fib.tableBytes();
        result.secondLevelBytes = fib.secondLevelBytes();
        result.prefixBytes = fib.prefixBytes();
    }

    /** Measures the changes, each pass from the table before them; afterwards they are applied. */
    private void replay(final Ipv4Fib fib)
    {
        final int[] adjacencies = adjacenciesOf(changes);
        final int[] before = new int[changes.size()];
        Arrays.setAll(before, i -> fib.exact(changes.prefix(i), changes.length(i)));
        result.updateCount = changes.size();
        result.updateRate = UpdateRate.median(
            changes.size(), () -> apply(fib, changes, before), () -> apply(fib, changes, adjacencies));
        applyToReference(changes, adjacencies);
    }

    private int[] adjacenciesOf(final RouteList routes)
    {
        final int[] adjacencies = new int[routes.size()];
        Arrays.setAll(adjacencies, i -> routes.isWithdrawal(i) ? 0 : numbering.adjacencyOf(routes, i));
        return adjacencies;
    }

    private static void apply(final Ipv4Fib fib, final RouteList routes, final int[] adjacencies)
    {
        for (int i = 0; i < adjacencies.length; i++)
        {
            if (adjacencies[i] == 0)
            {
                fib.withdraw(routes.prefix(i), routes.length(i));
            }
            else
            {
                fib.announce(routes.prefix(i), routes.length(i), adjacencies[i]);
            }
        }
    }

    private void applyToReference(final RouteList routes, final int[] adjacencies)
    {
        for (int i = 0; i < adjacencies.length; i++)
        {
            reference.change(routes.prefix(i), routes.length(i), adjacencies[i]);
        }
    }

    private void check(final Ipv4Fib fib, final AddressSample sample)
    {
        check(fib, sample.ofRoutes(CHECKED_OF_ROUTES));
        check(fib, sample.ofBoundaries(CHECKED_OF_BOUNDARIES));
        check(fib, sample.ofSpace(CHECKED_OF_SPACE));
    }

    private void check(final Ipv4Fib fib, final int[] destinations)
    {
        try (DestinationBatch batch = new DestinationBatch())
        {
            for (int from = 0; from < destinations.length; from += DestinationBatch.SIZE)
            {
                final int to = Math.min(destinations.length, from + DestinationBatch.SIZE);
                batch.lookup(fib, destinations, from, to);
                for (int i = from; i < to; i++)
                {
                    final int expected = reference.lookup(destinations[i]);
                    if (batch.adjacency(i - from) != expected || fib.lookup(destinations[i]) != expected)
                    {
                        result.wrong++;
                    }
                }
            }
        }
        result.checked += destinations.length;
    }
}
