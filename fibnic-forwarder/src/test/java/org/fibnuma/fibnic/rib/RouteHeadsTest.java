package org.fibnuma.fibnic.rib;

import org.fibnuma.core.wire.IpPrefix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

class RouteHeadsTest
{
    private static final int CHANGES = 200_000;
    private static final int PREFIXES = 40_000;

    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void shouldHoldWhatAMapHolds(final boolean isIpv6)
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final Map<IpPrefix, Integer> expected = new HashMap<>();
        final RouteRows rows = new RouteRows(isIpv6);
        final RouteHeads heads = new RouteHeads(rows);
        for (int i = 0; i < CHANGES; i++)
        {
            final IpPrefix prefix = prefix(isIpv6, random.nextInt(PREFIXES));
            final Integer before = expected.get(prefix);
            if (random.nextInt(3) > 0)
            {
                final int row = rows.take(prefix, RouteSource.MAIN, 0);
                heads.put(row);
                expected.put(prefix, row);
            }
            else if (before != null)
            {
                heads.remove(before);
                expected.remove(prefix);
            }
            if (before != null)
            {
                rows.free(before);
            }
            assertEquals(expected.size(), heads.size(), () -> "seed " + seed);
        }
        for (int number = 0; number < PREFIXES; number++)
        {
            final IpPrefix prefix = prefix(isIpv6, number);
            final int head = heads.get(prefix.high(), prefix.low(), prefix.bits());
            assertEquals(expected.getOrDefault(prefix, Rib.NONE), head, () -> "seed " + seed);
        }
    }

    @Test
    void shouldTellPrefixesOfOneAddressApart()
    {
        final RouteRows rows = new RouteRows(true);
        final RouteHeads heads = new RouteHeads(rows);
        for (int length = 0; length <= 128; length++)
        {
            heads.put(rows.take(IpPrefix.of(0, 0, length), RouteSource.MAIN, 0));
        }
        for (int length = 0; length <= 128; length++)
        {
            assertEquals(length, heads.get(0, 0, length));
        }
    }

    private static IpPrefix prefix(final boolean isIpv6, final int number)
    {
        return isIpv6 ? IpPrefix.of((long)number << 40, (long)number << 20, 108) : IpPrefix.of(number << 8, 24);
    }
}
