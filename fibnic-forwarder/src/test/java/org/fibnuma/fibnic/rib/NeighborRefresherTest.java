package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.fibnuma.fibnic.rib.TestKernel.RIGHT;
import static org.junit.jupiter.api.Assertions.assertEquals;

class NeighborRefresherTest
{
    private static final String MAC = "02:00:00:00:00:0a";
    private static final long REFRESH_MS = 30_000;

    private final TestKernel kernel = TestKernel.started();
    private final List<String> asked = new ArrayList<>();
    private final NeighborRefresher refresher =
        new NeighborRefresher(kernel.tables(), new AskedKernel(), REFRESH_MS);

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
        refresher.poll(1 + NeighborRefresher.RETRY_MS);

        assertEquals(List.of("10.0.1.2", "10.0.1.2"), asked);
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

            new NeighborRefresher(both.tables(), new AskedKernel(), REFRESH_MS).poll(1);

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
        public void resolve(final int interfaceIndex, final IpAddress address)
        {
            asked.add(address.toString());
        }

        @Override
        public void close()
        {
        }
    }
}
