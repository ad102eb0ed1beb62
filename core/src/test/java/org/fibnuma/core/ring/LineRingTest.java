package org.fibnuma.core.ring;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Producer and consumer of a ring of cache lines, against a queue of the JDK, in two threads, and with damage. */
class LineRingTest
{
    private static final int CAPACITY = 16;
    /** Length word of a line, the producer's and the consumer's word, as the layout has them. */
    private static final int LINES = 256;
    private static final int PRODUCER = 0;
    private static final int CONSUMER = 128;

    private final MemoryRegion memory = MemoryRegion.ofBytes(4096);
    private final MemoryRegion data = MemoryRegion.ofBytes(4096);
    private final UnsafeBuffer buffer =
        new UnsafeBuffer(memory.address(), LineRingProducer.bytes(CAPACITY));
    private final LineRingProducer producer = new LineRingProducer(buffer, CAPACITY);
    private final LineRingConsumer consumer = new LineRingConsumer(buffer, CAPACITY);

    /** A record as it was offered. */
    private record Sent(long first, int third, byte[] bytes)
    {
    }

    @AfterEach
    void close()
    {
        memory.close();
        data.close();
    }

    private boolean offer(final Sent record)
    {
        for (int i = 0; i < record.bytes().length; i++)
        {
            FrameMemory.putByte(data.address() + i, record.bytes()[i]);
        }
        return producer.offer(record.first(), ~record.first(), record.third(), data.address(), record.bytes().length);
    }

    private static byte[] bytes(final long address, final int length)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = FrameMemory.getByte(address + i);
        }
        return bytes;
    }

    private List<Sent> poll()
    {
        final List<Sent> records = new ArrayList<>();
        final int count = consumer.poll((first, second, third, address, length) ->
        {
            assertEquals(~first, second);
            return records.add(new Sent(first, third, bytes(address, length)));
        });
        assertEquals(records.size(), count);
        return records;
    }

    private void connect(final int number)
    {
        producer.connect(number);
        consumer.connect(number);
    }

    @Property(tries = 300)
    void shouldDeliverEachRecordOnceAndInOrder(@ForAll final long seed)
    {
        final LineRingTest ring = new LineRingTest();
        try
        {
            ring.shouldAgreeWithAQueue(new Random(seed));
        }
        finally
        {
            ring.close();
        }
    }

    private void shouldAgreeWithAQueue(final Random random)
    {
        connect(1);
        final Deque<Sent> queue = new ArrayDeque<>();
        for (int i = 0; i < 300; i++)
        {
            if (random.nextInt(4) > 0)
            {
                final byte[] bytes = new byte[1 + random.nextInt(random.nextBoolean() ? 40 : producer.longest())];
                random.nextBytes(bytes);
                // Data that looks like lengths and connections.
                Arrays.fill(bytes, bytes.length / 2, bytes.length, (byte)(random.nextInt(3)));
                final Sent record = new Sent(random.nextLong(), random.nextInt(), bytes);
                if (offer(record))
                {
                    queue.add(record);
                }
                else
                {
                    assertFalse(queue.isEmpty(), "an empty ring has no room for " + bytes.length + " bytes");
                }
                assertEquals(queue.size(), producer.unread());
            }
            else
            {
                for (final Sent record : poll())
                {
                    final Sent expected = queue.remove();
                    assertEquals(expected.first(), record.first());
                    assertEquals(expected.third(), record.third());
                    assertArrayEquals(expected.bytes(), record.bytes());
                }
                assertTrue(queue.isEmpty());
                assertEquals(0, producer.unread());
            }
        }
        assertTrue(consumer.isIntact());
    }

    /** The largest record needs a quarter of the lines, and always fits into an empty ring. */
    @Property(tries = 100)
    void shouldHaveRoomForTheLongestWhereverTheRingIsEmpty(@ForAll @IntRange(max = CAPACITY) final int before)
    {
        final LineRingTest ring = new LineRingTest();
        ring.connect(1);
        for (int i = 0; i < before; i++)
        {
            assertTrue(ring.offer(new Sent(1, 2, new byte[1])));
            ring.poll();
        }
        assertTrue(ring.offer(new Sent(3, 4, new byte[ring.producer.longest()])));
        assertEquals(1, ring.poll().size());
        ring.close();
    }

    @Test
    void shouldReadNothingOfAnEarlierConnection()
    {
        assertEquals(0, poll().size());
        connect(1);
        assertFalse(producer.isConnected());
        assertEquals(0, poll().size());
        assertTrue(producer.isConnected());
        assertTrue(offer(new Sent(1, 1, new byte[10])));
        assertEquals(1, poll().size());
        assertTrue(offer(new Sent(2, 2, new byte[200])));
        assertEquals(1, producer.unread());
        // The consumer knows of the next connection first.
        consumer.connect(2);
        assertEquals(0, poll().size());
        assertEquals(1, producer.unread());
        producer.connect(2);
        assertFalse(producer.isConnected());
        assertEquals(0, producer.unread());
        assertEquals(0, poll().size());
        assertTrue(offer(new Sent(3, 3, new byte[10])));
        assertEquals(1, producer.unread());
        assertEquals(3, poll().get(0).first());
        // The producer knows of it first.
        producer.connect(3);
        assertTrue(offer(new Sent(4, 4, new byte[10])));
        consumer.connect(3);
        assertEquals(4, poll().get(0).first());
        consumer.disconnect();
        assertTrue(offer(new Sent(5, 5, new byte[10])));
        assertEquals(0, poll().size());
        assertEquals(1, producer.unread());
    }

    @Test
    void shouldPassARecordAgainThatCouldNotBeProcessed()
    {
        connect(1);
        for (int i = 0; i < 3; i++)
        {
            assertTrue(offer(new Sent(i, i, new byte[8])));
        }
        final List<Long> passed = new ArrayList<>();
        assertEquals(1, consumer.poll((first, second, third, address, length) -> passed.add(first) && first == 0));
        assertEquals(2, producer.unread());
        assertEquals(2, consumer.poll((first, second, third, address, length) -> passed.add(first)));
        assertEquals(List.of(0L, 1L, 1L, 2L), passed);
    }

    @Test
    void shouldTellTheProducerWhichRecordWasRefusedLast()
    {
        connect(1);
        assertEquals(0, poll().size());
        final int[] ends = new int[6];
        for (int i = 0; i < ends.length; i++)
        {
            assertTrue(offer(new Sent(i, i, new byte[i == 2 ? 100 : 8])));
            ends[i] = producer.position();
        }
        assertEquals(0, producer.consumed());
        assertEquals(0, producer.note());
        final LineRingConsumer.Handler refusing = (first, second, third, address, length) ->
        {
            if (first == 2 || first == 5)
            {
                consumer.refuse((int)first * 50);
            }
            return first != 4 || producer.consumed() > 0;
        };
        assertEquals(4, consumer.poll(refusing));
        assertEquals(ends[3], producer.consumed());
        assertNote(1, 100, ends[2]);
        assertEquals(2, consumer.poll(refusing));
        assertEquals(ends[5], producer.consumed());
        assertNote(2, 250, ends[5]);
        connect(2);
        assertEquals(0, poll().size());
        assertEquals(0, producer.note());
        assertEquals(0, producer.consumed());
    }

    private void assertNote(final int count, final int status, final int position)
    {
        assertEquals(count, LineRingProducer.refusedCount(producer.note()));
        assertEquals(status, LineRingProducer.refusedStatus(producer.note()));
        assertEquals(position, LineRingProducer.refusedPosition(producer.note()));
    }

    @Test
    void shouldStopReadingWhatNoProducerWrites()
    {
        for (final int length : new int[] {
            Integer.MIN_VALUE, -2, producer.longest() + 1, Integer.MAX_VALUE, Integer.MAX_VALUE - 63})
        {
            connect(1);
            buffer.putInt(LINES, length);
            buffer.putInt(LINES + Integer.BYTES, 1);
            assertStopped();
        }
        connect(2);
        buffer.putInt(LINES + Integer.BYTES, 1);
        buffer.putInt(LINES, 8);
        assertStopped();
        connect(3);
        assertTrue(offer(new Sent(1, 1, new byte[8])));
        assertEquals(1, poll().size());
        assertTrue(consumer.isIntact());
    }

    private void assertStopped()
    {
        assertEquals(0, poll().size());
        assertFalse(consumer.isIntact());
        assertEquals(0, poll().size());
    }

    /** Memory that was truncated has zeros behind some offset when it is restored. */
    @Test
    void shouldFindOutThatItWasTruncated()
    {
        for (int end = 0; end < LineRingProducer.bytes(CAPACITY) - 64; end += Long.BYTES)
        {
            connect(1);
            poll();
            assertTrue(offer(new Sent(1, 1, new byte[8])));
            assertTrue(producer.isIntact() && consumer.isIntact());
            buffer.setMemory(end, LineRingProducer.bytes(CAPACITY) - end, (byte)0);
            assertFalse(producer.isIntact() || consumer.isIntact(), "at " + end);
        }
    }

    /** Every word of the ring may have any value at any time. */
    @Test
    void shouldSurviveAnyContent()
    {
        final Random random = new Random(7);
        for (int i = 0; i < 200_000; i++)
        {
            if (i % 20 == 0)
            {
                connect(1);
            }
            final int word = random.nextInt(LineRingProducer.bytes(CAPACITY) / Integer.BYTES) * Integer.BYTES;
            switch (random.nextInt(4))
            {
                case 0 -> buffer.putInt(word, random.nextInt(5) - 2);
                case 1 -> buffer.putInt(word, random.nextInt());
                case 2 -> buffer.putLong(CONSUMER, random.nextBoolean() ? 1L << 32 | random.nextInt(40) :
                    random.nextLong());
                default -> offer(new Sent(1, 1, new byte[1 + random.nextInt(producer.longest())]));
            }
            if (random.nextInt(100) == 0)
            {
                buffer.putInt(PRODUCER, random.nextInt(3));
            }
            assertTrue(consumer.poll((first, second, third, address, length) ->
                bytes(address, length).length > 0 && third != 5) <= CAPACITY);
            assertTrue(producer.unread() <= CAPACITY);
        }
    }

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void shouldPassRecordsBetweenTwoThreads() throws InterruptedException
    {
        final int count = 300_000;
        connect(1);
        final Thread sending = new Thread(() ->
        {
            final Random random = new Random(3);
            for (int i = 0; i < count; i++)
            {
                final int length = 8 + random.nextInt(random.nextInt(8) == 0 ? 200 : 24);
                for (int at = 0; at < length; at++)
                {
                    FrameMemory.putByte(data.address() + at, i + at);
                }
                while (!producer.offer(i, ~(long)i, -i, data.address(), length))
                {
                    Thread.onSpinWait();
                    Thread.yield();
                }
            }
        });
        sending.start();
        final Random random = new Random(3);
        final int[] next = new int[1];
        final LineRingConsumer.Handler handler = (first, second, third, address, length) ->
        {
            final int i = next[0]++;
            assertEquals(i, first);
            assertEquals(~(long)i, second);
            assertEquals(-i, third);
            assertEquals(8 + random.nextInt(random.nextInt(8) == 0 ? 200 : 24), length);
            for (int at = 0; at < length; at++)
            {
                assertEquals((byte)(i + at), FrameMemory.getByte(address + at));
            }
            return true;
        };
        while (next[0] < count)
        {
            if (consumer.poll(handler) == 0)
            {
                Thread.yield();
            }
        }
        sending.join();
        assertEquals(0, producer.unread());
        assertTrue(consumer.isIntact());
    }
}
