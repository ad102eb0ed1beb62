package org.fibnuma.fibnic.fib;

import com.sun.management.ThreadMXBean;
import org.agrona.CloseHelper;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class Ipv6FibTest
{
    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv6Fib fib = new Ipv6Fib(epochs);
    private final BatchLookup6 batches = new BatchLookup6();
    private ReaderEpochs.Reader reader;

    @AfterEach
    void close()
    {
        batches.close();
        CloseHelper.closeAll(reader, fib);
    }

    @Test
    void shouldHaveNoRouteAtTheStart()
    {
        assertEquals(0, fib.lookup(0, 0));
        assertEquals(0, fib.lookup(-1, -1));
        assertEquals(0, fib.size());
        assertTrue(fib.tableBytes() <= 1 << 16);
    }

    @Test
    void shouldUncoverTheShorterRouteWhenTheLongerGoes()
    {
        announce("::/0", 9);
        announce("2001:d00::/24", 1);
        announce("2001:db8::/32", 2);
        announce("2001:db8:0:40::/58", 3);
        announce("2001:db8:0:40::1/128", 4);
        assertLookup("2001:db8:0:40::1", 4);
        assertLookup("2001:db8:0:40::2", 3);

        withdraw("2001:db8:0:40::/58");
        assertLookup("2001:db8:0:40::1", 4);
        assertLookup("2001:db8:0:40::2", 2);
        withdraw("2001:db8:0:40::1/128");
        assertLookup("2001:db8:0:40::1", 2);
        withdraw("2001:db8::/32");
        assertLookup("2001:db8:0:40::1", 1);
        withdraw("2001:d00::/24");
        assertLookup("2001:db8:0:40::1", 9);
        withdraw("::/0");
        assertLookup("2001:db8:0:40::1", 0);
        assertEquals(0, fib.size());
    }

    @Test
    void shouldGiveAShorterRouteToTheGapsBelowIt()
    {
        announce("2001:db8:0:4000::/50", 1);
        announce("2001:db8::/48", 2);

        assertLookup("2001:db8:0:3fff:ffff:ffff:ffff:ffff", 2);
        assertLookup("2001:db8:0:4000::", 1);
        assertLookup("2001:db8:0:7fff:ffff:ffff:ffff:ffff", 1);
        assertLookup("2001:db8:0:8000::", 2);
        assertLookup("2001:db8:1::", 0);
    }

    @Test
    void shouldCoverTheWholeAddressSpaceWithADefaultRoute()
    {
        announce("2001:db8::/32", 1);
        announce("fe80::/10", 2);
        announce("::/0", 3);

        assertLookup("::1", 3);
        assertLookup("2001:db8::1", 1);
        assertLookup("2001:db9::1", 3);
        assertLookup("fe80::1", 2);
        assertLookup("ff02::1", 3);
        assertLookup("8000::", 3);
    }

    @Test
    void shouldPassEveryPrefixToTheConsumerOnce()
    {
        final String[] prefixes =
            {"::/0", "2000::/3", "2001:d00::/24", "2001:d80::/25", "2001:db8::/32",
                "2001:db8::/64", "2001:db8::/65", "2001:db8::1/128", "ff00::/8"};
        final LinearLpm6 expected = new LinearLpm6();
        for (int i = 0; i < prefixes.length; i++)
        {
            announce(prefixes[i], 1 + i);
            expected.routes().put(Ipv6Prefix.parse(prefixes[i]), 1 + i);
        }

        int position = 0;
        while (position != Ipv6Fib.END)
        {
            position = fib.forEachFrom(position, 2, (high, low, length, adjacency) -> assertEquals(
                adjacency, expected.routes().remove(new Ipv6Prefix(high, low, length)), () -> "" + length));
        }

        assertEquals(0, expected.routes().size());
    }

    @Test
    void shouldTakeTheHighestAdjacencyAndRefuseWhatIsOutOfRange()
    {
        announce("::/0", Ipv4Fib.MAX_ADJACENCY);
        announce("2001:db8::1/128", Ipv4Fib.MAX_ADJACENCY);
        assertLookup("2001:db8::1", Ipv4Fib.MAX_ADJACENCY);
        assertLookup("2001:db8::2", Ipv4Fib.MAX_ADJACENCY);

        assertThrows(IllegalArgumentException.class, () -> fib.announce(0, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> fib.announce(0, 0, 0, Ipv4Fib.MAX_ADJACENCY + 1));
        assertThrows(IllegalArgumentException.class, () -> fib.announce(1, 0, 63, 1));
        assertThrows(IllegalArgumentException.class, () -> fib.announce(0, 1, 127, 1));
        assertThrows(IllegalArgumentException.class, () -> fib.announce(0, 0, 129, 1));
        assertThrows(IllegalArgumentException.class, () -> fib.withdraw(0, 0, -1));
        assertEquals(2, fib.size());
    }

    @Test
    void shouldReturnWhetherThereWasARouteToWithdraw()
    {
        final Ipv6Prefix prefix = Ipv6Prefix.parse("2001:db8::/32");
        announce("2001:db8::/32", 1);

        assertFalse(fib.withdraw(prefix.high(), 0, 33));
        assertFalse(fib.withdraw(prefix.high(), 0, 128));
        assertTrue(fib.withdraw(prefix.high(), 0, 32));
        assertFalse(fib.withdraw(prefix.high(), 0, 32));
    }

    @Test
    void shouldNotFreeWhatAReaderMayStillRead() throws InterruptedException
    {
        announce("2001:db8::/48", 1);
        reader = epochs.register();
        final Thread closing = new Thread(fib::close);
        closing.start();
        while (closing.getState() != Thread.State.TIMED_WAITING)
        {
            assertTrue(closing.isAlive(), "closed although a reader is registered");
            Thread.onSpinWait();
        }
        assertLookup("2001:db8::1", 1);

        reader.close();

        closing.join();
    }

    @Test
    void shouldKeepANodeForAReaderThatDoesNotReport()
    {
        announce("2001:db8::/48", 7);
        reader = epochs.register();
        epochs.reclaim();
        assertEquals(0, epochs.pending());

        withdraw("2001:db8::/48");

        epochs.reclaim();
        assertEquals(1, epochs.pending());
        reader.quiesce();
        epochs.reclaim();
        assertEquals(0, epochs.pending());
    }

    @Test
    void shouldUseMemoryAgainWhenReadersKeepUp()
    {
        reader = epochs.register();
        final long table = bytesAfterFlaps(500);
        final long prefixes = fib.prefixBytes();

        assertEquals(table, bytesAfterFlaps(50_000));
        assertEquals(prefixes, fib.prefixBytes());
        assertTrue(epochs.pending() <= 2);
    }

    private long bytesAfterFlaps(final int flaps)
    {
        final long base = Ipv6Address.parse("2001:db8::").high();
        for (int i = 0; i < flaps; i++)
        {
            // Another place each time and several depths.
            final long high = base + ((long)(i % 997) << 20);
            final int length = 44 + i % 85;
            fib.announce(high, 0, length, 1 + i % 100);
            assertEquals(1 + i % 100, fib.lookup(high, 0));
            fib.withdraw(high, 0, length);
            assertEquals(0, fib.lookup(high, 0));
            reader.quiesce();
        }
        return fib.tableBytes();
    }

    @Test
    void shouldAllocateNothingInLookups()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        announce("2001:db8::/32", 1);
        announce("2001:db8::80/121", 2);
        final long[] highs = new long[64];
        final long[] lows = new long[64];
        final int[] adjacencies = new int[64];
        for (int i = 0; i < highs.length; i++)
        {
            highs[i] = Ipv6Address.parse("2001:db8::").high();
            lows[i] = 100 + i;
        }
        // The JVM itself allocates until everything on the way is linked and compiled.
        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 20 && allocated != 0; attempt++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10_000; i++)
            {
                batches.lookup(fib, highs, lows, adjacencies, highs.length);
                adjacencies[0] = fib.lookup(highs[i & 63], lows[i & 63]);
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }

        assertEquals(0, allocated);
        assertEquals(2, adjacencies[63]);
        assertEquals(1, adjacencies[1]);
    }

    private void announce(final String prefix, final int adjacency)
    {
        final Ipv6Prefix parsed = Ipv6Prefix.parse(prefix);
        fib.announce(parsed.high(), parsed.low(), parsed.length(), adjacency);
    }

    private void withdraw(final String prefix)
    {
        final Ipv6Prefix parsed = Ipv6Prefix.parse(prefix);
        assertTrue(fib.withdraw(parsed.high(), parsed.low(), parsed.length()));
    }

    private void assertLookup(final String destination, final int adjacency)
    {
        final Ipv6Address address = Ipv6Address.parse(destination);
        assertEquals(adjacency, fib.lookup(address.high(), address.low()), destination);
    }
}
