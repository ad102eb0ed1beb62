package org.fibnuma.fibnic.adjacency;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
            assertEquals(0, filter.mayContain(random.nextInt()));
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
            assertEquals(1, filter.mayContain(address));
            filter.remove(address);
            left.remove(address);
            if (left.size() % 1000 == 0)
            {
                left.forEach(each -> assertEquals(1, filter.mayContain(each)));
            }
        }
        addresses.forEach(each -> assertEquals(0, filter.mayContain(each)));
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
            alike += (int)filter.mayContain(random.nextInt());
        }
        assertTrue(alike < 1000, () -> "more than one of a thousand");
        for (int host = 2; host < 255; host++)
        {
            assertEquals(0, filter.mayContain(0x0A00_0000 + host), "a host on the first network");
        }
    }
}
