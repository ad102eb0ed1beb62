package org.fibnuma.ipnuma.client.host;

import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.client.EndpointLostException;
import org.fibnuma.ipnuma.client.HostileClient;
import org.fibnuma.ipnuma.client.RemoteWindow;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.fibnuma.ipnuma.memory.RegionState;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests which clients have a slot, and until when. */
@Timeout(120)
class ClientRingsTest
{
    private final TestHost host = new TestHost();

    @AfterEach
    void close()
    {
        host.close();
    }

    @Test
    void shouldServeOthersWhateverAClientStoresInItsPlace()
    {
        try (EndpointClient client = host.connect())
        {
            final RemoteWindow window = client.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
            final Random random = new Random(11);
            for (int i = 1; i <= 1500; i++)
            {
                final HostileClient hostile = new HostileClient(host.directory);
                host.turn();
                hostile.store(random);
                window.putLong(LoopbackEndpoint.BOX_SIZE - 8, i);
                window.flush();
                host.turn();
                hostile.close();
                host.turn();
                host.turn();
            }
            final long died = host.endpoint().rings().diedCount();
            assertTrue(died > 500, died + " were given up");
            client.poll();
            window.putLong(0, 4711);
            window.flush();
            host.turn();
            assertEquals(4711, host.endpoint().box().mapping().getLongAcquire(0));
        }
    }

    @Test
    void shouldGiveUpOnlyTheClientWhoseRequestCausesAnError()
    {
        try (EndpointClient client = host.connect();
            EndpointClient other = EndpointClient.connect(host.directory, host.listener))
        {
            host.turn();
            host.endpoint().failure = new IllegalStateException("an error of the endpoint");
            assertTrue(client.tryRead(ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 0), 8, 1));
            final RemoteWindow window = other.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
            window.putLong(8, 4711);
            window.flush();
            host.turn();
            host.turn();
            assertEquals(4711, host.endpoint().box().mapping().getLongAcquire(8));
            assertEquals(1, host.endpoint().rings().diedCount());
            TestHost.await(() -> hasLostTheEndpoint(client));
            other.poll();
            host.endpoint().failure = null;
            assertTrue(other.tryRead(ClientMessage.target(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX, 8), 8, 2));
            host.turn();
            other.poll();
            assertEquals(List.of("read 2 0 4711"), host.answers);
        }
    }

    private static boolean hasLostTheEndpoint(final EndpointClient client)
    {
        try
        {
            client.poll();
            return false;
        }
        catch (final EndpointLostException ex)
        {
            return true;
        }
    }

    @Test
    void shouldCountAClientThatHasEndedUntilItsStoresAreDone()
    {
        final int stores = 200;
        try (EndpointClient client = host.connect())
        {
            host.turn();
            final RemoteWindow window = client.window(LoopbackEndpoint.PEER, LoopbackEndpoint.BOX);
            for (int i = 1; i <= stores; i++)
            {
                window.putLong(0, i);
                window.flush();
            }
        }
        assertEquals(1, host.endpoint().rings().clientCount());
        TestHost.await(() ->
        {
            host.turn();
            return host.endpoint().rings().clientCount() == 0;
        });
        assertEquals(stores, host.endpoint().box().mapping().getLongAcquire(0));
    }

    @Test
    void shouldServeAsManyClientsAsThereAreSlots()
    {
        try (EndpointClient first = host.connect())
        {
            final EndpointClient second = EndpointClient.connect(host.directory, host.listener);
            assertTrue(assertThrows(UserException.class, () -> EndpointClient.connect(host.directory, host.listener))
                .getMessage().contains("all 2 slots for clients are in use"));
            second.close();
            host.turn();
            EndpointClient.connect(host.directory, host.listener).close();
            first.poll();
        }
    }

    @Test
    void shouldSayWhenThereIsNoEndpointOrItHasEnded()
    {
        assertTrue(assertThrows(UserException.class, () -> EndpointClient.connect("no-such-endpoint", host.listener))
            .getMessage().startsWith("no endpoint in "));
        // A client checks the heartbeat eight times per timeout.
        host.open(TimeUnit.SECONDS.toNanos(8));
        try (EndpointClient client = EndpointClient.connect(host.directory, host.listener))
        {
            host.close();
            TestHost.await(() ->
            {
                try
                {
                    client.poll();
                    return false;
                }
                catch (final EndpointLostException ex)
                {
                    return ex.getMessage().contains("has ended");
                }
            });
        }
    }

    /** The endpoint's clock is ahead; the heartbeat of the client is that of the real time. */
    @Test
    void shouldRevokeTheRegionsOfAClientThatIsSilentForLongerThanItsTimeoutAndNotBefore()
    {
        final long minuteNs = TimeUnit.MINUTES.toNanos(1);
        try (EndpointClient client = host.connectCompanion();
            RegionMapping region = client.addRegion("victim", 4096, RegionAccess.WRITE, "10.9.0.0/24").memory())
        {
            host.turn();
            host.turnAfter(TestHost.TIMEOUT_NS - minuteNs);
            assertEquals(0, host.endpoint().rings().diedCount());
            assertEquals(RegionState.OPEN, region.state());
            host.turnAfter(2 * minuteNs);
            assertEquals(1, host.endpoint().rings().diedCount());
            assertEquals(RegionState.REVOKED, region.state());
        }
    }
}
