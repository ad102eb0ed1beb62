package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Await;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The number of an interface's receive queues and that of the workers. */
class QueueSystemTest
{
    private RouterLifeLab lab;

    @BeforeEach
    void open()
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("ethtool", "ethtool");
        Require.program("ping", "iputils-ping");
        lab = RouterLifeLab.open(2);
    }

    @AfterEach
    void close()
    {
        if (lab != null)
        {
            lab.close();
        }
    }

    @Test
    void shouldSayWhichQueuesHaveNoWorkerAndLeaveTheirFramesToTheKernel() throws IOException
    {
        try (RouterProcess router = lab.start())
        {
            assertEquals(0, left().get("unservedQueues").asInt());
            final String mode = left().get("mode").asText();
            assertTrue(mode.startsWith("copy, native"), mode);
            assertEquals("no zero-copy: EOPNOTSUPP (Operation not supported)", left().get("fallback").asText());

            lab.router().run("ethtool", "-L", "r0", "rx", "2", "tx", "2");
            awaitLine(router, "port left (xdp:r0): unserved-queues=1: it has 2 receive queues for 1 workers");
            assertEquals(1, left().get("unservedQueues").asInt());
            assertTrue(lab.pings(20), () -> String.join("\n", router.errors()));

            lab.router().run("ethtool", "-L", "r0", "rx", "1", "tx", "1");
            awaitLine(router, "port left (xdp:r0): every receive queue has a worker again");
            assertEquals(0, left().get("unservedQueues").asInt());
            assertTrue(lab.pings(20), () -> String.join("\n", router.errors()));
            assertEquals(0, router.terminate());
        }
    }

    @Test
    void shouldSwitchTheRemovalOfVlanTagsOffAgain()
    {
        try (RouterProcess router = lab.start())
        {
            lab.router().run("ethtool", "-K", "r0", "rxvlan", "on");
            awaitLine(router, "port left (xdp:r0): removal of VLAN tags was switched on");
            Await.until("rx-vlan-offload: off",
                () -> lab.router().run("ethtool", "-k", "r0").contains("rx-vlan-offload: off"));
            assertEquals(0, router.terminate());
        }
        assertTrue(lab.router().run("ethtool", "-k", "r0").contains("rx-vlan-offload: on"));
    }

    @Test
    void shouldSetTheNumberOfQueuesAndRestoreIt()
    {
        final String config = lab.config("workers = 2").replace("[[port]]", "[[port]]\nqueues = \"auto\"");
        assertEquals(1, queues("r0"));
        try (RouterProcess clean = RouterProcess.start(lab.router(), config, RouterLifeLab.PATIENCE))
        {
            assertEquals(2, queues("r0"));
            assertEquals(2, queues("r1"));
            assertTrue(lab.pings(20), () -> String.join("\n", clean.errors()));
            assertEquals(0, clean.terminate());
        }
        assertEquals(1, queues("r0"), "left by a clean end");
        assertEquals(1, queues("r1"));

        try (RouterProcess killed = RouterProcess.start(lab.router(), config, RouterLifeLab.PATIENCE))
        {
            killed.kill();
        }
        assertEquals(2, queues("r0"));
        // Without restored queues this start is refused.
        try (RouterProcess next = lab.start())
        {
            assertTrue(next.errors().stream().anyMatch(
                line -> line.contains("interface r0: ethtool:channels is rx 1 tx 1 other 0 combined 0 again")),
                () -> String.join("\n", next.errors()));
            assertEquals(1, queues("r1"));
            assertEquals(0, next.terminate());
        }
    }

    private int queues(final String device)
    {
        final var matcher = Pattern.compile("Current hardware settings:\\s+RX:\\s+(\\d+)").matcher(
            lab.router().run("ethtool", "-l", device));
        assertTrue(matcher.find());
        return Integer.parseInt(matcher.group(1));
    }

    private JsonNode left() throws IOException
    {
        return lab.ask("ports").get("ports").get(0);
    }

    private static void awaitLine(final RouterProcess router, final String text)
    {
        Await.until(() -> text + " in:\n" + String.join("\n", router.errors()),
            () -> router.errors().stream().anyMatch(line -> line.contains(text)));
    }
}
