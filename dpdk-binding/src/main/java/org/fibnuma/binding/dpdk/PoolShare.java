package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.Mempool;
import org.fibnuma.binding.dpdk.layout.MbufLayout;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.core.frame.FramePool;

/**
 * Balances a worker's {@link FramePool} with the mempool, so that the pool stays at its level when the ports started.
 * Frames received by a driver and dropped by the worker fill the pool; the worker's own frames sent by a driver empty
 * it. A few hundred chunks at a time move to or from the mempool. Used by the worker; before its start and after its
 * end by the control thread.
 */
final class PoolShare
{
    /** Chunks that a worker retains for messages, fragments and other ports. */
    private static final int RESERVE = 1024;
    private static final int RESERVE_SHARE = 4;
    /** Imbalance of a few batches, from which on a call is worthwhile. */
    private static final int MOST_SLACK = 512;
    private static final int BURST = 256;

    private final FramePool pool;
    private final Mempool mempool;
    private final StructMemory mbufs = new StructMemory(BURST * Long.BYTES);
    private int target;
    private int least = Integer.MIN_VALUE;
    private int most = Integer.MAX_VALUE;

    PoolShare(final FramePool pool, final Mempool mempool)
    {
        this.pool = pool;
        this.mempool = mempool;
    }

    /** Moves a port's share to the mempool, as many frames as its rings can hold, before any worker runs. */
    void contribute(final int frames)
    {
        final int reserve = Math.min(RESERVE, pool.capacity() / RESERVE_SHARE);
        give(Math.min(frames, pool.available() - reserve));
    }

    /** Sets the target to the current level; called again for every port that starts. */
    void settle()
    {
        target = pool.available();
        final int slack = Math.min(MOST_SLACK, Math.max(1, target / 2));
        least = target - slack;
        most = target + slack;
    }

    /** Moves chunks if the level is too far from the target. On the worker's thread. */
    void balance()
    {
        final int available = pool.available();
        if (available > most)
        {
            give(available - target);
        }
        else if (available < least)
        {
            take(target - available);
        }
    }

    /** Moves all chunks over the pool's initial capacity to the mempool. */
    void giveSurplus()
    {
        give(pool.available() - pool.capacity());
    }

    /** Moves chunks from the mempool up to the pool's initial capacity. */
    void fillUp()
    {
        take(pool.capacity() - pool.available());
    }

    void close()
    {
        mbufs.close();
    }

    private void give(final int count)
    {
        int left = count;
        while (left > 0)
        {
            final int burst = Math.min(left, BURST);
            for (int i = 0; i < burst; i++)
            {
                mbufs.putLong(i * Long.BYTES, pool.allocate() + MbufLayout.IN_CHUNK);
            }
            mempool.put(mbufs.address(), burst);
            left -= burst;
        }
    }

    private void take(final int count)
    {
        int left = count;
        while (left > 0)
        {
            final int burst = Math.min(Math.min(left, BURST), mempool.count());
            if (burst == 0 || !mempool.take(mbufs.address(), burst))
            {
                return;
            }
            for (int i = 0; i < burst; i++)
            {
                pool.release(mbufs.getLong(i * Long.BYTES) - MbufLayout.IN_CHUNK);
            }
            left -= burst;
        }
    }
}
