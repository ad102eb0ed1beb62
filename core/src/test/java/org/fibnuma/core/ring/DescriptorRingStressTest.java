package org.fibnuma.core.ring;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

@Tag("stress")
@Timeout(60)
class DescriptorRingStressTest
{
    private static final long COUNT = 500_000;

    @ParameterizedTest
    @CsvSource({"1, 1", "8, 3", "2048, 64"})
    void shouldPassEveryDescriptorOnceAndInOrder(final int capacity, final int burst) throws InterruptedException
    {
        final DescriptorRing ring = new DescriptorRing(capacity);
        final long count = Math.min(COUNT, capacity * 25_000L);
        final Thread producer = new Thread(() -> produce(ring, count, burst));
        producer.start();
        long seen = 0;
        while (seen < count)
        {
            final int readable = ring.readable(burst);
            for (int i = 0; i < readable; i++)
            {
                final long expected = seen + i;
                if (ring.handle(i) != expected << 12 || ring.address(i) != (expected << 12) + (expected & 0xFFF) ||
                    ring.length(i) != (int)expected)
                {
                    assertEquals(expected, ring.handle(i) >> 12, "descriptor " + expected);
                }
            }
            seen += readable;
            if (readable > 0)
            {
                ring.consume(readable);
            }
            else
            {
                Thread.yield();
            }
        }
        producer.join();
        assertEquals(0, ring.readable(1));
        assertEquals(capacity, ring.room());
    }

    @Test
    void shouldShowTheFrameWithItsDescriptor() throws InterruptedException
    {
        final long[] frames = new long[64];
        final DescriptorRing ring = new DescriptorRing(64);
        final long count = COUNT / 4;
        final Thread producer = new Thread(() ->
        {
            long sent = 0;
            while (sent < count)
            {
                // At most half the ring is under way, so that no frame is written while it can still be read.
                if (ring.room() > 32)
                {
                    frames[(int)(sent & 63)] = sent;
                    ring.offer(sent, sent, 0);
                    ring.publish();
                    sent++;
                }
                else
                {
                    Thread.yield();
                }
            }
        });
        producer.start();
        for (long seen = 0; seen < count;)
        {
            if (ring.readable(1) == 1)
            {
                assertEquals(ring.handle(0), frames[(int)(seen & 63)]);
                ring.consume(1);
                seen++;
            }
            else
            {
                Thread.yield();
            }
        }
        producer.join();
    }

    private static void produce(final DescriptorRing ring, final long count, final int burst)
    {
        long sent = 0;
        while (sent < count)
        {
            final long before = sent;
            while (sent < count && sent - before < burst &&
                ring.offer(sent << 12, (sent << 12) + (sent & 0xFFF), (int)sent))
            {
                sent++;
            }
            if (sent > before)
            {
                ring.publish();
            }
            else
            {
                Thread.yield();
            }
        }
    }
}
