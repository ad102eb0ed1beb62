package org.fibnuma.fibnic.fib;

import org.fibnuma.core.Require;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertNull;

/**
 * Two threads look up while routes change: whatever they get was right at some moment of the lookup.
 * <p>
 * The writer says before each change that it has started and after it that it is done. A reader takes the number of
 * changes done before its lookup and of those started after it; the answer must be right after some number of changes
 * between the two. {@link ChangeScript} knows all of these in advance.
 */
@Tag("stress")
class Ipv4FibStressTest
{
    private static final int READERS = 2;
    private static final int BATCH = 64;
    private static final int WATCHED = 2048;
    private static final int CHANGES_PER_PHASE = 5_000;

    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private volatile int started;
    private volatile int done;
    private volatile boolean finished;
    private volatile String violation;

    @Test
    void shouldNeverYieldAWrongNextHopWhileTheTraceOf2016IsReplayed() throws InterruptedException
    {
        final RouteList trace = RouteTableReader.ofAllPeers().read(Require.sharedData("bgp/updates-20160811.txt.gz"));
        final Map<Integer, Integer> adjacencyOfNextHop = new HashMap<>();
        final List<ChangeScript.Change> changes = new ArrayList<>();
        for (int pass = 0; pass < 6; pass++)
        {
            for (int i = 0; i < trace.size(); i++)
            {
                final Ipv4Prefix prefix = new Ipv4Prefix(trace.prefix(i), trace.length(i));
                // Other next hops in each pass, so that codes change their meaning and at last widen.
                final int adjacency = 1 + 5 * pass * pass + adjacencyOfNextHop.computeIfAbsent(
                    trace.nextHop(i), nextHop -> adjacencyOfNextHop.size()) % (2 + 10 * pass);
                changes.add(new ChangeScript.Change(prefix, trace.isWithdrawal(i) ? 0 : adjacency));
            }
        }
        run(new ChangeScript(changes, addressesIn(changes, new Random(1))));
    }

    @Test
    void shouldNeverYieldAWrongNextHopWhileNestedRoutesFlap() throws InterruptedException
    {
        final Random random = new Random(2);
        final int[] nextHopCounts = {2, 3, 15, 3, 16, 255, 2, 300, 14, 3, 2, 15};
        final List<ChangeScript.Change> changes = new ArrayList<>();
        for (final int nextHops : nextHopCounts)
        {
            for (int i = 0; i < CHANGES_PER_PHASE; i++)
            {
                final int address = Ipv4Address.parse("10.0.0.0") | random.nextInt() & 0x3_0703;
                // Shorter than /12 is left to other tests: a /0 repaints for longer than all the rest together.
                final Ipv4Prefix prefix = Ipv4Prefix.of(address, 12 + random.nextInt(21));
                changes.add(new ChangeScript.Change(prefix, Math.max(0, random.nextInt(2 * nextHops) - nextHops + 1)));
            }
        }
        run(new ChangeScript(changes, addressesIn(changes, random)));
    }

    private static int[] addressesIn(final List<ChangeScript.Change> changes, final Random random)
    {
        return IntStream.range(0, WATCHED).map(i ->
        {
            final Ipv4Prefix prefix = changes.get(random.nextInt(changes.size())).prefix();
            return prefix.address() | random.nextInt() & ~Ipv4Address.mask(prefix.length());
        }).toArray();
    }

    private void run(final ChangeScript script) throws InterruptedException
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
        fib.close();
    }

    private void write(final ChangeScript script)
    {
        for (int i = 0; i < script.changes().size() && violation == null; i++)
        {
            final ChangeScript.Change change = script.changes().get(i);
            final Ipv4Prefix prefix = change.prefix();
            started = i + 1;
            if (change.adjacency() == 0)
            {
                fib.withdraw(prefix.address(), prefix.length());
            }
            else
            {
                fib.announce(prefix.address(), prefix.length(), change.adjacency());
            }
            done = i + 1;
            if (i % CHANGES_PER_PHASE == CHANGES_PER_PHASE - 1)
            {
                fib.compact();
            }
            if (i % 64 == 0)
            {
                Thread.yield();
            }
        }
    }

    private void look(final ChangeScript script, final ReaderEpochs.Reader reader, final Random random)
    {
        final int[] watched = script.watched();
        final int[] indexes = new int[BATCH];
        final int[] destinations = new int[BATCH];
        final int[] adjacencies = new int[BATCH];
        final BatchLookup batches = new BatchLookup();
        while (!finished && violation == null)
        {
            for (int i = 0; i < BATCH; i++)
            {
                indexes[i] = random.nextInt(watched.length);
                destinations[i] = watched[indexes[i]];
            }
            final int first = done;
            if (random.nextBoolean())
            {
                batches.lookup(fib, destinations, adjacencies, BATCH);
            }
            else
            {
                for (int i = 0; i < BATCH; i++)
                {
                    adjacencies[i] = fib.lookup(destinations[i]);
                }
            }
            final int last = started;
            for (int i = 0; i < BATCH; i++)
            {
                if (!script.wasRight(indexes[i], adjacencies[i], first, last))
                {
                    violation = Ipv4Address.format(destinations[i]) + " led to " + adjacencies[i] +
                        ", which was right after none of " + first + " to " + last + " changes";
                }
            }
            reader.quiesce();
        }
        batches.close();
        reader.close();
    }
}
