package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.RemoteAddress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random writes of one peer into the other's region, and the slow model that says what the region may hold: all ordered
 * writes up to one that the region itself names, and nothing else. Every ordered write is followed by its number.
 */
final class Traffic
{
    private static final int ORDERED_END = 1536;
    private static final int NUMBER = ORDERED_END;
    private static final int COUNTER = NUMBER + Long.BYTES;
    private static final int RELAXED = 1600;
    private static final int RELAXED_END = 4096;

    private final TestPeer from;
    private final TestPeer to;
    private final SplittableRandom random;
    private final List<Write> writes = new ArrayList<>();
    private final byte[] model = new byte[ORDERED_END];
    private int taken;
    private int relaxed;
    private int landed;
    private int atomics;
    private boolean isNumberOwed;

    Traffic(final TestPeer from, final TestPeer to, final long seed)
    {
        this.from = from;
        this.to = to;
        random = new SplittableRandom(seed);
    }

    int taken()
    {
        return taken;
    }

    /** Takes a step of random length, as far as the session has room. */
    void write()
    {
        final int count = random.nextInt(6);
        for (int i = 0; i < count; i++)
        {
            if (isNumberOwed && !writeNumber())
            {
                return;
            }
            switch (random.nextInt(12))
            {
                case 0 -> addAtomic();
                case 1, 2 -> writeRelaxed();
                default ->
                {
                    if (!writeOrdered())
                    {
                        return;
                    }
                }
            }
            if (random.nextInt(3) == 0)
            {
                from.session.flush();
            }
        }
        from.session.flush();
    }

    /** Completes what was begun, so that everything can land. */
    boolean finish()
    {
        final boolean isComplete = !isNumberOwed || writeNumber();
        from.session.flush();
        return isComplete;
    }

    /** The region holds the ordered writes up to its number, and perhaps the one whose number is still to come. */
    void check()
    {
        final long number = to.getLong(NUMBER);
        assertTrue(number >= landed && number <= taken, number + " is not in " + landed + " to " + taken);
        while (landed < number)
        {
            writes.get(landed++).apply(model);
        }
        final byte[] actual = to.memory.bytes(0, ORDERED_END);
        if (landed < writes.size() && !Arrays.equals(model, actual))
        {
            final byte[] next = model.clone();
            writes.get(landed).apply(next);
            assertArrayEquals(next, actual, "after write " + landed);
        }
        else
        {
            assertArrayEquals(model, actual, "after write " + landed);
        }
        final long counter = to.getLong(COUNTER);
        assertTrue(counter <= atomics, counter + " additions of " + atomics);
        for (int cell = 0; cell < (RELAXED_END - RELAXED) / Long.BYTES; cell++)
        {
            final long value = to.getLong(RELAXED + cell * Long.BYTES);
            assertTrue(value == 0 || value == cell + 1 && cell < relaxed, "relaxed cell " + cell + " is " + value);
        }
    }

    boolean isAnswered()
    {
        return from.previousValues.size() == atomics;
    }

    void checkOrderedLanded()
    {
        check();
        assertEquals(taken, landed);
    }

    void checkAllLanded()
    {
        checkOrderedLanded();
        assertEquals(atomics, to.getLong(COUNTER));
        for (int cell = 0; cell < relaxed; cell++)
        {
            assertEquals(cell + 1, to.getLong(RELAXED + cell * Long.BYTES));
        }
        for (int i = 0; i < from.previousValues.size(); i++)
        {
            assertEquals(Long.valueOf(i), from.previousValues.get(i));
        }
        assertEquals(atomics, from.previousValues.size());
    }

    /** The connection is gone: what landed stays, the rest does not come. */
    void cut()
    {
        check();
        final byte[] actual = to.memory.bytes(0, ORDERED_END);
        System.arraycopy(actual, 0, model, 0, ORDERED_END);
        while (writes.size() > landed)
        {
            writes.remove(writes.size() - 1);
        }
        // The numbers of what is lost are given again, to other writes: were one of the old ones to land, the region
        // would not be what the model says.
        taken = landed;
        isNumberOwed = false;
    }

    private boolean writeOrdered()
    {
        final byte[] bytes = new byte[1 + random.nextInt(random.nextInt(8) == 0 ? 700 : 24)];
        random.nextBytes(bytes);
        final int offset = random.nextInt(ORDERED_END - bytes.length + 1);
        if (!from.write(offset, bytes, true))
        {
            return false;
        }
        writes.add(new Write(offset, bytes));
        taken++;
        isNumberOwed = true;
        return writeNumber();
    }

    private boolean writeNumber()
    {
        isNumberOwed = !from.writeLong(NUMBER, taken, true);
        return !isNumberOwed;
    }

    private void writeRelaxed()
    {
        final int offset = RELAXED + relaxed * Long.BYTES;
        if (offset < RELAXED_END && from.writeLong(offset, relaxed + 1, false))
        {
            relaxed++;
        }
    }

    private void addAtomic()
    {
        if (from.session.atomic(AtomicOperation.FETCH_ADD, RemoteAddress.of(TestPeer.REGION, COUNTER), TestPeer.KEY,
            1, 0, Long.BYTES, atomics))
        {
            atomics++;
        }
    }

    private record Write(int offset, byte[] bytes)
    {
        void apply(final byte[] memory)
        {
            System.arraycopy(bytes, 0, memory, offset, bytes.length);
        }
    }
}
