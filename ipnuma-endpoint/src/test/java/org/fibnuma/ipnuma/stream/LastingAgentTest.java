package org.fibnuma.ipnuma.stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(120)
class LastingAgentTest
{
    private static final int PORT = 7000;

    @TempDir
    private Path directory;

    @Test
    void shouldConnectAgainWhenTheEndpointIsBack() throws Exception
    {
        try (StreamLab lab = new StreamLab(directory, ""))
        {
            final LastingAgent agents = new LastingAgent(lab.settings(2), StreamEvents.NONE);
            final StreamAgent first = agents.usable();
            final StreamAcceptor acceptor = first.listen(PORT, 1);
            lab.stopFarEndpoint();
            StreamLab.run(() -> first.lost() != null, first);
            assertTrue(acceptor.isClosed());
            final IOException gone = assertThrows(IOException.class, agents::usable);
            assertEquals("no endpoint in " + lab.directory(2) + "; start it, or check the name", gone.getMessage());
            assertSame(first, agents.current());
            lab.startFarEndpoint();
            final StreamAgent second = agents.usable();
            assertNotSame(first, second);
            assertNull(second.lost());
            assertSame(second, agents.usable());
            assertEquals(PORT, second.listen(PORT, 1).address().port());
            agents.close();
            assertThrows(IOException.class, () -> agents.usable().listen(PORT, 1));
        }
    }

    @Test
    void shouldConnectAgainAfterAFault() throws Exception
    {
        try (StreamLab lab = new StreamLab(directory, ""))
        {
            final LastingAgent agents = new LastingAgent(lab.settings(2), StreamEvents.NONE);
            final StreamAgent first = agents.usable();
            first.listen(PORT, 1);
            final StreamChannel channel = first.connect(new IpnumaSocketAddress(1, PORT));
            first.onFault(new InternalError("a fault occurred in an unsafe memory access operation"));
            assertNotNull(first.lost());
            assertThrows(IOException.class, channel::finishConnect);
            assertEquals(PORT, agents.usable().listen(PORT, 1).address().port());
            agents.close();
        }
    }
}
