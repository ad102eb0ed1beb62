package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fate.PortTraffic;
import org.fibnuma.fibnic.ports.KernelPaths;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

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

    /** The kernel may forward a whole batch of punted frames by one port, and a TAP interface gives few at a time. */
    @Test
    void shouldReceiveABatchInADutyCycle()
    {
        try (RouterFixture router = RouterFixture.withKernelInterface(2, 1, context ->
            context.kernelPaths(new KernelPaths(null, Map.of(1, oneByOne(context.kernelPaths.own().get(1))),
            context.kernelPaths.punts()))))
        {
            for (int i = 0; i < FrameBatch.CAPACITY + 1; i++)
            {
                router.receive(router.kernelEnd(), ARP_REQUEST);
            }
            router.clock.update(router.clock.nanoTime() + HostInput.POLL_INTERVAL_NS);
            assertEquals(FrameBatch.CAPACITY, router.agent.doWork());
            assertEquals(1, router.agent.doWork());
            assertEquals(FrameBatch.CAPACITY + 1, router.sent(1).size());
        }
    }

    private static KernelPort oneByOne(final KernelPort port)
    {
        final RxQueue queue = port.rxQueue(0);
        final FrameBatch all = new FrameBatch();
        final Deque<Integer> waiting = new ArrayDeque<>();
        return new MemoryKernelPort(port)
        {
            @Override
            public RxQueue rxQueue(final int index)
            {
                return batch ->
                {
                    if (waiting.isEmpty())
                    {
                        all.clear();
                        IntStream.range(0, queue.receive(all)).forEach(waiting::add);
                    }
                    final Integer i = waiting.poll();
                    if (i == null)
                    {
                        return 0;
                    }
                    batch.add(all.handle(i), all.address(i), all.length(i), all.ingressPort(i));
                    return 1;
                };
            }
        };
    }
}
