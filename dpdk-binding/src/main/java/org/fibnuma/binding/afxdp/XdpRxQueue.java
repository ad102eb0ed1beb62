package org.fibnuma.binding.afxdp;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.RxQueue;

/**
 * Frames from the RX ring into a batch, and free chunks from the worker's pool into the FILL ring in their place:
 * always before looking for frames, or an empty FILL ring would stay empty. A frame that finds no chunk is lost and
 * counted by the kernel.
 */
final class XdpRxQueue implements RxQueue
{
    /** Chunks missing before FILL is filled up: one index update, which the kernel's side has to fetch, for many. */
    private static final int REFILL_STEP = 32;

    private final LibC libC = LibC.get();
    private final ConsumerRing rx;
    private final ProducerRing fill;
    private final FramePool pool;
    private final int fd;
    private final int ingressPort;
    private final boolean busyPolls;
    private final long base;
    private final long chunkMask;
    private final int fillTarget;
    private final int refillStep;
    /** Chunks with the kernel: in FILL, being received into, in RX. */
    private int held;

    /**
     * Over a socket that need not be bound yet.
     *
     * @param socket      whose RX and FILL rings nobody else uses.
     * @param pool        of the worker.
     * @param ingressPort index that goes into batches.
     * @param busyPolls   whether the driver is polled when there are no frames.
     */
    XdpRxQueue(final XdpSocket socket, final FramePool pool, final int ingressPort, final boolean busyPolls)
    {
        this.rx = new ConsumerRing(socket.rx(), XdpLayout.DESC_SIZE);
        this.fill = new ProducerRing(socket.fill(), Long.BYTES);
        this.pool = pool;
        this.fd = socket.fd();
        this.ingressPort = ingressPort;
        this.busyPolls = busyPolls;
        this.base = pool.region().address();
        this.chunkMask = -pool.chunkSize();
        this.fillTarget = socket.fill().size();
        this.refillStep = Math.min(REFILL_STEP, fillTarget / 2);
    }

    @Override
    public int receive(final FrameBatch batch)
    {
        if (fillTarget - held >= refillStep)
        {
            refill();
        }
        final int count = Math.min(rx.readable(), batch.room());
        if (count > 0)
        {
            for (int i = 0; i < count; i++)
            {
                final long entry = rx.entry(i);
                final long address = base + UnsafeApi.getLong(entry + XdpLayout.DESC_ADDR_OFFSET);
                batch.add(
                    address & chunkMask, address, UnsafeApi.getInt(entry + XdpLayout.DESC_LEN_OFFSET), ingressPort);
            }
            rx.release(count);
            held -= count;
        }
        else if (busyPolls || fill.needsWakeup())
        {
            libC.recv(fd, 0, 0, SysSocket.MSG_DONTWAIT);
        }
        return count;
    }

    /** Gives the kernel as many chunks as it has room for and the pool has. */
    void refill()
    {
        final int before = held;
        while (held < fillTarget)
        {
            final long chunk = pool.allocate();
            if (chunk == FramePool.NONE)
            {
                break;
            }
            UnsafeApi.putLong(fill.next(), chunk - base);
            held++;
        }
        if (held != before)
        {
            fill.publish();
        }
    }

    /**
     * Gives the chunks that the rings still have back to the pool. After the socket was closed; what the kernel had
     * taken for itself is lost until the region is closed.
     */
    void reclaim()
    {
        for (int i = fill.leftOver() - 1; i >= 0; i--)
        {
            pool.release(base + (UnsafeApi.getLong(fill.leftOver(i)) & chunkMask));
            held--;
        }
        final int unread = rx.readable();
        for (int i = 0; i < unread; i++)
        {
            pool.release(base + (UnsafeApi.getLong(rx.entry(i)) & chunkMask));
        }
        rx.release(unread);
        held -= unread;
    }
}
