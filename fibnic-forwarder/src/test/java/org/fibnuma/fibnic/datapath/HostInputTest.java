package org.fibnuma.fibnic.datapath;

import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fate.PortTraffic;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

class HostInputTest
{
    private static final byte[] ARP_REQUEST = new byte[42];

    @Test
    void shouldSendTheKernelsFramesUnchangedByTheirPort()
    {
        try (RouterFixture router = new RouterFixture(2, 1))
        {
            final byte[] expiring = TestFrame.ipv4().ttl(1).destination("10.0.0.2").bytes();
            router.receive(router.kernelEnd(), ARP_REQUEST);
            router.receive(router.kernelEnd(), expiring);
            router.run();
            final List<byte[]> sent = router.sent(1);
            assertEquals(2, sent.size());
            assertArrayEquals(ARP_REQUEST, sent.get(0));
            assertArrayEquals(expiring, sent.get(1));
            assertEquals(0, router.sent(0).size());
            assertEquals(2, router.count(ForwarderCounter.FROM_HOST));
            assertEquals(0, router.count(ForwarderCounter.RECEIVED));
            assertEquals(0, router.count(ForwarderCounter.ORIGINATED));
            assertEquals(2, router.report().get(1, PortTraffic.TX_FRAMES));
            router.assertBalanced();
        }
    }

    @Test
    void shouldCountWhatFindsNoRoom()
    {
        try (RouterFixture router = new RouterFixture(2, 1))
        {
            final int fifo = ForwarderContext.DEFAULT_EGRESS_FIFO_DEPTH;
            final int sent = RouterFixture.RING + fifo + 10;
            for (int i = 0; i < sent; i++)
            {
                router.receive(router.kernelEnd(), ARP_REQUEST);
                if (i % 64 == 63)
                {
                    router.clock.update(router.clock.nanoTime() + HostInput.POLL_INTERVAL_NS);
                    router.run();
                }
            }
            router.clock.update(router.clock.nanoTime() + HostInput.POLL_INTERVAL_NS);
            router.run();
            assertEquals(10, router.count(ForwarderCounter.FROM_HOST_LOST));
            assertEquals(sent - 10, router.count(ForwarderCounter.FROM_HOST));
            router.assertBalanced();
        }
    }

    /** A look is a system call: made now and then while the kernel is silent, at once while it is not. */
    @Test
    void shouldLookSeldomWhileTheKernelIsSilent()
    {
        try (RouterFixture router = new RouterFixture(2, 1))
        {
            router.run();
            router.receive(router.kernelEnd(), ARP_REQUEST);
            router.run();
            assertEquals(0, router.sent(1).size());
            router.clock.update(router.clock.nanoTime() + HostInput.POLL_INTERVAL_NS);
            router.agent.doWork();
            assertEquals(1, router.sent(1).size());
        }
    }
}
