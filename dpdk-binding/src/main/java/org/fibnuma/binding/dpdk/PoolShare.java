package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.Mempool;
import org.fibnuma.binding.dpdk.layout.MbufLayout;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.core.frame.FramePool;

/**
 * Balances a worker's {@link FramePool} with the mempool, so that the pool stays at its level when the ports started.
 * Frames received by a driver and dropped by the worker fill the pool; the worker's own frames sent by a driver empty
 * it. A few hundred chunks at a time are moved to or from the mempool. Used by the worker, and before and after by the
 * control thread.
 */
final class PoolShare
{
    /** Chunks that a worker retains for messages, fragments and other ports when a port takes its share. */
    private static final int RESERVE = 1024;
    private static final int RESERVE_SHARE = 4;
    /** A few batches: the imbalance from which a call is worthwhile. */
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

    /**
     * Gives a port's share to the mempool; before any worker runs.
     *
     * @param frames that the port's rings can hold.
     */
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

    /** Moves chunks where the level is too far from the target, else only compares twice. On the worker's thread. */
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

    /** Gives the mempool all chunks over the pool's initial capacity. */
    void giveSurplus()
    {
        give(pool.available() - pool.capacity());
    }

    /** Takes chunks from the mempool up to the pool's initial capacity. */
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
