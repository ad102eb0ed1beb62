package org.fibnuma.core.ring;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DescriptorRingTest
{
    private static final long HANDLE = 0x7FFF_1234_5000L;

    @Test
    void shouldShowNothingBeforePublish()
    {
        final DescriptorRing ring = new DescriptorRing(4);
        assertTrue(ring.offer(HANDLE, HANDLE + 256, 60));
        assertEquals(0, ring.readable(4));
        ring.publish();
        assertEquals(1, ring.readable(4));
    }

    @Test
    void shouldKeepEveryBitOfADescriptor()
    {
        final DescriptorRing ring = new DescriptorRing(2);
        ring.offer(-4096, -4096 + 0x7FFF_FFFFL, Integer.MAX_VALUE);
        ring.offer(HANDLE, HANDLE - 1, 0);
        ring.publish();
        assertEquals(2, ring.readable(64));
        assertEquals(-4096, ring.handle(0));
        assertEquals(-4096 + 0x7FFF_FFFFL, ring.address(0));
        assertEquals(Integer.MAX_VALUE, ring.length(0));
        assertEquals(HANDLE, ring.handle(1));
        assertEquals(HANDLE - 1, ring.address(1));
        assertEquals(0, ring.length(1));
    }

    @Test
    void shouldRefuseWhenFullAndTakeAgainWhenConsumed()
    {
        final DescriptorRing ring = new DescriptorRing(4);
        for (int i = 0; i < 4; i++)
        {
            assertEquals(4 - i, ring.room());
            assertTrue(ring.offer(HANDLE + i, HANDLE + i, i));
        }
        assertFalse(ring.offer(HANDLE, HANDLE, 9));
        ring.publish();
        assertEquals(4, ring.readable(4));
        ring.consume(1);
        assertEquals(1, ring.room());
        assertTrue(ring.offer(HANDLE + 4, HANDLE + 4, 4));
        assertFalse(ring.offer(HANDLE, HANDLE, 9));
        ring.publish();
        assertEquals(4, ring.readable(4));
        for (int i = 0; i < 4; i++)
        {
            assertEquals(HANDLE + 1 + i, ring.handle(i));
        }
    }

    @Test
    void shouldWorkOverMemoryThatBothSidesWrap()
    {
        final ByteBuffer memory = ByteBuffer.allocateDirect(DescriptorRing.bytes(8));
        final DescriptorRing producer = new DescriptorRing(new UnsafeBuffer(memory), 8);
        final DescriptorRing consumer = new DescriptorRing(new UnsafeBuffer(memory), 8);
        for (int round = 0; round < 100; round++)
        {
            for (int i = 0; i < 5; i++)
            {
                assertTrue(producer.offer(HANDLE + round, HANDLE + round + i, i));
            }
            producer.publish();
            assertEquals(5, consumer.readable(64));
            assertEquals(HANDLE + round + 4, consumer.address(4));
            consumer.consume(5);
        }
    }

    @Test
    void shouldRefuseCapacitiesAndMemoryThatDoNotFit()
    {
        assertThrows(IllegalArgumentException.class, () -> new DescriptorRing(3));
        assertThrows(IllegalArgumentException.class, () -> new DescriptorRing(0));
        final UnsafeBuffer small = new UnsafeBuffer(ByteBuffer.allocateDirect(DescriptorRing.bytes(8) - 1));
        assertThrows(IndexOutOfBoundsException.class, () -> new DescriptorRing(small, 8));
    }
}
