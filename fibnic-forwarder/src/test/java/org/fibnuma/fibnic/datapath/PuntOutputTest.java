package org.fibnuma.fibnic.datapath;

import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class PuntOutputTest
{
    @Test
    void shouldDropWithoutAPortToTheKernel()
    {
        try (RouterFixture router = new RouterFixture(2, context -> context.puntPort(null)))
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
}
