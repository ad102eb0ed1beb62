package org.fibnuma.ipnuma.seal;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ReplayWindowPropertyTest
{
    private static final int[] STEPS = {1, 3, 64, 1023, 1024, 1025, 5000, 100_000};

    @Property(tries = 200)
    void shouldTakeEachCounterOnceAsASetDoes(@ForAll final long seed)
    {
        final Random random = new Random(seed);
        final ReplayWindow window = new ReplayWindow();
        final Set<Long> seen = new HashSet<>();
        long highest = 0;
        for (int i = 0; i < 3000; i++)
        {
            final int step = STEPS[random.nextInt(random.nextInt(STEPS.length) + 1)];
            final long counter = highest + random.nextInt(2 * step + 1) - step;
            final boolean expected = counter > 0 && highest - counter < ReplayWindow.SIZE && !seen.contains(counter);
            assertEquals(expected, window.isNew(counter), "counter " + counter + " after " + highest);
            if (expected && random.nextInt(4) != 0)
            {
                window.record(counter);
                seen.add(counter);
                highest = Math.max(highest, counter);
            }
        }
    }
}
