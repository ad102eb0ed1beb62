package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A table whose adjacency indexes are enough for the shared ones and two more. */
class NextHopTableTest
{
    private static final int PORT_INTERFACE = 5;
    private static final int OTHER_INTERFACE = 6;
    private static final int SHARED = 7;

    private final ReaderEpochs epochs = new ReaderEpochs();
    private final AdjacencyTable adjacencies = new AdjacencyTable();
    private final LinkTable links = new LinkTable(new int[]{ PORT_INTERFACE });
    private final NextHopTable nextHops = new NextHopTable(
        links, new NeighborTable(), adjacencies, new AdjacencyIndexes(epochs, 1 + SHARED + 2));

    @BeforeEach
    void connect()
    {
        links.put(new KernelLink(PORT_INTERFACE, "r0", 0x0200_0000_0001L, 1500, true));
    }

    @Test
    void shouldShareOneNextHopAndCountReferences()
    {
        final NextHop first = acquire(via(1));
        assertSame(first, acquire(via(1)));

        nextHops.release(first);
        assertSame(first, nextHops.find(NextHop.Key.via(PORT_INTERFACE, via(1))));
        nextHops.release(first);
        assertNull(nextHops.find(NextHop.Key.via(PORT_INTERFACE, via(1))));
    }

    @Test
    void shouldLeaveTheRestToTheKernelWhenIndexesRunOut()
    {
        final NextHop first = acquire(via(1));
        final NextHop second = acquire(via(2));
        final NextHop third = acquire(via(3));

        assertNotEquals(first.adjacency(), second.adjacency());
        assertEquals(AdjacencyKind.UNRESOLVED, adjacencies.get(second.adjacency()).kind());
        assertEquals(AdjacencyKind.KERNEL, adjacencies.get(third.adjacency()).kind());

        nextHops.release(third);
        assertEquals(AdjacencyKind.KERNEL, adjacencies.get(third.adjacency()).kind(), "the shared one stays");
    }

    @Test
    void shouldReuseAnIndexOnlyWhenNoWorkerCanHoldIt()
    {
        final ReaderEpochs.Reader worker = epochs.register();
        final NextHop first = acquire(via(1));
        acquire(via(2));
        nextHops.release(first);
        epochs.reclaim();
        assertEquals(AdjacencyKind.KERNEL, adjacencies.get(acquire(via(3)).adjacency()).kind());

        worker.quiesce();
        epochs.reclaim();
        assertEquals(first.adjacency(), acquire(via(4)).adjacency());
        worker.close();
    }

    @Test
    void shouldShareTheAdjacenciesThatSendNothing()
    {
        final NextHop blackhole =
            nextHops.acquire(new NextHop.Key(KernelRoute.Kind.BLACKHOLE, 0, IpAddress.NONE));
        final NextHop elsewhere =
            nextHops.acquire(NextHop.Key.via(OTHER_INTERFACE, via(1)));

        assertEquals(AdjacencyKind.BLACKHOLE, adjacencies.get(blackhole.adjacency()).kind());
        assertEquals(AdjacencyKind.KERNEL, adjacencies.get(elsewhere.adjacency()).kind());
        assertTrue(blackhole.adjacency() <= SHARED && elsewhere.adjacency() <= SHARED);
    }

    private NextHop acquire(final IpAddress gateway)
    {
        return nextHops.acquire(NextHop.Key.via(PORT_INTERFACE, gateway));
    }

    private static IpAddress via(final int host)
    {
        return IpAddress.of(0x0A00_0000 | host);
    }
}
