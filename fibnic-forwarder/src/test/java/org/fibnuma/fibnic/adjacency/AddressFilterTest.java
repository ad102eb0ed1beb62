package org.fibnuma.fibnic.adjacency;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AddressFilterTest
{
    private final AddressFilter filter = new AddressFilter();

    @Test
    void shouldContainNothingAtFirst()
    {
        final Random random = new Random(1);
        for (int i = 0; i < 100_000; i++)
        {
            assertFalse(filter.mayContain(random.nextInt()));
        }
    }

    @Test
    void shouldContainEveryAddressUntilItIsTakenOut()
    {
        final Random random = new Random(2);
        final Set<Integer> addresses = new HashSet<>(Set.of(0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE));
        // Far more than places, so that many share one.
        while (addresses.size() < 40_000)
        {
            addresses.add(random.nextInt());
        }
        addresses.forEach(filter::add);
        final Set<Integer> left = new HashSet<>(addresses);
        for (final int address : addresses)
        {
            assertTrue(filter.mayContain(address));
            filter.remove(address);
            left.remove(address);
            if (left.size() % 1000 == 0)
            {
                left.forEach(each -> assertTrue(filter.mayContain(each)));
            }
        }
        addresses.forEach(each -> assertFalse(filter.mayContain(each)));
    }

    @Test
    void shouldTellMostOtherAddressesApart()
    {
        for (int i = 0; i < 10; i++)
        {
            filter.add(0x0A00_0001 + (i << 8));
        }
        int alike = 0;
        final Random random = new Random(3);
        for (int i = 0; i < 1_000_000; i++)
        {
            alike += filter.mayContain(random.nextInt()) ? 1 : 0;
        }
        assertTrue(alike < 1000, () -> "more than one of a thousand");
        for (int host = 2; host < 255; host++)
        {
            assertFalse(filter.mayContain(0x0A00_0000 + host), "a host on the first network");
        }
    }

    @Test
    void shouldContainIpv6AddressesAndTellMostOthersApart()
    {
        final long network = 0x2001_0DB8_0000_0000L;
        for (int i = 0; i < 10; i++)
        {
            filter.add(network + i, 1);
            filter.add(0xFE80_0000_0000_0000L, 0x0200_00FF_FE00_0000L + i);
        }
        for (int i = 0; i < 10; i++)
        {
            assertTrue(filter.mayContain(network + i, 1));
            filter.remove(0xFE80_0000_0000_0000L, 0x0200_00FF_FE00_0000L + i);
        }
        int alike = 0;
        final Random random = new Random(4);
        for (int i = 0; i < 500_000; i++)
        {
            alike += filter.mayContain(network + random.nextInt(10), 2 + random.nextInt(1 << 20)) ? 1 : 0;
            alike += filter.mayContain(random.nextLong(), random.nextLong()) ? 1 : 0;
        }
        assertTrue(alike < 1000, () -> "more than one of a thousand");
        for (int i = 0; i < 10; i++)
        {
            filter.remove(network + i, 1);
            assertFalse(filter.mayContain(network + i, 1));
        }
    }
}
