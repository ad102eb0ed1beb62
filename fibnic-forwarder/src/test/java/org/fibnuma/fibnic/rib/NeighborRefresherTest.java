package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.fibnuma.fibnic.rib.TestKernel.RIGHT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NeighborRefresherTest
{
    private static final String MAC = "02:00:00:00:00:0a";
    private static final long REFRESH_MS = 30_000;

    private final TestKernel kernel = TestKernel.started();
    private final List<String> asked = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private String refusal;
    private long nowMs = 1;
    private final NeighborRefresher refresher = refresher(kernel);

    @AfterEach
    void close()
    {
        kernel.close();
    }

    @Test
    void shouldAskForAnUnknownGatewayAgainAndAgain()
    {
        kernel.route("unicast", "192.0.2.0/24", "10.0.1.2", RIGHT);

        refresher.poll(1);
        refresher.poll(2);
        refresher.poll(1 + NeighborRequests.FIRST_DELAY_MS);

        assertEquals(List.of("10.0.1.2", "10.0.1.2"), asked);
    }

    /** Doubled times; a member of a group gets no frames that would request it, and is requested every 4 s. */
    @Test
    void shouldAskASilentGatewayLessAndLess()
    {
        kernel.route("unicast", "192.0.2.0/24", "10.0.1.2", RIGHT);
        assertEquals(List.of(0, 1, 3, 7, 15, 31, 63, 123, 183), secondsOfRequests("10.0.1.2", 200));
        assertEquals(1, refresher.unanswered());
        assertEquals(List.of("next hops whose neighbour has not answered 3 requests since the last such line: 1, the " +
            "last 10.0.1.2 on right; they are requested again after 1, 2, 4 ... 60 s; show neighbors lists them"), log);

        kernel.multipath("198.51.100.0/24", null, "10.0.1.3@" + RIGHT + "*1", "10.0.1.4@" + RIGHT + "*1");
        asked.clear();
        assertEquals(List.of(0, 1, 3, 7, 11, 15, 19), secondsOfRequests("10.0.1.3", 20));
    }

    /** What a gateway had to wait before does not count after it has answered, nor after its link was down. */
    @Test
    void shouldAskAGatewayAtOnceThatHasAnsweredOrWhoseLinkIsBack()
    {
        kernel.route("unicast", "192.0.2.0/24", "10.0.1.2", RIGHT);
        secondsOfRequests("10.0.1.2", 64);
        kernel.neighbor(RIGHT, "10.0.1.2", MAC);
        assertTrue(secondsOfRequests("10.0.1.2", 10).size() <= 1, "the one that is spread over the period");
        assertEquals(0, refresher.unanswered());
        kernel.neighborGone(RIGHT, "10.0.1.2");
        assertEquals(List.of(0, 1, 3, 7), secondsOfRequests("10.0.1.2", 10));
        kernel.link(RIGHT, "right", TestKernel.RIGHT_MAC, 1400, false);
        assertEquals(List.of(), secondsOfRequests("10.0.1.2", 10));
        kernel.link(RIGHT, "right", TestKernel.RIGHT_MAC, 1400, true);
        assertEquals(List.of(0, 1, 3, 7), secondsOfRequests("10.0.1.2", 10));
    }

    /**
     * 900 gateways that never answer come first. The kernel, with more than gc_thresh1 entries, removes a neighbour
     * that was not requested for 60 s (gc_stale_time), and marks one as FAILED that has not answered for 3 s. One
     * gateway answers at once. In five minutes no frame to it finds it unknown.
     */
    @Test
    void shouldNotLetDeadGatewaysStarveALiveOne()
    {
        for (int i = 0; i < 900; i++)
        {
            final String host = i / 250 + "." + i % 250;
            kernel.route("unicast", "198.18." + host + "/32", "10.9." + host, RIGHT);
        }
        kernel.route("unicast", "192.0.2.0/24", "10.0.1.2", RIGHT);
        kernel.neighbor(RIGHT, "10.0.1.2", MAC);
        final Map<String, Long> failsAt = new TreeMap<>();
        long requestedMs = nowMs;
        int unknown = 0;
        int requests = 0;
        for (final long endMs = nowMs + 300_000; nowMs < endMs; nowMs += 100)
        {
            refresher.poll(nowMs);
            requests += asked.size();
            for (final String address : asked)
            {
                if (address.equals("10.0.1.2"))
                {
                    requestedMs = nowMs;
                }
                else
                {
                    failsAt.putIfAbsent(address, nowMs + 3000);
                }
            }
            asked.clear();
            final long now = nowMs;
            failsAt.forEach((address, ms) ->
            {
                if (ms <= now)
                {
                    kernel.neighborFailed(RIGHT, address);
                }
            });
            failsAt.values().removeIf(ms -> ms <= now);
            if (nowMs - requestedMs > 60_000)
            {
                kernel.neighborGone(RIGHT, "10.0.1.2");
            }
            unknown += kernel.lookup("192.0.2.1").contains(MAC) ? 0 : 1;
        }
        assertEquals(0, unknown, "times of 100 ms in which frames had to wait");
        assertTrue(requests < 900 * 11, requests + " requests");
        assertEquals(900, refresher.unanswered());
        assertTrue(log.size() <= 2, log::toString);
    }

    @Test
    void shouldAskLessAndLessForWhatTheKernelRefuses()
    {
        refusal = "its table is full";
        final NeighborRequests requests = new NeighborRequests(new AskedKernel(), kernel.tables().links(), log::add);
        final IpAddress address = IpAddress.parse("10.0.1.7");
        final List<Long> seconds = new ArrayList<>();
        for (long ms = 1; ms < 200_000; ms += 500)
        {
            requests.request(RIGHT, address, ms);
            if (!asked.isEmpty())
            {
                seconds.add(ms / 1000);
                asked.clear();
            }
        }
        assertEquals(List.of(0L, 1L, 3L, 7L, 15L, 31L, 63L, 123L, 183L), seconds);
        assertEquals(9, requests.refused());
        assertEquals(List.of(1, 6, 1, 1).stream().map(count -> "the kernel has refused requests to resolve " +
            "neighbours: " + count + ", the last for 10.0.1.7 on right: its table is full").toList(), log);
        requests.request(RIGHT, IpAddress.parse("10.0.1.8"), 200_000);
        assertEquals(List.of("10.0.1.8"), asked, "another one does not wait");
        refusal = null;
        requests.request(RIGHT, address, 250_000);
        requests.request(RIGHT, address, 250_001);
        assertEquals(List.of("10.0.1.8", "10.0.1.7", "10.0.1.7"), asked, "accepted");
    }

    private List<Integer> secondsOfRequests(final String address, final int seconds)
    {
        final List<Integer> found = new ArrayList<>();
        final long startMs = nowMs;
        for (; nowMs < startMs + seconds * 1000L; nowMs += 100)
        {
            asked.clear();
            refresher.poll(nowMs);
            if (asked.contains(address))
            {
                found.add((int)((nowMs - startMs) / 1000));
            }
        }
        return found;
    }

    private NeighborRefresher refresher(final TestKernel of)
    {
        return new NeighborRefresher(
            of.tables(), new NeighborRequests(new AskedKernel(), of.tables().links(), log::add), REFRESH_MS, log::add);
    }

    @Test
    void shouldAskForAKnownGatewayOncePerPeriod()
    {
        kernel.neighbor(RIGHT, "10.0.1.2", MAC);
        kernel.route("unicast", "192.0.2.0/24", "10.0.1.2", RIGHT);

        refresher.poll(1);
        refresher.poll(1 + REFRESH_MS);

        assertEquals(List.of("10.0.1.2"), asked);
    }

    @Test
    void shouldAskAtOnceForAKnownGatewayThatTheKernelForgets()
    {
        kernel.neighbor(RIGHT, "10.0.1.2", MAC);
        kernel.route("unicast", "192.0.2.0/24", "10.0.1.2", RIGHT);
        refresher.poll(1);
        refresher.poll(1 + REFRESH_MS);
        asked.clear();

        kernel.neighborGone(RIGHT, "10.0.1.2");
        refresher.poll(2 + REFRESH_MS);
        assertEquals(List.of("10.0.1.2"), asked);

        kernel.neighborFailed(RIGHT, "10.0.1.2");
        refresher.poll(3 + REFRESH_MS);
        assertEquals(List.of("10.0.1.2"), asked, "not before its time where it does not answer");
    }

    @Test
    void shouldAskForIpv6GatewaysOfBothFamilies()
    {
        try (TestKernel both = TestKernel.startedWithIpv6())
        {
            both.route("via", "2001:db8:f::/48", "2001:db8:1::2", RIGHT);
            both.route("via", "192.0.2.0/24", "fe80::9", RIGHT);

            refresher(both).poll(1);

            assertEquals(List.of("2001:db8:1::2", "fe80::9"), asked);
        }
    }

    @Test
    void shouldNeverAskForAGatewayWhoseAddressWasGiven()
    {
        kernel.neighborState(RIGHT, "10.0.1.2", MAC, KernelNeighbor.State.PERMANENT);
        kernel.route("unicast", "192.0.2.0/24", "10.0.1.2", RIGHT);

        refresher.poll(1);
        refresher.poll(1 + REFRESH_MS);
        refresher.poll(1 + 2 * REFRESH_MS);

        assertEquals(List.of(), asked);
        assertEquals("port 1 via 10.0.1.2 " + MAC + " from " + TestKernel.RIGHT_MAC + " mtu 1400",
            kernel.lookup("192.0.2.1"));
    }

    private final class AskedKernel implements KernelNetwork
    {
        @Override
        public void dump(final KernelNetworkListener listener)
        {
        }

        @Override
        public int poll(final KernelNetworkListener listener)
        {
            return 0;
        }

        @Override
        public String resolve(final int interfaceIndex, final IpAddress address)
        {
            asked.add(address.toString());
            return refusal;
        }

        @Override
        public void close()
        {
        }
    }
}
