package org.fibnuma.bench.lab;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(300)
@NamespaceTest("ping")
class RouterChainSystemTest
{
    private static final int PINGS = 200;

    private static void ping(final RouterChain chain)
    {
        final String server = chain.socketAddress().split(":")[0];
        try (ChildProcess ping = chain.startClient(
            "ping", "-q", "-i", "0.002", "-c", Integer.toString(PINGS), server))
        {
            assertEquals(0, ping.awaitExit(Duration.ofSeconds(60)), () -> ping.output().toString());
        }
    }

    @ParameterizedTest
    @CsvSource({"KERNEL, 1", "KERNEL, 4", "FIBNUMA, 1", "FIBNUMA, 2"})
    void shouldForwardByTheRouters(final Routers.Kind kind, final int count)
    {
        try (RouterChain chain = RouterChain.open(new Routers(count, kind)))
        {
            ping(chain);
            chain.verify(2 * PINGS);
            final String message = assertThrows(UserException.class, () -> chain.verify(1)).getMessage();
            assertTrue(message.startsWith("router 1 of " + count + " " + kind.label() + " router"), message);
        }
    }

    /** A rule by which the router leaves all packets to the kernel. */
    @Test
    void shouldDetectThatTheKernelForwardsInPlaceOfFibnuma()
    {
        try (RouterChain chain = RouterChain.open(new Routers(1, Routers.Kind.FIBNUMA)))
        {
            chain.router(1).run("ip", "rule", "add", "ipproto", "icmp", "lookup", "100");
            ping(chain);

            final String message = assertThrows(UserException.class, () -> chain.verify(2 * PINGS)).getMessage();

            assertTrue(message.contains("datagrams were forwarded by the kernel and"), message);
        }
    }
}
