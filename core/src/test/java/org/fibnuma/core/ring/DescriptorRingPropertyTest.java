package org.fibnuma.core.ring;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class DescriptorRingPropertyTest
{
    private static final long HANDLE = 0x7FFF_1234_5000L;

    /** Positive steps offer, negative ones consume, 0 publishes; a queue of the JDK is the reference. */
    @Property(tries = 300)
    void shouldBehaveLikeABoundedQueue(
        @ForAll @Size(max = 200) final List<@IntRange(min = -9, max = 9) Integer> steps,
        @ForAll @IntRange(max = 4) final int capacityShift)
    {
        final int capacity = 1 << capacityShift;
        final DescriptorRing ring = new DescriptorRing(capacity);
        final Deque<Long> visible = new ArrayDeque<>();
        final Deque<Long> offered = new ArrayDeque<>();
        long next = HANDLE;
        for (final int step : steps)
        {
            for (int i = 0; i < step; i++)
            {
                assertEquals(visible.size() + offered.size() < capacity, ring.offer(next, next + i, i));
                if (visible.size() + offered.size() < capacity)
                {
                    offered.add(next++);
                }
            }
            if (step == 0)
            {
                ring.publish();
                visible.addAll(offered);
                offered.clear();
            }
            if (step < 0)
            {
                final int count = ring.readable(-step);
                assertEquals(Math.min(-step, visible.size()), count);
                for (int i = 0; i < count; i++)
                {
                    assertEquals(visible.remove(), ring.handle(i));
                }
                ring.consume(count);
            }
            assertEquals(capacity - visible.size() - offered.size(), ring.room());
        }
    }
}
