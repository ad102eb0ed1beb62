package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.dpdk.eal.Mempool;
import org.fibnuma.binding.dpdk.layout.MbufLayout;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.core.frame.FramePool;

/**
 * Keeps a worker's {@link FramePool} as full as it was when the ports started: frames that a driver received and the
 * worker dropped fill it, frames of its own that a driver sent empty it, and now and then a few hundred chunks go to
 * the mempool or come from it. Used by the worker, before and after by the control thread.
 */
final class PoolShare
{
    /** Chunks that stay with the worker for messages, fragments and other ports when a port takes its part. */
    private static final int RESERVE = 1024;
    private static final int RESERVE_SHARE = 4;
    /** A few batches: what may gather before it is worth a call. */
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
     * Gives a port's part to the mempool; before any worker runs.
     *
     * @param frames that the port's rings can hold.
     */
    void contribute(final int frames)
    {
        final int reserve = Math.min(RESERVE, pool.capacity() / RESERVE_SHARE);
        give(Math.min(frames, pool.available() - reserve));
    }

    /** Takes the present state as the one to keep; again with every port that starts. */
    void settle()
    {
        target = pool.available();
        final int slack = Math.min(MOST_SLACK, Math.max(1, target / 2));
        least = target - slack;
        most = target + slack;
    }

    /** Evens out what has gathered; two comparisons while there is nothing. On the worker's thread. */
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

    /** Gives to the mempool what the pool has more than it was made with. */
    void giveSurplus()
    {
        give(pool.available() - pool.capacity());
    }

    /** Takes from the mempool what the pool has less than it was made with. */
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
