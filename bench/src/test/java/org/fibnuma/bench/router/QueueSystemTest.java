package org.fibnuma.bench.router;

import org.fibnuma.bench.lab.NamespaceTest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The number of an interface's receive queues and that of the workers. */
@NamespaceTest({"ethtool", "ping"})
class QueueSystemTest
{
    private static final Pattern QUEUES = Pattern.compile("Current hardware settings:\\s+RX:\\s+(\\d+)");

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open(2);

    /** Nor does the router let anybody switch the removal of VLAN tags on, which it restores at its end. */
    @Test
    void shouldSayWhichQueuesHaveNoWorkerAndLeaveTheirFramesToTheKernel()
    {
        lab.start();
        assertEquals(0, lab.port(0).get("unservedQueues").asInt());
        final String mode = lab.port(0).get("mode").asText();
        assertTrue(mode.startsWith("copy, native"), mode);
        assertEquals("no zero-copy: EOPNOTSUPP (Operation not supported)", lab.port(0).get("fallback").asText());
        lab.router().run("ethtool", "-L", "r0", "rx", "2", "tx", "2");
        lab.awaitLog("port left (xdp:r0): unserved-queues=1: it has 2 receive queues for 1 workers");
        assertEquals(1, lab.port(0).get("unservedQueues").asInt());
        lab.assertPings(20);
        lab.router().run("ethtool", "-L", "r0", "rx", "1", "tx", "1");
        lab.awaitLog("port left (xdp:r0): every receive queue has a worker again");
        assertEquals(0, lab.port(0).get("unservedQueues").asInt());
        lab.assertPings(20);
        lab.router().run("ethtool", "-K", "r0", "rxvlan", "on");
        lab.awaitLog("port left (xdp:r0): removal of VLAN tags was switched on");
        lab.await("rx-vlan-offload: off",
            () -> lab.router().run("ethtool", "-k", "r0").contains("rx-vlan-offload: off"));
        lab.terminate();
        assertTrue(lab.router().run("ethtool", "-k", "r0").contains("rx-vlan-offload: on"));
    }

    @Test
    void shouldSetTheNumberOfQueuesAndRestoreIt()
    {
        final String config = lab.config("workers = 2").replace("[[port]]", "[[port]]\nqueues = \"auto\"");
        assertEquals(1, queues("r0"));
        lab.startConfigured(config);
        assertEquals(2, queues("r0"));
        assertEquals(2, queues("r1"));
        lab.assertPings(20);
        lab.terminate();
        assertEquals(1, queues("r0"), "left by a clean end");
        assertEquals(1, queues("r1"));
        lab.startConfigured(config).kill();
        assertEquals(2, queues("r0"));
        // Without restored queues this start is refused.
        lab.start();
        assertTrue(lab.count("interface r0: ethtool:channels is rx 1 tx 1 other 0 combined 0 again") > 0, lab::log);
        assertEquals(1, queues("r1"));
        lab.terminate();
    }

    private int queues(final String device)
    {
        final Matcher matcher = QUEUES.matcher(lab.router().run("ethtool", "-l", device));
        assertTrue(matcher.find());
        return Integer.parseInt(matcher.group(1));
    }
}
