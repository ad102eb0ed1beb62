package org.fibnuma.fibnic.fib;

import org.fibnuma.core.Require;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;
import org.fibnuma.fibnic.routes.Ipv6RouteList;
import org.fibnuma.fibnic.routes.RouteTableReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two threads look up while IPv6 routes change: each result was right at some moment of the lookup.
 * <p>
 * The writer stores before each change that it has started and after it that it is done. A reader takes the number of
 * changes done before its lookup and of those started after it; the result must be right after some number of changes
 * between the two. {@link ChangeScript6} has all of these in advance.
 */
@Tag("stress")
class Ipv6FibStressTest
{
    private static final int READERS = 2;
    private static final int BATCH = 64;
    private static final int WATCHED = 1024;
    private static final int NESTED_CHANGES = 60_000;

    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv6Fib fib = new Ipv6Fib(epochs);
    private volatile int started;
    private volatile int done;
    private volatile boolean finished;
    private volatile String violation;

    @Test
    void shouldNeverYieldAWrongNextHopWhileTheTraceOf2016IsReplayed() throws InterruptedException
    {
        final Ipv6RouteList trace =
            RouteTableReader.ofAllPeers().readIpv6(Require.sharedData("bgp/updates-20160811.txt.gz"));
        final Map<Ipv6Address, Integer> adjacencyOfNextHop = new HashMap<>();
        final List<ChangeScript6.Change> changes = new ArrayList<>();
        for (int pass = 0; pass < 3; pass++)
        {
            for (int i = 0; i < trace.size(); i++)
            {
                final int adjacency = 1 + 100 * pass + adjacencyOfNextHop.computeIfAbsent(
                    trace.nextHop(i), nextHop -> adjacencyOfNextHop.size());
                changes.add(new ChangeScript6.Change(trace.prefix(i), trace.isWithdrawal(i) ? 0 : adjacency));
            }
            // A pass begins with an empty table, so that nodes come and go.
            final int from = changes.size() - trace.size();
            for (int i = from; i < from + trace.size(); i++)
            {
                changes.add(new ChangeScript6.Change(changes.get(i).prefix(), 0));
            }
        }
        run(new ChangeScript6(changes, addressesIn(changes, new Random(1))));
    }

    @Test
    void shouldNeverYieldAWrongNextHopWhileNestedRoutesFlap() throws InterruptedException
    {
        final Random random = new Random(2);
        final long base = Ipv6Address.parse("2001:db8::").high();
        final List<ChangeScript6.Change> changes = new ArrayList<>();
        for (int i = 0; i < NESTED_CHANGES; i++)
        {
            final long high = base | random.nextLong() & 0x0101_0301_0000L;
            final Ipv6Prefix prefix = Ipv6Prefix.of(high, random.nextLong() & 3, 20 + random.nextInt(109));
            changes.add(new ChangeScript6.Change(prefix, Math.max(0, random.nextInt(20) - 9)));
        }
        run(new ChangeScript6(changes, addressesIn(changes, random)));
    }

    private static Ipv6Address[] addressesIn(final List<ChangeScript6.Change> changes, final Random random)
    {
        final Ipv6Address[] addresses = new Ipv6Address[WATCHED];
        for (int i = 0; i < WATCHED; i++)
        {
            final Ipv6Prefix prefix = changes.get(random.nextInt(changes.size())).prefix();
            addresses[i] = new Ipv6Address(
                prefix.high() | random.nextLong() & ~Ipv6Address.maskHigh(prefix.length()),
                prefix.low() | random.nextLong() & ~Ipv6Address.maskLow(prefix.length()));
        }
        return addresses;
    }

    private void run(final ChangeScript6 script) throws InterruptedException
    {
        final List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++)
        {
            final ReaderEpochs.Reader reader = epochs.register();
            final Random random = new Random(i);
            final Thread thread = new Thread(() -> look(script, reader, random));
            thread.setUncaughtExceptionHandler((ignore, ex) -> violation = ex.toString());
            readers.add(thread);
        }
        readers.forEach(Thread::start);
        try
        {
            write(script);
        }
        finally
        {
            finished = true;
        }
        for (final Thread reader : readers)
        {
            reader.join();
        }
        assertNull(violation);
        epochs.reclaim();
        assertTrue(epochs.pending() == 0, epochs.pending() + " things are not freed");
        fib.close();
    }

    private void write(final ChangeScript6 script)
    {
        for (int i = 0; i < script.changes().size() && violation == null; i++)
        {
            final ChangeScript6.Change change = script.changes().get(i);
            final Ipv6Prefix prefix = change.prefix();
            started = i + 1;
            if (change.adjacency() == 0)
            {
                fib.withdraw(prefix.high(), prefix.low(), prefix.length());
            }
            else
            {
                fib.announce(prefix.high(), prefix.low(), prefix.length(), change.adjacency());
            }
            done = i + 1;
            if (i % 64 == 0)
            {
                Thread.yield();
            }
        }
    }

    private void look(final ChangeScript6 script, final ReaderEpochs.Reader reader, final Random random)
    {
        final Ipv6Address[] watched = script.watched();
        final int[] indexes = new int[BATCH];
        final long[] highs = new long[BATCH];
        final long[] lows = new long[BATCH];
        final int[] adjacencies = new int[BATCH];
        final BatchLookup6 batches = new BatchLookup6();
        while (!finished && violation == null)
        {
            for (int i = 0; i < BATCH; i++)
            {
                indexes[i] = random.nextInt(watched.length);
                highs[i] = watched[indexes[i]].high();
                lows[i] = watched[indexes[i]].low();
            }
            final int first = done;
            if (random.nextBoolean())
            {
                batches.lookup(fib, highs, lows, adjacencies, BATCH);
            }
            else
            {
                for (int i = 0; i < BATCH; i++)
                {
                    adjacencies[i] = fib.lookup(highs[i], lows[i]);
                }
            }
            final int last = started;
            for (int i = 0; i < BATCH; i++)
            {
                if (!script.wasRight(indexes[i], adjacencies[i], first, last))
                {
                    violation = watched[indexes[i]] + " led to " + adjacencies[i] +
                        ", which was right after none of " + first + " to " + last + " changes";
                }
            }
            reader.quiesce();
        }
        batches.close();
        reader.close();
    }
}
