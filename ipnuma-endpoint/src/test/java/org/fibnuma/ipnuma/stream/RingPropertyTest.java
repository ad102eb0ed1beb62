package org.fibnuma.ipnuma.stream;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The positions of both ends of a ring against a queue of bytes. */
class RingPropertyTest
{
    private static final int CAPACITY = 64;

    @Property(tries = 400)
    void shouldCarryEachByteOnceAndInOrder(
        @ForAll @Size(max = 120) final List<@IntRange(min = -100, max = 100) Integer> steps,
        @ForAll final long seed)
    {
        final Random random = new Random(seed);
        final SendRing sender = new SendRing(CAPACITY);
        final ReceiveRing receiver = new ReceiveRing(CAPACITY);
        final byte[] ring = new byte[CAPACITY];
        final Queue<Byte> model = new ArrayDeque<>();
        int told = 0;
        for (final int step : steps)
        {
            if (step >= 0)
            {
                for (int left = step; left > 0 && sender.room() > 0;)
                {
                    final int part = Math.min(left, sender.contiguous());
                    for (int i = 0; i < part; i++)
                    {
                        final byte value = (byte)random.nextInt();
                        ring[sender.index() + i] = value;
                        model.add(value);
                    }
                    sender.advance(part);
                    left -= part;
                }
                assertTrue(receiver.onWritten(sender.sent()));
                assertEquals(model.size(), receiver.available());
            }
            else
            {
                for (int left = -step; left > 0 && receiver.available() > 0;)
                {
                    final int part = Math.min(left, receiver.contiguous());
                    for (int i = 0; i < part; i++)
                    {
                        assertEquals(model.remove(), ring[receiver.index() + i]);
                    }
                    receiver.consume(part);
                    told += part;
                    left -= part;
                }
                if (receiver.isCreditDue())
                {
                    assertEquals(told, receiver.consumed());
                    receiver.onCredited();
                    assertTrue(sender.onConsumed(told));
                }
            }
            assertTrue(sender.room() >= 0 && sender.room() <= CAPACITY - model.size());
            assertTrue(model.size() + sender.room() > CAPACITY - CAPACITY / 4);
        }
    }

    @Property(tries = 400)
    void shouldRefuseEveryPositionThatTheModelDoesNotAllow(
        @ForAll @IntRange(max = CAPACITY) final int written,
        @ForAll @IntRange(max = CAPACITY) final int consumed,
        @ForAll final long position)
    {
        final int read = Math.min(written, consumed);
        final SendRing sender = new SendRing(CAPACITY);
        final ReceiveRing receiver = new ReceiveRing(CAPACITY);
        sender.advance(written);
        assertTrue(receiver.onWritten(written));
        receiver.consume(read);
        receiver.onCredited();
        assertTrue(sender.onConsumed(read));
        final long limited = position & 0xFFFF_FFFF_FFFFL;
        final boolean isSent = limited >= read && limited <= written;
        assertEquals(isSent, sender.onConsumed(limited));
        final boolean fits = limited >= written && limited <= read + CAPACITY;
        assertEquals(fits, receiver.onWritten(limited));
        assertFalse(receiver.available() > CAPACITY || sender.room() > CAPACITY);
        for (int near = -2; near < CAPACITY + 2; near++)
        {
            final SendRing other = new SendRing(CAPACITY);
            other.advance(written);
            assertEquals(near >= 0 && near <= written, other.onConsumed(near));
        }
    }
}
