package org.fibnuma.ipnuma.table;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RegionTableTest
{
    private static final int ID = 3;
    private static final int LENGTH = 256;
    private static final long KEY = 0x8000_0000_0000_0001L;
    private static final int FRIEND = Ipv4Address.parse("10.9.0.2");
    private static final int UNKNOWN_SOURCE = Ipv4Address.parse("10.8.0.2");
    private static final long START = RemoteAddress.of(ID, 0);

    private final MemoryRegion memory = MemoryRegion.ofBytes(3 * LENGTH);
    private final long first = memory.address() + LENGTH;
    private final long scratch = memory.address() + 2 * LENGTH;
    private final RegionTable table = new RegionTable();

    @AfterEach
    void close()
    {
        memory.close();
    }

    @Test
    void shouldStoreEveryByteAndNoOther()
    {
        table.add(region(RegionAccess.WRITE));
        fill(scratch, LENGTH, 1);

        assertEquals(AccessStatus.OK, table.write(START + 5, KEY, FRIEND, scratch, 30));

        for (int i = -LENGTH; i < LENGTH; i++)
        {
            final int expected = i >= 5 && i < 35 ? i - 5 + 1 : 0;
            assertEquals((byte)expected, FrameMemory.getByte(first + i), "at " + i);
        }
    }

    @Test
    void shouldRefuseWhatLeavesTheRegion()
    {
        table.add(region(RegionAccess.ALL));

        assertEquals(AccessStatus.OK, table.write(START, KEY, FRIEND, scratch, LENGTH));
        assertEquals(AccessStatus.OUT_OF_RANGE, table.write(START, KEY, FRIEND, scratch, LENGTH + 1));
        assertEquals(AccessStatus.OUT_OF_RANGE, table.write(START + LENGTH, KEY, FRIEND, scratch, 1));
        assertEquals(AccessStatus.OUT_OF_RANGE, table.write(START + LENGTH - 3, KEY, FRIEND, scratch, 4));
        assertEquals(AccessStatus.OUT_OF_RANGE, table.write(START, KEY, FRIEND, scratch, Integer.MAX_VALUE));
        assertEquals(AccessStatus.OUT_OF_RANGE, table.write(START, KEY, FRIEND, scratch, -1));
        assertEquals(AccessStatus.OUT_OF_RANGE, table.write(START, KEY, FRIEND, scratch, Integer.MIN_VALUE));
        assertEquals(AccessStatus.OUT_OF_RANGE, table.write(START + 0xFFFF_FFFFL, KEY, FRIEND, scratch, 1));
        assertEquals(AccessStatus.OUT_OF_RANGE, table.write(START + 0xFFFF_FFFFL, KEY, FRIEND, scratch, 0x7FFF_FFFF));
        assertEquals(AccessStatus.OUT_OF_RANGE, table.write(START + 0x8000_0000L, KEY, FRIEND, scratch, 8));
        assertEquals(AccessStatus.OUT_OF_RANGE, table.atomic(
            AtomicOperation.SWAP, START + LENGTH - 4, KEY, FRIEND, 1, 0, 8));
    }

    @Test
    void shouldTakeNothingForLengthZero()
    {
        table.add(region(RegionAccess.ALL));

        assertEquals(AccessStatus.OK, table.write(START + LENGTH, KEY, FRIEND, scratch, 0));
        assertEquals(AccessStatus.OUT_OF_RANGE, table.write(START + LENGTH + 1, KEY, FRIEND, scratch, 0));
        assertEquals(AccessStatus.OK, table.read(START, KEY, FRIEND, scratch, 0));
    }

    @Test
    void shouldReachTheLastByteOfTheLargestRegionAndNoFurther()
    {
        // The address is not mapped: only the check is called, without an access.
        table.add(new Region(ID, "all", 1L << 40, Region.MAX_LENGTH, RegionAccess.WRITE, anyone(), KEY));

        assertEquals(AccessStatus.OK, table.check(RegionAccess.WRITE, START + 0xFFFF_FFFFL, KEY, FRIEND, 1));
        assertEquals(AccessStatus.OUT_OF_RANGE, table.check(RegionAccess.WRITE, START + 0xFFFF_FFFFL, KEY, FRIEND, 2));
        assertEquals(AccessStatus.OK, table.check(RegionAccess.WRITE, START, KEY, FRIEND, Integer.MAX_VALUE));
    }

    @Test
    void shouldRefuseUnknownSourcesWrongKeysAndKindsOfAccess()
    {
        table.add(region(RegionAccess.READ));

        assertEquals(AccessStatus.NO_ACCESS, table.read(START, KEY, UNKNOWN_SOURCE, scratch, 8));
        assertEquals(AccessStatus.WRONG_KEY, table.read(START, KEY ^ 1, FRIEND, scratch, 8));
        assertEquals(AccessStatus.WRONG_KEY, table.read(START, KEY ^ 1L << 63, FRIEND, scratch, 8));
        assertEquals(AccessStatus.WRONG_KEY, table.read(START, Region.NO_KEY, FRIEND, scratch, 8));
        assertEquals(AccessStatus.NO_ACCESS, table.write(START, KEY, FRIEND, scratch, 8));
        assertEquals(AccessStatus.NO_ACCESS, table.atomic(AtomicOperation.SWAP, START, KEY, FRIEND, 1, 0, 8));
        assertEquals(AccessStatus.NO_REGION, table.read(RemoteAddress.of(ID + 1, 0), KEY, FRIEND, scratch, 8));
        assertEquals(AccessStatus.NO_REGION, table.read(RemoteAddress.of(0, 0), KEY, FRIEND, scratch, 8));
        assertEquals(AccessStatus.NO_REGION, table.read(START | 1L << 48, KEY, FRIEND, scratch, 8));
        assertEquals(AccessStatus.NO_REGION, table.read(START | 1L << 63, KEY, FRIEND, scratch, 8));
    }

    @Test
    void shouldAnswerZerosWhereReadingIsRefused()
    {
        table.add(region(RegionAccess.ALL));
        fill(first, LENGTH, 7);
        fill(scratch, LENGTH, 9);

        assertEquals(AccessStatus.OUT_OF_RANGE, table.read(START + LENGTH - 4, KEY, FRIEND, scratch, 8));
        assertEquals(0, FrameMemory.getLong(scratch));
        assertEquals(17, FrameMemory.getByte(scratch + 8));
        assertEquals(AccessStatus.OK, table.read(START + 3, KEY, FRIEND, scratch, 2));
        assertEquals(10, FrameMemory.getByte(scratch));
        assertEquals(0, FrameMemory.getByte(scratch + 2));
    }

    @Test
    void shouldAdmitNobodyOnceRevoked()
    {
        final int added = table.add(region(RegionAccess.ALL));
        table.zero(ID);

        assertTrue(table.revoke(ID));
        assertFalse(table.revoke(ID));
        assertEquals(added + 1, table.epoch());
        assertEquals(AccessStatus.REVOKED, table.write(START, KEY, FRIEND, scratch, 4));
        assertEquals(AccessStatus.WRONG_KEY, table.write(START, KEY ^ 2, FRIEND, scratch, 4));
        assertEquals(AccessStatus.NO_REGION, table.write(0, KEY, FRIEND, scratch, 4));
        assertNull(table.region(ID));
        assertEquals(List.of(), table.regions());

        table.add(new Region(ID, "again", first, LENGTH, RegionAccess.ALL, anyone(), KEY + 1));
        assertEquals(AccessStatus.WRONG_KEY, table.write(START, KEY, FRIEND, scratch, 4));
        assertEquals(AccessStatus.OK, table.write(START, KEY + 1, FRIEND, scratch, 4));
    }

    @Test
    void shouldOpenRegionZeroToShortAddressesOnlyWhereChosen()
    {
        table.add(new Region(ID, "open", first, LENGTH, RegionAccess.WRITE, anyone(), Region.NO_KEY));
        assertEquals(AccessStatus.NO_REGION, table.write(8, Region.NO_KEY, UNKNOWN_SOURCE, scratch, 4));

        table.zero(ID);
        FrameMemory.putInt(scratch, 42);
        assertEquals(AccessStatus.OK, table.write(8, Region.NO_KEY, UNKNOWN_SOURCE, scratch, 4));
        assertEquals(42, FrameMemory.getInt(first + 8));
        assertEquals(AccessStatus.WRONG_KEY, table.write(8, 1, UNKNOWN_SOURCE, scratch, 4));
    }

    @Test
    void shouldChangeInOneStepAndTellTheValueBefore()
    {
        table.add(region(RegionAccess.ATOMIC));
        FrameMemory.putLong(first + 8, 40);

        assertEquals(AccessStatus.OK, table.atomic(AtomicOperation.FETCH_ADD, START + 8, KEY, FRIEND, 2, 0, 8));
        assertEquals(40, table.lastValue());
        assertEquals(AccessStatus.OK, table.atomic(AtomicOperation.COMPARE_SWAP, START + 8, KEY, FRIEND, 7, 41, 8));
        assertEquals(42, table.lastValue());
        assertEquals(42, FrameMemory.getLong(first + 8));
        assertEquals(AccessStatus.OK, table.atomic(AtomicOperation.COMPARE_SWAP, START + 8, KEY, FRIEND, -1, 42, 8));
        assertEquals(AccessStatus.OK, table.atomic(AtomicOperation.SWAP, START + 12, KEY, FRIEND, 5, 0, 4));
        assertEquals(0xFFFF_FFFFL, table.lastValue());
        assertEquals(AccessStatus.OK, table.atomic(AtomicOperation.FETCH_ADD, START + 8, KEY, FRIEND, 1, 0, 4));
        assertEquals(5L << 32, FrameMemory.getLong(first + 8));
    }

    @Test
    void shouldRefuseAtomicsOfOtherWidthsAlignmentsAndKinds()
    {
        table.add(region(RegionAccess.ATOMIC));

        assertEquals(AccessStatus.MISALIGNED, table.atomic(AtomicOperation.SWAP, START + 4, KEY, FRIEND, 1, 0, 8));
        assertEquals(AccessStatus.MISALIGNED, table.atomic(AtomicOperation.SWAP, START + 2, KEY, FRIEND, 1, 0, 4));
        for (final int width : new int[]{0, 1, 2, 3, 5, 7, 16})
        {
            assertEquals(AccessStatus.MISALIGNED, table.atomic(
                AtomicOperation.SWAP, START, KEY, FRIEND, 1, 0, width), "width " + width);
        }
        assertEquals(AccessStatus.MISALIGNED, table.atomic(0, START, KEY, FRIEND, 1, 0, 8));
        assertEquals(AccessStatus.MISALIGNED, table.atomic(4, START, KEY, FRIEND, 1, 0, 8));
        assertEquals(AccessStatus.OUT_OF_RANGE, table.atomic(AtomicOperation.SWAP, START, KEY, FRIEND, 1, 0, -8));
        assertEquals(0, FrameMemory.getLong(first));
    }

    @Test
    void shouldRefuseRegionsThatCannotBe()
    {
        table.add(region(RegionAccess.ALL));
        assertThrows(IllegalArgumentException.class, () -> table.add(region(RegionAccess.ALL)));
        assertThrows(IllegalArgumentException.class, () -> table.zero(ID + 1));
        assertThrows(IllegalArgumentException.class, () -> make(0, first, LENGTH));
        assertThrows(IllegalArgumentException.class, () -> make(65536, first, LENGTH));
        assertThrows(IllegalArgumentException.class, () -> make(ID, first + 4, LENGTH));
        assertThrows(IllegalArgumentException.class, () -> make(ID, 0, LENGTH));
        assertThrows(IllegalArgumentException.class, () -> make(ID, Long.MAX_VALUE - 7, LENGTH));
        assertThrows(IllegalArgumentException.class, () -> make(ID, first, 0));
        assertThrows(IllegalArgumentException.class, () -> make(ID, first, Region.MAX_LENGTH + 1));
        assertThrows(IllegalArgumentException.class, () -> region(8));
        assertNotEquals(Region.NO_KEY, Region.randomKey());
    }

    private Region region(final int access)
    {
        return new Region(ID, "box", first, LENGTH, access, List.of(Ipv4Prefix.parse("10.9.0.0/24")), KEY);
    }

    private static Region make(final int id, final long address, final long length)
    {
        return new Region(id, "odd", address, length, RegionAccess.ALL, anyone(), KEY);
    }

    private static List<Ipv4Prefix> anyone()
    {
        return List.of(Ipv4Prefix.parse("0.0.0.0/0"));
    }

    private static void fill(final long address, final int length, final int start)
    {
        for (int i = 0; i < length; i++)
        {
            FrameMemory.putByte(address + i, start + i);
        }
    }
}
