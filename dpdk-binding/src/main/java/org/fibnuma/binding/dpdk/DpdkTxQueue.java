package org.fibnuma.binding.dpdk;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.dpdk.eal.Eal;
import org.fibnuma.binding.dpdk.eal.EthDevice;
import org.fibnuma.binding.dpdk.eal.FunctionPointer;
import org.fibnuma.binding.dpdk.eal.Mempool;
import org.fibnuma.binding.dpdk.layout.MbufLayout;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.port.TxQueue;

/**
 * Collects the mbufs of frames and passes them to the driver in one burst for each flush; mbufs that the driver does
 * not accept wait for the next flush. A large part of a batch that was received from DPDK goes to the driver at once,
 * unless frames wait. The driver frees sent mbufs to the mempool. The start and length in an mbuf are written when its
 * frame is offered, unless those of the receiving driver are valid. The other fields are those of a free mbuf or of the
 * receiving driver.
 */
final class DpdkTxQueue implements TxQueue
{
    /** Fewest frames for which a call of the driver costs less than collecting them. */
    private static final int FEWEST_SENT_AT_ONCE = 32;

    private final Eal eal;
    private final Mempool mempool;
    private final int capacity;
    private final StructMemory mbufs;
    private final long firstMbuf;
    private long function;
    private long queue;
    /** Null for drivers other than memif's. */
    private MemifConnection connection;
    private boolean registered;
    private volatile boolean started;
    /** Index of the first mbuf that the driver has not accepted. */
    private int head;
    private int tail;

    DpdkTxQueue(final Eal eal, final Mempool mempool, final int capacity)
    {
        this.eal = eal;
        this.mempool = mempool;
        this.capacity = capacity;
        this.mbufs = new StructMemory(capacity * Long.BYTES);
        this.firstMbuf = mbufs.address();
    }

    void start(final EthDevice device, final int index, final MemifConnection memifConnection)
    {
        connection = memifConnection;
        function = device.txBurst();
        queue = device.txQueue(index);
        started = true;
    }

    void stop()
    {
        started = false;
    }

    @Override
    public boolean offer(final long handle, final long address, final int length)
    {
        if (tail == capacity && !makeRoom())
        {
            return false;
        }
        final long mbuf = handle + MbufLayout.IN_CHUNK;
        UnsafeApi.putLong(mbuf + MbufLayout.REARM_OFFSET, rearm(mbuf, address));
        UnsafeApi.putLong(mbuf + MbufLayout.PKT_LEN_OFFSET, lengths(length));
        UnsafeApi.putLong(firstMbuf + (long)tail * Long.BYTES, mbuf);
        tail++;
        return true;
    }

    @Override
    public int offer(final FrameBatch batch, final int from, final int to)
    {
        final int sent = sendReceived(batch, from, to);
        return sent + collect(batch, from + sent, to);
    }

    /** Passes many frames to the driver at once, in the array of mbufs in which they were received. */
    private int sendReceived(final FrameBatch batch, final int from, final int to)
    {
        if (to - from < FEWEST_SENT_AT_ONCE || tail > 0 || !started || batch.describer() != mempool ||
            batch.descriptors() == 0)
        {
            return 0;
        }
        return burst(batch.descriptors() + (long)from * Long.BYTES, to - from);
    }

    private int collect(final FrameBatch batch, final int from, final int to)
    {
        if (capacity - tail < to - from)
        {
            makeRoom();
        }
        final int count = Math.min(to - from, capacity - tail);
        final int end = from + count;
        final long pointers = firstMbuf + (long)(tail - from) * Long.BYTES;
        for (int i = FrameBatch.index(from); i < end; i++)
        {
            UnsafeApi.putLong(pointers + (long)i * Long.BYTES, batch.handle(i) + MbufLayout.IN_CHUNK);
        }
        if (batch.describer() != mempool)
        {
            describe(batch, from, count);
        }
        tail += count;
        return count;
    }

    private static void describe(final FrameBatch batch, final int from, final int count)
    {
        for (int i = from; i < from + count; i++)
        {
            final long mbuf = batch.handle(i) + MbufLayout.IN_CHUNK;
            UnsafeApi.putLong(mbuf + MbufLayout.REARM_OFFSET, rearm(mbuf, batch.address(i)));
            UnsafeApi.putLong(mbuf + MbufLayout.PKT_LEN_OFFSET, lengths(batch.length(i)));
        }
    }

    private static long rearm(final long mbuf, final long address)
    {
        return address - (mbuf + MbufLayout.SIZE) | MbufLayout.SINGLE_OWNER_ONE_SEGMENT;
    }

    private static long lengths(final int length)
    {
        return length | (long)length << MbufLayout.DATA_LEN_SHIFT;
    }

    @Override
    public void flush()
    {
        if (tail > head && started)
        {
            head += burst(firstMbuf + (long)head * Long.BYTES, tail - head);
            if (head == tail)
            {
                head = 0;
                tail = 0;
            }
        }
    }

    private int burst(final long pointers, final int count)
    {
        if (!registered)
        {
            eal.registerThread();
            registered = true;
        }
        return connection == null ?
            FunctionPointer.burst(function, queue, pointers, count) :
            connection.burst(function, queue, pointers, count);
    }

    private boolean makeRoom()
    {
        flush();
        if (head > 0)
        {
            UnsafeApi.copyMemory(firstMbuf + (long)head * Long.BYTES, firstMbuf, (long)(tail - head) * Long.BYTES);
            tail -= head;
            head = 0;
        }
        return tail < capacity;
    }

    /** Frees frames that the driver did not accept. Called after the worker has stopped. */
    void close()
    {
        if (tail > head)
        {
            mempool.freeFrames(firstMbuf + (long)head * Long.BYTES, tail - head);
        }
        head = 0;
        tail = 0;
        mbufs.close();
    }
}
