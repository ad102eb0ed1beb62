package org.fibnuma.fibnic.control;

import org.agrona.concurrent.CachedEpochClock;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.RouteFeed;
import org.fibnuma.core.kernel.RouteFeedListener;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.LoggedLines;
import org.fibnuma.fibnic.rib.RoutingTables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** When routes that the daemon does not hand over again are removed. */
class RouteFeedFollowerTest
{
    private static final int STALE_SECONDS = 10;
    private static final long STALE_MS = 10_000;

    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private final Ipv6Fib ipv6Fib = new Ipv6Fib(epochs);
    private final RoutingTables tables = new RoutingTables(
        List.of(), new LinkTable(new int[]{ 1 }),
        new RoutingTables.Shared(fib, ipv6Fib, new AdjacencyTable(), new InterfaceTable(1), epochs));
    private final ScriptedFeed feed = new ScriptedFeed();
    private final CachedEpochClock clock = new CachedEpochClock();
    private final RouteFeedFollower follower =
        new RouteFeedFollower(feed, tables.handedRoutes(), STALE_SECONDS, clock);

    @AfterEach
    void close()
    {
        fib.close();
        ipv6Fib.close();
    }

    @Test
    void shouldKeepRoutesWhileNoDaemonIsConnected()
    {
        happens(daemon -> daemon.onConnect("a"), add("192.0.2.0"), daemon -> daemon.onDisconnect("killed"));
        passes(100 * STALE_MS);
        assertEquals(1, tables.routeCount(false));
    }

    @Test
    void shouldRemoveRoutesThatAreNotHandedOverAgain()
    {
        happens(daemon -> daemon.onConnect("a"), add("192.0.2.0"), add("198.51.100.0"),
            daemon -> daemon.onDisconnect("killed"), daemon -> daemon.onConnect("b"), add("192.0.2.0"));
        passes(STALE_MS - 1);
        assertEquals(2, tables.routeCount(false));
        passes(1);
        assertEquals(1, tables.routeCount(false));
    }

    /** Only what makes progress of the replay counts: a peer that flaps does not keep stale routes alive. */
    @Test
    void shouldWaitForTheLastStaleRouteAndForNoOtherChange()
    {
        happens(daemon -> daemon.onConnect("a"), add("192.0.2.0"), add("198.51.100.0"), add("203.0.113.0"),
            daemon -> daemon.onDisconnect("killed"), daemon -> daemon.onConnect("b"), add("192.0.2.0"));
        passes(STALE_MS - 1);
        happens(add("198.51.100.0"));
        passes(STALE_MS - 1);
        happens(add("192.0.2.0"), add("198.18.0.0"));
        assertEquals(4, tables.routeCount(false));
        passes(1);
        assertEquals(3, tables.routeCount(false));
    }

    @Test
    void shouldNotSweepAfterTheDaemonIsGoneAgain()
    {
        happens(daemon -> daemon.onConnect("a"), add("192.0.2.0"), daemon -> daemon.onDisconnect("killed"),
            daemon -> daemon.onConnect("b"), daemon -> daemon.onDisconnect("killed"));
        passes(100 * STALE_MS);
        assertEquals(1, tables.routeCount(false));
    }

    /** A table may have one such message for each route. */
    @Test
    void shouldLogSkippedMessagesOnceAMinuteAndGoOn()
    {
        final List<String> log = LoggedLines.of(RouteFeedFollower.class, () ->
        {
            happens(daemon -> daemon.onSkip("first"), daemon -> daemon.onSkip("second"), add("192.0.2.0"),
                daemon -> daemon.onSkip("third"));
            passes(59_999);
            passes(1);
            passes(60_000);
        });
        assertEquals(List.of(
            "fpm: skipped messages that cannot be applied: 1, the last because first; all others are applied",
            "fpm: skipped messages that cannot be applied: 2, the last because third; all others are applied"), log);
        assertEquals(3, follower.skipped());
        assertEquals(1, tables.routeCount(false));
    }

    private static Event add(final String network)
    {
        return daemon -> daemon.onRoute(new KernelRoute(Ipv4Address.parse(network), 24, KernelRoute.TABLE_MAIN, 20,
            KernelRoute.Kind.BLACKHOLE, 0, 0), 0, true);
    }

    private void happens(final Event... events)
    {
        feed.events.addAll(List.of(events));
        poll();
    }

    private void passes(final long ms)
    {
        clock.advance(ms);
        poll();
    }

    private void poll()
    {
        int work;
        do
        {
            work = follower.poll();
        }
        while (work > 0);
    }

    private interface Event extends Consumer<RouteFeedListener>
    {
    }

    private static final class ScriptedFeed implements RouteFeed
    {
        private final Queue<Event> events = new ArrayDeque<>();

        @Override
        public int poll(final RouteFeedListener listener)
        {
            final Event event = events.poll();
            if (event == null)
            {
                return 0;
            }
            event.accept(listener);
            return 1;
        }

        @Override
        public void close()
        {
        }
    }
}
