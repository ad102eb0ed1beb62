package org.fibnuma.ipnuma.client.host;

import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.client.OwnRegion;
import org.fibnuma.ipnuma.client.RemoteWindow;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.fibnuma.ipnuma.memory.RegionState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Files;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests regions that clients add, with their keys. */
@Timeout(120)
class ClientRegionsTest
{
    private final TestHost host = new TestHost();

    @AfterEach
    void close()
    {
        host.close();
    }

    @Test
    void shouldUseTheKeyThatAClientTells()
    {
        try (EndpointClient client = host.connect())
        {
            final OwnRegion own = host.add(client, "mine", 4096);
            try (RegionMapping memory = own.memory())
            {
                final RemoteWindow window = client.window(LoopbackEndpoint.PEER, own.id());
                window.putInt(0, 1);
                window.flush();
                host.turn();
                assertEquals(0, memory.getIntAcquire(0));
                assertTrue(client.tryKey(LoopbackEndpoint.PEER, own.id(), own.key(), 8));
                window.putInt(0, 2);
                window.flush();
                host.turn();
                assertEquals(2, memory.getIntAcquire(0));
            }
        }
    }

    @Test
    void shouldRevokeRegionsWithTheirClient()
    {
        final EndpointClient client = host.connect();
        final OwnRegion first = host.add(client, "first", 4096);
        final OwnRegion second = host.add(client, "second", 8192);
        assertTrue(first.id() != second.id());
        assertTrue(first.key() != second.key());
        assertEquals(3, host.endpoint().table.regions().size());
        assertTrue(client.tryRemoveRegion(first.id(), 1));
        assertTrue(client.tryRemoveRegion(LoopbackEndpoint.BOX, 2));
        host.turn();
        client.poll();
        assertEquals(List.of("done 1 0", "done 2 " + ClientStatus.NOT_YOURS), host.answers);
        assertEquals(RegionState.REVOKED, first.memory().state());
        assertTrue(assertThrows(UserException.class, () -> client.region("first"))
            .getMessage().contains("\"first\""));
        client.close();
        host.turn();
        assertEquals(RegionState.REVOKED, second.memory().state());
        assertEquals(1, host.endpoint().table.regions().size());
        assertFalse(Files.exists(host.directory.resolve("regions/second")));
        first.memory().close();
        second.memory().close();
    }

    @Test
    void shouldSayWhyARegionIsRefused()
    {
        try (EndpointClient client = host.connect())
        {
            assertTrue(host.refusal(client, "box", 4096, "10.9.0.0/24").endsWith("name is taken"));
            assertTrue(host.refusal(client, "../x", 4096, "10.9.0.0/24").endsWith("bad request"));
            assertTrue(host.refusal(client, "x", 4095, "10.9.0.0/24").endsWith("bad request"));
            assertTrue(host.refusal(client, "x", 4096, "10.9.0.0/33").endsWith("bad request"));
            assertTrue(host.refusal(client, "x", 2 << 20, "10.9.0.0/24").endsWith("no room"));
        }
    }
}
