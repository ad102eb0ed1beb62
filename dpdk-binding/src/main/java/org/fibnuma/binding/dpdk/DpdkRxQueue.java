package org.fibnuma.binding.dpdk;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.dpdk.eal.Eal;
import org.fibnuma.binding.dpdk.eal.EthDevice;
import org.fibnuma.binding.dpdk.eal.FunctionPointer;
import org.fibnuma.binding.dpdk.eal.Mempool;
import org.fibnuma.binding.dpdk.layout.MbufLayout;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.port.RxQueue;

/**
 * Receives frames by one burst call and reads each mbuf once; frames stay in their mbufs. A frame that does not fit in
 * an mbuf has several segments; it is counted and freed.
 */
final class DpdkRxQueue implements RxQueue
{
    /** More frames than the ring of a driver holds. Some drivers receive endlessly. */
    private static final int MOST_UNREAD = 8192;

    private final Eal eal;
    private final Mempool mempool;
    private final PoolShare share;
    private final int ingressPort;
    private final StructMemory mbufs = new StructMemory(FrameBatch.CAPACITY * Long.BYTES);
    private final long firstMbuf = mbufs.address();
    /** Received frames with several segments or outside of this process's mbufs. */
    private volatile long segmented;
    private long function;
    private long queue;
    /** Null for drivers other than memif's. */
    private MemifConnection connection;
    private boolean registered;
    private volatile boolean started;

    DpdkRxQueue(final Eal eal, final PoolShare share, final Mempool mempool, final int ingressPort)
    {
        this.eal = eal;
        this.mempool = mempool;
        this.share = share;
        this.ingressPort = ingressPort;
    }

    void start(final EthDevice device, final int index, final MemifConnection memifConnection)
    {
        connection = memifConnection;
        function = device.rxBurst();
        queue = device.rxQueue(index);
        started = true;
    }

    /** Ends receiving and frees received frames, which some drivers do not. Called after the worker has stopped. */
    void stop()
    {
        int freed = 0;
        int count = started ? 1 : 0;
        while (count > 0 && freed < MOST_UNREAD)
        {
            count = burst(FrameBatch.CAPACITY);
            if (count > 0)
            {
                mempool.freeFrames(firstMbuf, count);
            }
            freed += count;
        }
        started = false;
    }

    @Override
    public int receive(final FrameBatch batch)
    {
        if (!started || !registered && !register())
        {
            return 0;
        }
        share.balance();
        final int count = burst(batch.room());
        return count == 0 ? 0 : add(batch, count);
    }

    private int burst(final int most)
    {
        return connection == null ?
            FunctionPointer.burst(function, queue, firstMbuf, most) :
            connection.burst(function, queue, firstMbuf, most);
    }

    private int add(final FrameBatch batch, final int count)
    {
        final int first = FrameBatch.index(batch.size());
        final int end = first + count;
        final long pointers = firstMbuf - (long)first * Long.BYTES;
        long rearms = 0;
        long flags = 0;
        long bytes = 0;
        // Without branches and calls and with one index, the JIT keeps invariant values in registers.
        for (int i = first; i < end; i++)
        {
            final long mbuf = UnsafeApi.getLong(pointers + (long)i * Long.BYTES);
            final long rearm = UnsafeApi.getLong(mbuf + MbufLayout.REARM_OFFSET);
            rearms |= rearm;
            flags |= UnsafeApi.getLong(mbuf + MbufLayout.OL_FLAGS_OFFSET);
            final int length = UnsafeApi.getInt(mbuf + MbufLayout.PKT_LEN_OFFSET);
            bytes += length;
            batch.prepare(
                i,
                mbuf - MbufLayout.IN_CHUNK,
                mbuf + MbufLayout.SIZE + (rearm & MbufLayout.DATA_OFF_MASK),
                length);
        }
        // Every mbuf has a segment: if the bitwise or of all numbers of segments is 1, each number is 1.
        if ((flags & MbufLayout.BUFFER_ELSEWHERE) != 0 ||
            (rearms & MbufLayout.NB_SEGS_MASK) != MbufLayout.ONE_SEGMENT)
        {
            return addOneByOne(batch, count);
        }
        batch.extend(count, ingressPort);
        if (first == 0)
        {
            batch.describedBy(mempool, firstMbuf);
            batch.bytes(bytes);
        }
        return count;
    }

    private int addOneByOne(final FrameBatch batch, final int count)
    {
        final int sizeBefore = batch.size();
        for (int i = 0; i < count; i++)
        {
            final long mbuf = UnsafeApi.getLong(firstMbuf + (long)i * Long.BYTES);
            final long rearm = UnsafeApi.getLong(mbuf + MbufLayout.REARM_OFFSET);
            final long flags = UnsafeApi.getLong(mbuf + MbufLayout.OL_FLAGS_OFFSET);
            if ((rearm & MbufLayout.NB_SEGS_MASK) == MbufLayout.ONE_SEGMENT &&
                (flags & MbufLayout.BUFFER_ELSEWHERE) == 0)
            {
                batch.add(
                    mbuf - MbufLayout.IN_CHUNK,
                    mbuf + MbufLayout.SIZE + (rearm & MbufLayout.DATA_OFF_MASK),
                    UnsafeApi.getInt(mbuf + MbufLayout.PKT_LEN_OFFSET),
                    ingressPort);
            }
            else
            {
                freeSegmented(firstMbuf + (long)i * Long.BYTES);
            }
        }
        return batch.size() - sizeBefore;
    }

    private void freeSegmented(final long mbufPointer)
    {
        mempool.freeFrames(mbufPointer, 1);
        // Written by the worker thread only, so that the increment need not be atomic.
        final long before = segmented;
        segmented = before + 1;
    }

    private boolean register()
    {
        eal.registerThread();
        registered = true;
        return true;
    }

    /** Returns the number of frames with several segments; any thread. */
    long dropped()
    {
        return segmented;
    }

    void close()
    {
        mbufs.close();
    }
}
