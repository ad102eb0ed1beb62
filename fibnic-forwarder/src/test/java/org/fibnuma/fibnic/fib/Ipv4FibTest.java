package org.fibnuma.fibnic.fib;

import com.sun.management.ThreadMXBean;
import org.agrona.CloseHelper;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.management.ManagementFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class Ipv4FibTest
{
    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private ReaderEpochs.Reader stalled;
    private final BatchLookup batches = new BatchLookup();

    @AfterEach
    void close()
    {
        batches.close();
        CloseHelper.closeAll(stalled, fib);
    }

    @Test
    void shouldHaveNoRouteAtTheStart()
    {
        assertEquals(0, fib.lookup(0));
        assertEquals(0, fib.lookup(-1));
        assertEquals(0, fib.size());
        assertEquals(2, fib.codeBits());
        assertEquals(4 << 20, fib.tableBytes());
    }

    @Test
    void shouldUncoverTheShorterRouteWhenTheLongerGoes()
    {
        announce("10.0.0.0/8", 1);
        announce("10.1.0.0/16", 2);
        announce("10.1.16.0/20", 3);
        announce("10.1.16.128/25", 4);
        assertLookup("10.1.16.200", 4);

        withdraw("10.1.16.0/20");
        assertLookup("10.1.16.200", 4);
        assertLookup("10.1.16.1", 2);
        withdraw("10.1.16.128/25");
        assertLookup("10.1.16.200", 2);
        withdraw("10.1.0.0/16");
        assertLookup("10.1.16.200", 1);
        withdraw("10.0.0.0/8");
        assertLookup("10.1.16.200", 0);
    }

    @Test
    void shouldGiveTheShorterRouteToTheGapsBelowIt()
    {
        announce("192.0.2.64/26", 1);
        announce("192.0.2.0/24", 2);

        assertLookup("192.0.2.63", 2);
        assertLookup("192.0.2.64", 1);
        assertLookup("192.0.2.127", 1);
        assertLookup("192.0.2.128", 2);
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 2", "3, 2", "4, 4", "14, 4", "15, 4", "16, 8", "254, 8", "255, 8", "256, 16", "300, 16"})
    void shouldChooseTheNarrowestCodes(final int nextHops, final int codeBits)
    {
        announce("192.0.2.128/25", 65_000);
        for (int adjacency = 1; adjacency <= nextHops; adjacency++)
        {
            fib.announce(adjacency << 8, 24, adjacency);
        }

        assertEquals(codeBits, fib.codeBits());
        assertEquals(codeBits << 21, fib.tableBytes());
        for (int adjacency = 1; adjacency <= nextHops; adjacency++)
        {
            assertEquals(adjacency, fib.lookup(adjacency << 8 | 77));
        }
        assertLookup("192.0.2.129", 65_000);
        assertLookup("192.0.2.1", 0);
    }

    @Test
    void shouldNotSpendCodesOnRoutesLongerThan24()
    {
        for (int i = 0; i < 1000; i++)
        {
            fib.announce(Ipv4Address.parse("198.51.100.0") + (i << 6), 26 + i % 7, 1 + i);
        }

        assertEquals(2, fib.codeBits());
        assertEquals(1000, fib.lookup(Ipv4Address.parse("198.51.100.0") + (999 << 6)));
    }

    @Test
    void shouldNarrowWhenAskedTo()
    {
        for (int adjacency = 1; adjacency <= 300; adjacency++)
        {
            fib.announce(adjacency << 8, 24, adjacency);
        }
        for (int adjacency = 3; adjacency <= 300; adjacency++)
        {
            fib.withdraw(adjacency << 8, 24);
        }
        assertEquals(16, fib.codeBits());

        fib.compact();

        assertEquals(2, fib.codeBits());
        assertEquals(2, fib.lookup(2 << 8));
        assertEquals(0, fib.lookup(3 << 8));
    }

    @Test
    void shouldTakeTheHighestAdjacencyAndRefuseWhatIsOutOfRange()
    {
        announce("0.0.0.0/0", Ipv4Fib.MAX_ADJACENCY);
        assertLookup("203.0.113.1", Ipv4Fib.MAX_ADJACENCY);

        assertThrows(IllegalArgumentException.class, () -> fib.announce(0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> fib.announce(0, 0, Ipv4Fib.MAX_ADJACENCY + 1));
        assertThrows(IllegalArgumentException.class, () -> fib.announce(1, 24, 1));
        assertThrows(IllegalArgumentException.class, () -> fib.announce(0, 33, 1));
        assertThrows(IllegalArgumentException.class, () -> fib.withdraw(0, -1));
        assertEquals(1, fib.size());
    }

    @Test
    void shouldSayWhetherThereWasARouteToWithdraw()
    {
        announce("10.0.0.0/8", 1);

        assertFalse(fib.withdraw(Ipv4Address.parse("10.0.0.0"), 9));
        assertFalse(fib.withdraw(Ipv4Address.parse("10.0.0.0"), 32));
        assertTrue(fib.withdraw(Ipv4Address.parse("10.0.0.0"), 8));
        assertFalse(fib.withdraw(Ipv4Address.parse("10.0.0.0"), 8));
    }

    @Test
    void shouldAnswerForNoRouteWhileABlockWaitsForReaders()
    {
        // Three next hops share code 0 between "no route" and "longer prefixes below".
        fib.announce(1 << 8, 24, 1);
        fib.announce(2 << 8, 24, 2);
        fib.announce(3 << 8, 24, 3);
        stalled = epochs.register();
        announce("192.0.2.0/24", 1);
        announce("192.0.2.128/25", 9);
        withdraw("192.0.2.128/25");
        assertLookup("192.0.2.129", 1);

        withdraw("192.0.2.0/24");

        assertEquals(2, fib.codeBits());
        assertLookup("192.0.2.129", 0);
        assertLookup("192.0.2.1", 0);
    }

    @Test
    void shouldAnswerForNoRouteWhereARetiredBlockMeetsCodesThatAreShared()
    {
        fib.announce(1 << 8, 24, 1);
        fib.announce(2 << 8, 24, 2);
        stalled = epochs.register();
        announce("192.0.2.0/24", 1);
        announce("192.0.2.128/25", 9);
        withdraw("192.0.2.128/25");
        withdraw("192.0.2.0/24");
        assertLookup("192.0.2.1", 0);

        fib.announce(3 << 8, 24, 3);

        assertEquals(2, fib.codeBits());
        assertLookup("192.0.2.1", 0);
        assertLookup("192.0.2.129", 0);
    }

    @Test
    void shouldNotFreeWhatAReaderMayStillRead() throws InterruptedException
    {
        announce("192.0.2.0/24", 1);
        stalled = epochs.register();
        final Thread closing = new Thread(fib::close);
        closing.start();
        while (closing.getState() != Thread.State.TIMED_WAITING)
        {
            assertTrue(closing.isAlive(), "closed under a reader");
            Thread.onSpinWait();
        }
        assertThrows(IllegalStateException.class, epochs::register, "a reader came in while the table was closed");
        assertLookup("192.0.2.1", 1);

        stalled.close();

        closing.join();
    }

    @Test
    void shouldAllocateNothingInLookups()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        announce("10.0.0.0/8", 1);
        announce("10.0.0.128/25", 2);
        final int[] destinations = new int[64];
        final int[] adjacencies = new int[64];
        for (int i = 0; i < destinations.length; i++)
        {
            destinations[i] = Ipv4Address.parse("10.0.0.100") + i;
        }
        // The JVM itself allocates until everything on the way is linked and compiled.
        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 20 && allocated != 0; attempt++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            lookUp(destinations, adjacencies, 10_000);
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }

        assertEquals(0, allocated);
        assertEquals(2, adjacencies[63]);
    }

    private void lookUp(final int[] destinations, final int[] adjacencies, final int times)
    {
        for (int i = 0; i < times; i++)
        {
            batches.lookup(fib, destinations, adjacencies, destinations.length);
            adjacencies[0] = fib.lookup(destinations[i & 63]);
        }
    }

    private void announce(final String prefix, final int adjacency)
    {
        final Ipv4Prefix parsed = Ipv4Prefix.parse(prefix);
        fib.announce(parsed.address(), parsed.length(), adjacency);
    }

    private void withdraw(final String prefix)
    {
        final Ipv4Prefix parsed = Ipv4Prefix.parse(prefix);
        assertTrue(fib.withdraw(parsed.address(), parsed.length()));
    }

    private void assertLookup(final String destination, final int adjacency)
    {
        assertEquals(adjacency, fib.lookup(Ipv4Address.parse(destination)), destination);
    }
}
