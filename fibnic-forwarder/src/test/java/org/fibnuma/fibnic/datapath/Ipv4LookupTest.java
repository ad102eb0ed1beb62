package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

class Ipv4LookupTest
{
    @Test
    void shouldSendEachFrameOfABatchToItsOwnNextHop()
    {
        final int routes = 200;
        try (RouterFixture router = new RouterFixture())
        {
            for (int r = 0; r < routes; r++)
            {
                router.adjacencies.set(200 + r, Adjacency.forward(1, IpAddress.NONE, 1500, 0x0600_0000_0000L + r, 1));
                router.route("20." + r + ".0.0", 16, 200 + r);
                router.route("20." + r + ".128.64", 26, 200 + (r + 1) % routes);
            }
            final Random random = new Random(1);
            final int[] expected = new int[5000];
            int seen = 0;
            for (int i = 0; i < expected.length; i++)
            {
                final int r = random.nextInt(routes);
                final boolean longer = random.nextBoolean();
                final int destination = TestFrame.ip("20." + r + (longer ? ".128.64" : ".77.0")) + random.nextInt(64);
                expected[i] = longer ? (r + 1) % routes : r;
                router.receive(0, TestFrame.ipv4().destination(destination).bytes());
                if (i % 3 == 0)
                {
                    router.receive(0, TestFrame.ipv4().destination("127.0.0.1").bytes());
                }
                if (i % 100 == 99)
                {
                    router.run();
                    seen = verify(router.sent(1), expected, seen);
                }
            }
            assertEquals(expected.length, seen);
            router.assertBalanced();
        }
    }

    private static int verify(final List<byte[]> sent, final int[] expected, final int from)
    {
        int i = from;
        for (final byte[] frame : sent)
        {
            assertEquals(expected[i++], TestFrame.u16(frame, 4));
        }
        return i;
    }
}
