package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.session.window.SlotPool;
import org.fibnuma.ipnuma.table.RegionTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** When hellos leave to peers that do not answer. */
class HelloTimesTest
{
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long START_NS = 77 * SECOND;
    private static final int PEERS = 2_000;
    private static final int BIN_MS = 10;

    private final TestMemory scratch = new TestMemory(1472);
    private final SlotPool pool = new SlotPool(1472, SlotPool.BLOCK);

    @AfterEach
    void close()
    {
        pool.close();
        scratch.close();
    }

    @Test
    void shouldWaitAHalfToAllOfEachInterval()
    {
        for (int seed = 0; seed < 100; seed++)
        {
            final List<Long> times = times(seed, 20 * SECOND);
            assertEquals(0, times.get(0), "the first hello leaves at once");
            for (int i = 1; i < times.size(); i++)
            {
                final long intervalNs = Math.min(SECOND, MILLISECOND << Math.min(i - 1, 20));
                final long waitNs = times.get(i) - times.get(i - 1);
                assertTrue(waitNs >= intervalNs - intervalNs / 2 && waitNs <= intervalNs,
                    "seed " + seed + ", hello " + i + ": " + waitNs + " ns of " + intervalNs);
            }
        }
    }

    @Test
    void shouldRepeatTheTimesOfASeedOnly()
    {
        assertEquals(times(5, 5 * SECOND), times(5, 5 * SECOND));
        assertNotEquals(times(5, 5 * SECOND), times(6, 5 * SECOND));
    }

    @Test
    void shouldSpreadHellosToPeersThatWentDownTogether()
    {
        final int fromMs = 30_000;
        final int toMs = 40_000;
        final int[] hellos = new int[(toMs - fromMs) / BIN_MS];
        final int[] quarters = new int[4];
        int count = 0;
        for (int peer = 0; peer < PEERS; peer++)
        {
            final List<Long> times = times(peer, toMs * MILLISECOND);
            for (int i = 1; i < times.size(); i++)
            {
                if (times.get(i) >= fromMs * MILLISECOND)
                {
                    hellos[(int)(times.get(i) / MILLISECOND - fromMs) / BIN_MS]++;
                    final long beyondHalfNs = times.get(i) - times.get(i - 1) - SECOND / 2;
                    quarters[(int)Math.min(3, 8 * beyondHalfNs / SECOND)]++;
                    count++;
                }
            }
        }
        final double mean = (double)count / hellos.length;
        // 3/4 of a second is the mean wait, so that 2,000 peers get 26.7 hellos in 10 ms.
        assertEquals(PEERS * BIN_MS / 750.0, mean, 0.5);
        for (final int quarter : quarters)
        {
            assertEquals(count / 4.0, quarter, count / 50.0, Arrays.toString(quarters));
        }
        // Poisson: the standard deviation of a bin is 5.2. In one burst, a bin in 75 would have all of 2,000.
        assertTrue(Arrays.stream(hellos).max().getAsInt() < 2 * mean, Arrays.toString(hellos));
        assertTrue(Arrays.stream(hellos).min().getAsInt() > mean / 5, Arrays.toString(hellos));
    }

    /** Returns when a session with a seed sends hellos, in ns from its {@link Session#connect()} on. */
    private List<Long> times(final long seed, final long durationNs)
    {
        final SessionSettings settings = new SessionSettings().slots(pool).random(new SplittableRandom(seed));
        try (Session session = new Session(0, settings, new RegionTable(), ChannelListener.NONE))
        {
            session.connect();
            final Hellos hellos = new Hellos();
            for (long nowNs = START_NS; nowNs - START_NS < durationNs; nowNs = session.dueNs(true, nowNs))
            {
                hellos.nowNs = nowNs;
                assertEquals(1, session.poll(hellos, nowNs));
            }
            return hellos.times;
        }
    }

    private final class Hellos implements DatagramOutput
    {
        private final List<Long> times = new ArrayList<>();
        private long nowNs;

        @Override
        public long claim(final int length)
        {
            return scratch.address();
        }

        @Override
        public void commit(final int length, final boolean ecnCapable)
        {
            times.add(nowNs - START_NS);
        }
    }
}
