package org.fibnuma.ipnuma.memory;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Owns two regions and stores into one, for half a minute or until it is killed. */
public final class RegionWriter
{
    private static final int SLOTS = 4096;

    private RegionWriter()
    {
    }

    static long slot(final long i)
    {
        return Long.BYTES + i % SLOTS * Long.BYTES;
    }

    /**
     * Prints {@code r} when it has started.
     *
     * @param arguments directory of the endpoint, epoch.
     */
    public static void main(final String[] arguments)
    {
        final RegionStore store = RegionStore.open(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        store.open(new RegionRequest("of-a-client", 8, 4096, 1));
        final RegionMapping region = store.open(new RegionRequest("box", 7, 64 * 1024, 1)).mapping();
        System.out.print('r');
        System.out.flush();
        final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        for (long i = 1; System.nanoTime() - end < 0; i++)
        {
            region.putLongRelease(slot(i), i);
            region.putLongRelease(0, i);
        }
    }
}
