package org.fibnuma.ipnuma.table;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;

import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Compares the status of every access, and every byte of the memory around it, with a slow model. */
class RegionTablePropertyTest
{
    private static final int MEMORY = 4096;
    private static final int SCRATCH = 1024;
    private static final int REGIONS = 5;
    private static final long[] KEYS = {Region.NO_KEY, 1, Long.MIN_VALUE, -1};
    private static final int[] SOURCES = {
        Ipv4Address.parse("10.9.0.1"), Ipv4Address.parse("10.9.1.1"), Ipv4Address.parse("192.0.2.7"), 0, -1};
    private static final List<Ipv4Prefix> PREFIXES = List.of(
        Ipv4Prefix.parse("10.9.0.0/24"), Ipv4Prefix.parse("10.9.0.0/16"), Ipv4Prefix.parse("192.0.2.7/32"),
        Ipv4Prefix.parse("128.0.0.0/1"), Ipv4Prefix.parse("0.0.0.0/0"));
    private static final int[] ODD_LENGTHS = {
        -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 1, 2, 4, 8, 16, 0x1000_0000, 65536};

    @Property(tries = 400)
    void shouldDoAsTheSlowModelDoes(@ForAll final long seed)
    {
        final Random random = new Random(seed);
        try (MemoryRegion memory = MemoryRegion.ofBytes(MEMORY + SCRATCH))
        {
            final RegionTable table = new RegionTable();
            final SlowRegions model = new SlowRegions(memory.address(), MEMORY);
            for (int i = 0; i < MEMORY; i++)
            {
                model.memory[i] = (byte)random.nextInt();
            }
            FrameMemory.putBytes(memory.address(), model.memory);
            for (int step = 0; step < 120; step++)
            {
                change(random, memory, table, model);
                access(random, memory, table, model);
            }
            assertArrayEquals(model.memory, image(memory.address(), MEMORY));
        }
    }

    private static void change(
        final Random random, final MemoryRegion memory, final RegionTable table, final SlowRegions model)
    {
        final int id = 1 + random.nextInt(REGIONS);
        switch (random.nextInt(6))
        {
            case 0 ->
            {
                assertEquals(model.isThere(id), table.region(id) != null);
                if (!model.isThere(id))
                {
                    final Region region = region(random, memory, id);
                    table.add(region);
                    model.add(region);
                }
            }
            case 1 ->
            {
                if (random.nextInt(4) == 0)
                {
                    assertEquals(model.revoke(id), table.revoke(id));
                }
            }
            case 2 ->
            {
                if (model.isThere(id))
                {
                    table.zero(id);
                    model.zero(id);
                }
            }
            default ->
            {
                // Most steps change nothing.
            }
        }
    }

    private static Region region(final Random random, final MemoryRegion memory, final int id)
    {
        final int start = random.nextInt(MEMORY / 8) * 8;
        final int length = 1 + random.nextInt(Math.min(MEMORY - start, 200));
        final List<Ipv4Prefix> allow = PREFIXES.subList(random.nextInt(3), 3 + random.nextInt(3));
        return new Region(
            id, "r" + id, memory.address() + start, length, random.nextInt(8), allow, pick(KEYS, random));
    }

    private static void access(
        final Random random, final MemoryRegion memory, final RegionTable table, final SlowRegions model)
    {
        final long scratch = memory.address() + MEMORY;
        final long address = address(random);
        final long key = pick(KEYS, random);
        final int source = SOURCES[random.nextInt(SOURCES.length)];
        final byte[] data = new byte[SCRATCH];
        random.nextBytes(data);
        FrameMemory.putBytes(scratch, data);
        final int length = random.nextInt(3) == 0 ? ODD_LENGTHS[random.nextInt(7)] : random.nextInt(100);
        switch (random.nextInt(3))
        {
            case 0 -> assertEquals(
                model.write(address, key, source, data, length), table.write(address, key, source, scratch, length));
            case 1 ->
            {
                final int readable = Math.min(length, SCRATCH);
                final int expected = model.read(address, key, source, data, readable);
                assertEquals(expected, table.read(address, key, source, scratch, readable));
                assertArrayEquals(data, image(scratch, SCRATCH));
            }
            default ->
            {
                final int operation = random.nextInt(5);
                final long operand = random.nextLong();
                final long compare = random.nextInt(2);
                final int width = random.nextInt(4) > 0 ? 4 << random.nextInt(2) : length;
                assertEquals(
                    model.atomic(operation, address, key, source, operand, compare, width),
                    table.atomic(operation, address, key, source, operand, compare, width));
                assertEquals(model.lastValue(), table.lastValue());
            }
        }
    }

    private static long address(final Random random)
    {
        final long offset = switch (random.nextInt(8))
        {
            case 0 -> random.nextInt() & RemoteAddress.OFFSET_MASK;
            case 1 -> RemoteAddress.OFFSET_MASK - random.nextInt(16);
            case 2 -> 0;
            case 3 -> random.nextInt(32) * 8;
            default -> random.nextInt(220);
        };
        final long beyond = random.nextInt(20) == 0 ? 1L << 48 + random.nextInt(16) : 0;
        return beyond | RemoteAddress.of(random.nextInt(REGIONS + 2), offset);
    }

    private static long pick(final long[] values, final Random random)
    {
        return values[random.nextInt(values.length)];
    }

    private static byte[] image(final long address, final int length)
    {
        final byte[] bytes = new byte[length];
        FrameMemory.getBytes(address, bytes);
        return bytes;
    }
}
