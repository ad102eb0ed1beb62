package org.fibnuma.ipnuma.client.host;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.fibnuma.ipnuma.client.ClientLayout;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Agrona's reader gets what was published, also if some records were claimed and never published. */
class AnswerRingTest
{
    private static final int CAPACITY = 4096;
    private static final int TYPE = 7;

    private final UnsafeBuffer buffer =
        new UnsafeBuffer(ByteBuffer.allocateDirect(ClientLayout.ringLength(CAPACITY)));
    private final AnswerRing ring = new AnswerRing(buffer, CAPACITY);
    private final OneToOneRingBuffer reader = new OneToOneRingBuffer(buffer);

    @Test
    void shouldPassEveryPublishedRecordBesideThoseThatWereInterrupted()
    {
        final Random random = new Random(5);
        final List<Long> published = new ArrayList<>();
        final List<Long> read = new ArrayList<>();
        int interrupted = 0;
        for (long value = 1; value <= 20_000; value++)
        {
            final int length = Long.BYTES + random.nextInt(200);
            final int at = ring.claim(length);
            if (at != AnswerRing.NONE)
            {
                buffer.putLong(at, value);
                if (random.nextInt(4) != 0)
                {
                    ring.commit(at, TYPE, length);
                    published.add(value);
                }
                else
                {
                    interrupted++;
                }
            }
            if (at == AnswerRing.NONE || random.nextInt(10) == 0)
            {
                reader.read((type, from, index, size) ->
                {
                    assertEquals(TYPE, type);
                    read.add(from.getLong(index));
                });
            }
        }
        assertFalse(ring.isBroken());
        assertTrue(interrupted > 1000, "interrupted: " + interrupted);
        // The last one may be behind a record that nobody has published yet.
        ring.commit(ring.claim(Long.BYTES), TYPE, Long.BYTES);
        reader.read((type, from, index, size) -> read.add(from.getLong(index)));
        read.remove(read.size() - 1);
        assertEquals(published, read);
    }
}
