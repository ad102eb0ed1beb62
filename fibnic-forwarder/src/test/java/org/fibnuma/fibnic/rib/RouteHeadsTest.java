package org.fibnuma.fibnic.rib;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

class RouteHeadsTest
{
    private static final int CHANGES = 200_000;
    private static final int PREFIXES = 40_000;

    @Test
    void shouldHoldWhatAMapHolds()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final Map<Long, Integer> expected = new HashMap<>();
        final RouteHeads heads = new RouteHeads();
        for (int i = 0; i < CHANGES; i++)
        {
            final long key = RouteKey.of(random.nextInt(PREFIXES) << 8, 24);
            if (random.nextInt(3) == 0)
            {
                expected.remove(key);
                heads.remove(key);
            }
            else
            {
                expected.put(key, i);
                heads.put(key, i);
            }
            assertEquals(expected.size(), heads.size(), () -> "seed " + seed);
        }
        for (int prefix = 0; prefix < PREFIXES; prefix++)
        {
            final long key = RouteKey.of(prefix << 8, 24);
            assertEquals(expected.getOrDefault(key, Rib.NONE), heads.get(key), () -> "seed " + seed);
        }
    }
}
