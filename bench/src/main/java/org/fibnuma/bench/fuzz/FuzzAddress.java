package org.fibnuma.bench.fuzz;

import org.fibnuma.ipnuma.table.RemoteAddress;

import java.util.SplittableRandom;

/** Random remote addresses in regions, at their edges and outside them. */
final class FuzzAddress
{
    private static final int[] OFFSET_EDGES = {0, 3996, 4000, 4001, 4092, 4095, 4096, 8192, -1, -8, 0x7FFF_FFFF};

    private FuzzAddress()
    {
    }

    static long next(final SplittableRandom random)
    {
        final long offset = random.nextInt(4) == 0 ?
            OFFSET_EDGES[random.nextInt(OFFSET_EDGES.length)] :
            random.nextInt(4096);
        final int id = random.nextInt(random.nextBoolean() ? FuzzArena.OPEN + 1 : FuzzArena.REGIONS + 2);
        return RemoteAddress.of(id, offset);
    }
}
