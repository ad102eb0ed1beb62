package org.fibnuma.binding.libc;

import org.fibnuma.core.memory.SoftwarePrefetch;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

class MachineCodePrefetchTest
{
    private static final int COUNT = 64;
    private static final int GUARD = 0x1234_5678;

    @Test
    void shouldBeThePrefetchOfTheProcess()
    {
        assertInstanceOf(MachineCodePrefetch.class, SoftwarePrefetch.load());
    }

    @Test
    void shouldTakeAnyAddressWithoutAFaultAndWriteNothing()
    {
        final SoftwarePrefetch prefetch = SoftwarePrefetch.load();
        final boolean known = "amd64".equals(System.getProperty("os.arch"));
        final Random random = new Random(64);
        try (StructMemory addresses = new StructMemory(COUNT * Long.BYTES + Integer.BYTES);
            StructMemory line = new StructMemory(Long.BYTES))
        {
            addresses.putInt(COUNT * Long.BYTES, GUARD);
            line.putLong(0, GUARD);
            for (int round = 0; round < 20_000; round++)
            {
                final int count = random.nextInt(COUNT + 1);
                long sum = 0;
                for (int i = 0; i < COUNT; i++)
                {
                    final long address = i % 3 == 0 ? line.address() : random.nextLong();
                    addresses.putLong(i * Long.BYTES, address);
                    sum += address;
                }
                assertEquals(known, prefetch.prefetch(addresses.address(), count));
                for (int i = 0; i < COUNT; i++)
                {
                    sum -= addresses.getLong(i * Long.BYTES);
                }
                assertEquals(0, sum);
            }
            assertEquals(GUARD, line.getLong(0));
            assertEquals(GUARD, addresses.getInt(COUNT * Long.BYTES));
        }
    }
}
