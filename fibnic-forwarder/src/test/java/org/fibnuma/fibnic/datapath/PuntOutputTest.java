package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.port.Port;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.ports.KernelPaths;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

class PuntOutputTest
{
    @Test
    void shouldDropWithoutAPortToTheKernel()
    {
        try (RouterFixture router = new RouterFixture(2, context -> context.kernelPaths(KernelPaths.NONE)))
        {
            router.forward(TestFrame.ipv4().destination("10.0.0.1").bytes());
            assertEquals(0, router.count(ForwarderCounter.PUNTED));
            router.assertAllDropped(DropReason.PUNT_NO_PATH);
        }
    }

    @Test
    void shouldDropWhatTheKernelDoesNotTake()
    {
        try (RouterFixture router = new RouterFixture())
        {
            for (int i = 0; i < RouterFixture.RING + 10; i++)
            {
                router.receive(0, TestFrame.ipv4().destination("10.0.0.1").bytes());
                if (i % 64 == 0)
                {
                    router.run();
                }
            }
            router.run();
            assertEquals(RouterFixture.RING, router.count(ForwarderCounter.PUNTED));
            assertEquals(10, router.report().get(DropReason.PUNT_FULL));
            router.assertBalanced();
        }
    }

    /** A flood by one port: the burst, then so many a second; the other port's frames go up all the same. */
    @Test
    void shouldLetUpSoManyASecondFromEachPort()
    {
        try (RouterFixture router = new RouterFixture())
        {
            final int burst = KernelPaths.DEFAULT_PUNTS_PER_SECOND / 10;
            final byte[] frame = TestFrame.ipv4().destination("10.0.0.1").bytes();
            int up = flood(router, frame, burst + 64);
            assertEquals(burst, up);
            assertEquals(64, router.report().get(DropReason.PUNT_RATE));
            router.receive(1, TestFrame.ipv4().to("02:00:00:00:01:01").destination("10.0.0.1").bytes());
            router.run();
            assertEquals(1, router.punted().size());
            router.clock.update(router.clock.nanoTime() + 1_000_000);
            up = flood(router, frame, 256);
            assertEquals(KernelPaths.DEFAULT_PUNTS_PER_SECOND / 1000, up);
            router.assertBalanced();
        }
    }

    private static int flood(final RouterFixture router, final byte[] frame, final int frames)
    {
        int up = 0;
        for (int i = 1; i <= frames; i++)
        {
            router.receive(0, frame);
            if (i % 64 == 0 || i == frames)
            {
                router.run();
                up += router.punted().size();
            }
        }
        return up;
    }

    /** Within the duty cycle; what the port does not take enters by the interface of several ports. */
    @Test
    void shouldPuntByTheInterfaceOfThePort()
    {
        final AtomicReference<KernelEntryPort> entry = new AtomicReference<>();
        try (RouterFixture router = new RouterFixture(2, context -> context.ports(List.of(
            withEntry(entry, context.ports.get(0), context.framePool), context.ports.get(1)))))
        {
            final byte[] frame = TestFrame.ipv4().destination("10.0.0.1").payload(60).bytes();
            final byte[] longer = TestFrame.ipv4().destination("10.0.0.1").payload(61).bytes();
            entry.get().longest = frame.length;
            router.receive(0, frame);
            router.receive(0, longer);
            router.receive(1, TestFrame.ipv4().to("02:00:00:00:01:01").destination("10.0.0.1").bytes());
            router.run();
            assertEquals(1, entry.get().entered.size());
            assertArrayEquals(frame, entry.get().entered.get(0));
            final List<byte[]> others = router.punted();
            assertEquals(2, others.size());
            assertArrayEquals(longer, others.get(0));
            assertEquals(3, router.count(ForwarderCounter.PUNTED));

            entry.get().full = true;
            router.receive(0, frame);
            router.run();
            assertEquals(1, router.report().get(DropReason.PUNT_FULL));
            assertEquals(0, router.punted().size());
            router.assertBalanced();
        }
    }

    /** The kernel checks the sources of what it forwards, where it receives that by the interface that is checked. */
    @Test
    void shouldLeaveTheCheckOfSourcesToTheKernelWhereFramesEnterByThePort()
    {
        final AtomicReference<KernelEntryPort> entry = new AtomicReference<>();
        try (RouterFixture router = new RouterFixture(2, context -> context.ports(List.of(
            withEntry(entry, context.ports.get(0), context.framePool), context.ports.get(1)))))
        {
            router.interfaces.set(0, router.interfaces.get(0).with(
                new InterfacePolicy(true, ReversePath.STRICT, true)));
            router.route("40.0.0.0", 8, RouterFixture.KERNEL);
            final byte[] frame = TestFrame.ipv4().source("99.1.2.3").destination("40.1.2.3").bytes();
            final byte[] fromKernel = TestFrame.ipv4().source("40.1.2.3").bytes();
            router.forward(frame);
            router.forward(fromKernel);
            assertEquals(2, entry.get().entered.size());

            entry.get().longest = 0;
            router.forward(frame);
            router.forward(fromKernel);
            assertEquals(2, router.report().get(DropReason.IPV4_REVERSE_PATH));
            assertEquals(0, router.punted().size());
            router.assertBalanced();
        }
    }

    static Port withEntry(final AtomicReference<KernelEntryPort> entry, final Port port, final FramePool pool)
    {
        entry.set(new KernelEntryPort(port, pool));
        return entry.get();
    }

    @Test
    void shouldLimitWhatEntersByTheInterfaceOfThePort()
    {
        final AtomicReference<KernelEntryPort> entry = new AtomicReference<>();
        try (RouterFixture router = new RouterFixture(2, context -> context.ports(List.of(
            withEntry(entry, context.ports.get(0), context.framePool), context.ports.get(1)))))
        {
            final int burst = KernelPaths.DEFAULT_PUNTS_PER_SECOND / 10;
            assertEquals(0, flood(router, TestFrame.ipv4().destination("10.0.0.1").bytes(), burst + 64));
            assertEquals(burst, entry.get().entered.size());
            assertEquals(64, router.report().get(DropReason.PUNT_RATE));
            router.assertBalanced();
        }
    }

    /** With DPDK each port has its own way, and whole frames go up by it, whatever they carry. */
    @Test
    void shouldPuntByTheWayOfTheIngressPort()
    {
        try (RouterFixture router = new RouterFixture(2, 1))
        {
            router.receive(0, TestFrame.ipv4().destination("10.0.0.1").bytes());
            router.run();
            assertEquals(1, router.punted().size());
            final byte[] tagged = new byte[60];
            Arrays.fill(tagged, 0, 6, (byte)0xFF);
            tagged[12] = (byte)0x81;
            router.receive(1, tagged);
            router.receive(1, TestFrame.ipv4().to("02:00:00:00:01:01").destination("10.0.0.1").bytes());
            router.run();
            assertEquals(0, router.punted().size());
            final List<byte[]> up = router.sent(router.kernelEnd());
            assertEquals(2, up.size());
            assertArrayEquals(tagged, up.get(0));
            assertEquals(3, router.count(ForwarderCounter.PUNTED));
            router.assertBalanced();
        }
    }
}
