package org.fibnuma.bench.fuzz;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.RemoteAddress;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The memory that is attacked: one region of each kind, guards between them, and a copy of the expected content. Memory
 * that the attacker may not read is filled with {@link #SECRET}.
 */
final class FuzzArena implements AutoCloseable
{
    /** Source address that most regions permit. */
    static final int KNOWN_SOURCE = Ipv4Address.parse("10.9.0.2");
    /** Source address that no region permits; it differs from the other in so many bits that no mutation matches it. */
    static final int UNKNOWN_SOURCE = Ipv4Address.parse("117.54.127.131");
    /** Key of the region {@link #KEYED}, which only the attacker's fibnuma session has. */
    static final long KNOWN_KEY = 0x5EED_5EED_5EED_5EEDL;
    /** Value of every byte that may not be sent. */
    static final byte SECRET = (byte)0xC5;
    /** Number of regions; their ids are 1 to this number. */
    static final int REGIONS = 7;
    /** Distance of two regions in bytes; the rest of it after each region is a guard. */
    static final int BLOCK = 8192;
    /** Region that permits every access from {@link #KNOWN_SOURCE}; addresses without a region id refer to it. */
    static final int OPEN = 3;

    private static final int WRITE_ONLY = 1;
    private static final int READ_ONLY = 2;
    private static final int OTHERS = 4;
    private static final int UNKNOWN_KEY = 5;
    private static final int REVOKED = 6;
    private static final int KEYED = 7;
    private static final int LENGTH = 4001;
    private static final long SECRET_WORD = 0x0101_0101_0101_0101L * (SECRET & 0xFF);
    private static final int[] OFFSET_EDGES = {0, 3996, 4000, 4001, 4092, 4095, 4096, 8192, -1, -8, 0x7FFF_FFFF};
    private static final int WHOLE = (REGIONS + 2) * BLOCK;

    final RegionTable regions = new RegionTable();
    private final MemoryRegion memory = MemoryRegion.ofBytes(2 * WHOLE);
    private final long live = memory.address();
    private final long shadow = live + WHOLE;

    FuzzArena()
    {
        for (int offset = 0; offset < WHOLE; offset++)
        {
            FrameMemory.putByte(live + offset, SECRET);
        }
        final List<Ipv4Prefix> friends = List.of(Ipv4Prefix.parse("10.9.0.0/24"));
        final List<Ipv4Prefix> others = List.of(Ipv4Prefix.parse("192.0.2.0/24"));
        add(WRITE_ONLY, RegionAccess.WRITE, friends, Region.NO_KEY);
        add(READ_ONLY, RegionAccess.READ, friends, Region.NO_KEY);
        add(OPEN, RegionAccess.ALL, friends, Region.NO_KEY);
        add(OTHERS, RegionAccess.ALL, others, Region.NO_KEY);
        add(UNKNOWN_KEY, RegionAccess.ALL, friends, ~KNOWN_KEY);
        add(REVOKED, RegionAccess.ALL, friends, Region.NO_KEY);
        add(KEYED, RegionAccess.ALL, friends, KNOWN_KEY);
        regions.revoke(REVOKED);
        regions.zero(OPEN);
        FrameMemory.zero(block(READ_ONLY), LENGTH);
        FrameMemory.zero(block(OPEN), LENGTH);
        FrameMemory.zero(block(KEYED), LENGTH);
        FrameMemory.copy(live, shadow, WHOLE);
    }

    private void add(final int id, final int access, final List<Ipv4Prefix> allow, final long key)
    {
        regions.add(new Region(id, "r" + id, block(id), LENGTH, access, allow, key));
    }

    private long block(final int id)
    {
        return live + (long)id * BLOCK;
    }

    /** Returns a random remote address in a region, at its edges or outside all regions. */
    static long address(final SplittableRandom random)
    {
        final long offset = random.nextInt(4) == 0 ?
            OFFSET_EDGES[random.nextInt(OFFSET_EDGES.length)] :
            random.nextInt(4096);
        final int id = random.nextInt(random.nextBoolean() ? OPEN + 1 : REGIONS + 2);
        return RemoteAddress.of(id, offset);
    }

    /** Returns the offset of the first byte that changed without permission, or -1; permitted changes are accepted. */
    int changed(final int sourceIpv4, final boolean hasKeys)
    {
        if (sourceIpv4 == KNOWN_SOURCE)
        {
            accept(WRITE_ONLY);
            accept(OPEN);
            if (hasKeys)
            {
                accept(KEYED);
            }
        }
        for (int offset = 0; offset < WHOLE; offset += Long.BYTES)
        {
            if (FrameMemory.getLong(live + offset) != FrameMemory.getLong(shadow + offset))
            {
                return offset;
            }
        }
        return -1;
    }

    private void accept(final int id)
    {
        FrameMemory.copy(block(id), block(id) + WHOLE, LENGTH);
    }

    /** Returns whether outgoing bytes contain the secret. */
    static boolean isLeak(final long address, final int length)
    {
        for (long at = address + Long.BYTES - 1 & -Long.BYTES; at + Long.BYTES <= address + length; at += Long.BYTES)
        {
            if (FrameMemory.getLong(at) == SECRET_WORD)
            {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close()
    {
        memory.close();
    }
}
