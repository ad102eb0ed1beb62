package org.fibnuma.bench.fib;

import org.fibnuma.bench.lab.TemporaryDirectory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.routes.Ipv6RouteList;
import org.fibnuma.fibnic.routes.RouteTableGenerator;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Loads an IPv6 table, measures, and compares with the slow reference before and after the changes. */
final class Fib6Measurement
{
    private static final long SEED = 20_261_121;
    private static final int SAMPLE = 1 << 20;
    private static final int CHECKED = 1 << 18;
    private static final int FLAPS = 25_000;

    private final Ipv6RouteList table;
    private final Ipv6RouteList changes;
    private final int wantedNextHops;
    private final int runMs;
    private final Map<Ipv6Address, Integer> numbers = new HashMap<>();
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final SlowLpm6 reference = new SlowLpm6();
    private final long[] highs = new long[SAMPLE];
    private final long[] lows = new long[SAMPLE];
    private final FibResult result = new FibResult();

    Fib6Measurement(
        final Ipv6RouteList table, final Ipv6RouteList changes, final int wantedNextHops, final int runMs)
    {
        this.table = table;
        this.changes = changes;
        this.wantedNextHops = wantedNextHops;
        this.runMs = runMs;
    }

    /** Returns changes that withdraw random routes and announce them again in the opposite order. */
    static Ipv6RouteList flapsOf(final Ipv6RouteList table)
    {
        final int[] routes = new SplittableRandom(SEED).ints(FLAPS, 0, table.size()).toArray();
        final Ipv6RouteList flaps = new Ipv6RouteList();
        for (final int route : routes)
        {
            flaps.addWithdrawal(table.prefix(route));
        }
        for (int i = FLAPS - 1; i >= 0; i--)
        {
            flaps.addAnnouncement(table.prefix(routes[i]), table.nextHop(routes[i]));
        }
        return flaps;
    }

    FibResult run(final boolean withPeers)
    {
        try (Ipv6Fib fib = new Ipv6Fib(new ReaderEpochs()); DestinationBatch batch = new DestinationBatch())
        {
            load(fib);
            drawDestinations();
            final LookupRate rate = new LookupRate(SAMPLE, runMs);
            result.batchLookups = rate.median(() -> passInBatches(fib, batch));
            result.singleLookups = rate.median(() -> passOneByOne(fib));
            if (withPeers)
            {
                measurePeers();
            }
            moveToBoundaries();
            check(fib, batch);
            replay(fib);
            check(fib, batch);
        }
        return result;
    }

    private void load(final Ipv6Fib fib)
    {
        final int[] adjacencies = adjacenciesOf(table);
        final long start = System.nanoTime();
        apply(fib, table, adjacencies);
        result.loadSeconds = (System.nanoTime() - start) / 1e9;
        applyToReference(table, adjacencies);
        result.nextHops = (int)Arrays.stream(adjacencies).filter(adjacency -> adjacency != 0).distinct().count();
        result.routes = fib.size();
        result.tableBytes = fib.tableBytes();
        result.prefixBytes = fib.prefixBytes();
    }

    /** Random hosts of random routes. */
    private void drawDestinations()
    {
        final Ipv6AddressSample sample = new Ipv6AddressSample(table, random);
        for (int i = 0; i < SAMPLE; i++)
        {
            final Ipv6Address address = sample.ofRoute();
            highs[i] = address.high();
            lows[i] = address.low();
        }
    }

    private long passInBatches(final Ipv6Fib fib, final DestinationBatch batch)
    {
        long sum = 0;
        for (int i = 0; i < SAMPLE; i += DestinationBatch.SIZE)
        {
            batch.lookup(fib, highs, lows, i);
            sum += batch.adjacency(0) + batch.adjacency(DestinationBatch.SIZE - 1);
        }
        return sum;
    }

    private long passOneByOne(final Ipv6Fib fib)
    {
        long sum = 0;
        for (int i = 0; i < SAMPLE; i++)
        {
            sum += fib.lookup(highs[i], lows[i]);
        }
        return sum;
    }

    /** Replaces every second address by one that reveals errors: just before a random route, or just after it. */
    private void moveToBoundaries()
    {
        for (int i = 0; i < CHECKED; i += 2)
        {
            final Ipv6Prefix prefix = table.prefix(random.nextInt(table.size()));
            final boolean after = random.nextBoolean();
            final long high = after ? prefix.high() | ~Ipv6Address.maskHigh(prefix.length()) : prefix.high();
            final long low = after ? prefix.low() | ~Ipv6Address.maskLow(prefix.length()) : prefix.low();
            final int step = after ? 1 : -1;
            lows[i] = low + step;
            // The carry: from all ones upwards, from zero downwards.
            highs[i] = low == (after ? -1 : 0) ? high + step : high;
        }
    }

    private void measurePeers()
    {
        if (!ChildProcess.isInstalled(DpdkTestFib.PROGRAM))
        {
            result.peersMissing = DpdkTestFib.PROGRAM + " is not installed: apt-get install dpdk-dev";
            return;
        }
        try (TemporaryDirectory folder = TemporaryDirectory.create("fib"))
        {
            final int[] adjacencies = adjacenciesOf(table);
            final DpdkTestFib peer =
                new DpdkTestFib(folder.path(), table, index -> adjacencies[index], reference, highs, lows);
            result.peers = peer.measure();
            if (!result.peers.containsKey("rte_lpm6"))
            {
                result.peersMissing = DpdkTestFib.PROGRAM + " ended with: " + peer.lastOutput();
            }
        }
        catch (final IOException ex)
        {
            throw new UserException("temporary folder: " + ex.getMessage());
        }
    }

    /** Measures the changes, each pass from the table before them; afterwards they are applied. */
    private void replay(final Ipv6Fib fib)
    {
        final int[] adjacencies = adjacenciesOf(changes);
        final int[] before = new int[changes.size()];
        Arrays.setAll(before, i ->
            fib.exact(changes.prefix(i).high(), changes.prefix(i).low(), changes.prefix(i).length()));
        result.updateCount = changes.size();
        result.updateRate = UpdateRate.median(
            changes.size(), () -> apply(fib, changes, before), () -> apply(fib, changes, adjacencies));
        applyToReference(changes, adjacencies);
    }

    private int[] adjacenciesOf(final Ipv6RouteList routes)
    {
        final int[] adjacencies = new int[routes.size()];
        for (int i = 0; i < adjacencies.length; i++)
        {
            if (!routes.isWithdrawal(i))
            {
                adjacencies[i] = 1 + numberOf(routes, i);
            }
        }
        return adjacencies;
    }

    private int numberOf(final Ipv6RouteList routes, final int index)
    {
        final Ipv6Address nextHop = routes.nextHop(index);
        final int hash = routes.prefix(index).hashCode() >>> 4 & 0xFFFF;
        if (nextHop.equals(Ipv6RouteList.NO_NEXT_HOP))
        {
            return hash % (wantedNextHops == NextHopNumbering.AS_THEY_ARE ?
                RouteTableGenerator.DEFAULT_NEXT_HOPS : wantedNextHops);
        }
        final int number = numbers.computeIfAbsent(nextHop, ignore -> numbers.size());
        return wantedNextHops == NextHopNumbering.AS_THEY_ARE ? number : (number + hash) % wantedNextHops;
    }

    private static void apply(final Ipv6Fib fib, final Ipv6RouteList routes, final int[] adjacencies)
    {
        for (int i = 0; i < adjacencies.length; i++)
        {
            final Ipv6Prefix prefix = routes.prefix(i);
            if (adjacencies[i] == 0)
            {
                fib.withdraw(prefix.high(), prefix.low(), prefix.length());
            }
            else
            {
                fib.announce(prefix.high(), prefix.low(), prefix.length(), adjacencies[i]);
            }
        }
    }

    private void applyToReference(final Ipv6RouteList routes, final int[] adjacencies)
    {
        for (int i = 0; i < adjacencies.length; i++)
        {
            reference.change(routes.prefix(i), adjacencies[i]);
        }
    }

    private void check(final Ipv6Fib fib, final DestinationBatch batch)
    {
        for (int from = 0; from < CHECKED; from += DestinationBatch.SIZE)
        {
            batch.lookup(fib, highs, lows, from);
            for (int i = from; i < from + DestinationBatch.SIZE; i++)
            {
                final int expected = reference.lookup(highs[i], lows[i]);
                if (batch.adjacency(i - from) != expected || fib.lookup(highs[i], lows[i]) != expected)
                {
                    result.wrong++;
                }
            }
        }
        result.checked += CHECKED;
    }
}
