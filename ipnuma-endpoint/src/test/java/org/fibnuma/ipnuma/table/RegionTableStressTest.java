package org.fibnuma.ipnuma.table;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.memory.OrderedMemory;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A reader that polls the last unit of a write sees all of that write, or of a later one. */
@Tag("stress")
@Timeout(60)
class RegionTableStressTest
{
    private static final int SLOTS = 16;
    private static final int SLOT = 256;
    private static final int WRITES = 300_000;
    private static final int ID = 1;

    @ParameterizedTest
    @ValueSource(ints = {8, 12, 64, 100, 256})
    void shouldPublishTheLastUnitAfterTheRest(final int length) throws InterruptedException
    {
        try (MemoryRegion memory = MemoryRegion.ofBytes(SLOTS * SLOT + SLOT))
        {
            final RegionTable table = new RegionTable();
            table.add(new Region(
                ID, "ring", memory.address(), SLOTS * SLOT, RegionAccess.WRITE,
                List.of(Ipv4Prefix.parse("0.0.0.0/0")), Region.NO_KEY));
            final Reader reader = new Reader(memory.address(), length);
            final Thread thread = new Thread(reader);
            thread.start();
            final long data = memory.address() + SLOTS * SLOT;
            for (int i = 1; i <= WRITES; i++)
            {
                fill(data, length, i);
                // The writer stays less than a round ahead, so that no slot is written while it is compared.
                while (i - reader.seen >= SLOTS)
                {
                    Thread.yield();
                }
                table.write(
                    RemoteAddress.of(ID, (long)(i % SLOTS) * SLOT), Region.NO_KEY, 0, data, length);
            }
            thread.join();
            assertEquals(0, reader.torn);
            assertEquals(WRITES, reader.seen);
        }
    }

    private static void fill(final long address, final int length, final int value)
    {
        for (int offset = 0; offset < length; offset += Integer.BYTES)
        {
            FrameMemory.putInt(address + offset, value);
        }
    }

    private static final class Reader implements Runnable
    {
        private final long memory;
        private final int length;
        private volatile int seen;
        private int torn;

        Reader(final long memory, final int length)
        {
            this.memory = memory;
            this.length = length;
        }

        @Override
        public void run()
        {
            for (int next = 1; next <= WRITES; next++)
            {
                final long slot = memory + (long)(next % SLOTS) * SLOT;
                while (OrderedMemory.getIntAcquire(slot + length - Integer.BYTES) != next)
                {
                    Thread.yield();
                }
                for (int offset = 0; offset < length; offset += Integer.BYTES)
                {
                    torn += FrameMemory.getInt(slot + offset) == next ? 0 : 1;
                }
                seen = next;
            }
        }
    }
}
