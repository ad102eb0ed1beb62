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
 * <p>
 * The socket below may be exchanged: the worker takes its steps of {@link SocketExchange} here, for the
 * {@link XdpTxQueue} of the same socket too.
 */
final class XdpRxQueue implements RxQueue
{
    /** Chunks missing before FILL is filled up: one index update, which the kernel's side has to fetch, for many. */
    private static final int REFILL_STEP = 32;

    private final LibC libC = LibC.get();
    private final SocketExchange exchange = new SocketExchange();
    private final FramePool pool;
    private final ChunksInKernel chunks;
    private final XdpTxQueue txQueue;
    private final int ingressPort;
    private final boolean busyPolls;
    private final long base;
    private final long chunkMask;
    private ConsumerRing rx;
    private ProducerRing fill;
    private int fd;
    private int fillTarget;
    private int refillStep;
    /** Chunks with the kernel: in FILL, being received into, in RX. */
    private int held;

    /**
     * Without a socket yet.
     *
     * @param pool        of the worker.
     * @param chunks      of the sockets to come.
     * @param txQueue     over the same sockets.
     * @param ingressPort index that goes into batches.
     * @param busyPolls   whether the driver is polled when there are no frames.
     */
    XdpRxQueue(
        final FramePool pool,
        final ChunksInKernel chunks,
        final XdpTxQueue txQueue,
        final int ingressPort,
        final boolean busyPolls)
    {
        this.pool = pool;
        this.chunks = chunks;
        this.txQueue = txQueue;
        this.ingressPort = ingressPort;
        this.busyPolls = busyPolls;
        this.base = pool.region().address();
        this.chunkMask = -pool.chunkSize();
    }

    /** Where the exchange of sockets is; the control thread takes its steps by it. */
    SocketExchange exchange()
    {
        return exchange;
    }

    /**
     * Gives the queue the socket that it fills next; control thread, where the phase is {@code EMPTY}.
     *
     * @param socket that need not be bound yet, whose RX and FILL rings nobody else uses.
     */
    void open(final XdpSocket socket)
    {
        open(new ConsumerRing(socket.rx(), XdpLayout.DESC_SIZE), new ProducerRing(socket.fill(), Long.BYTES),
            socket.fill().size(), socket.fd());
    }

    void open(final ConsumerRing rxRing, final ProducerRing fillRing, final int fillSize, final int socket)
    {
        rx = rxRing;
        fill = fillRing;
        fd = socket;
        fillTarget = fillSize;
        refillStep = Math.min(REFILL_STEP, fillTarget / 2);
        exchange.phase(SocketExchange.Phase.OPENED);
    }

    @Override
    public int receive(final FrameBatch batch)
    {
        if (!exchange.isInUse())
        {
            return onExchange(batch);
        }
        if (fillTarget - held >= refillStep)
        {
            refill();
        }
        final int count = Math.min(rx.readable(), batch.room());
        if (count > 0)
        {
            take(batch, count);
        }
        else if (busyPolls || fill.needsWakeup())
        {
            libC.recv(fd, 0, 0, SysSocket.MSG_DONTWAIT);
        }
        return count;
    }

    /** What has come in before the socket is given up is received like everything else. */
    private int onExchange(final FrameBatch batch)
    {
        final int count = exchange.phase() == SocketExchange.Phase.STOP ? Math.min(rx.readable(), batch.room()) : 0;
        if (count > 0)
        {
            take(batch, count);
        }
        else
        {
            step();
        }
        return count;
    }

    private void take(final FrameBatch batch, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final long entry = rx.entry(i);
            final long offset = UnsafeApi.getLong(entry + XdpLayout.DESC_ADDR_OFFSET);
            final long address = base + offset;
            chunks.remove(offset);
            batch.add(address & chunkMask, address, UnsafeApi.getInt(entry + XdpLayout.DESC_LEN_OFFSET), ingressPort);
        }
        rx.release(count);
        held -= count;
    }

    /** Takes the worker's next step; its thread, or another while it does not run. */
    void step()
    {
        switch (exchange.phase())
        {
            case STOP ->
            {
                txQueue.stop();
                exchange.phase(SocketExchange.Phase.IDLE);
            }
            case CLOSED ->
            {
                txQueue.end();
                chunks.release(pool);
                held = 0;
                exchange.phase(SocketExchange.Phase.EMPTY);
            }
            case OPENED ->
            {
                refill();
                exchange.phase(SocketExchange.Phase.FILLED);
            }
            case READY ->
            {
                txQueue.start();
                exchange.phase(SocketExchange.Phase.IN_USE);
            }
            default ->
            {
            }
        }
    }

    /** Gives the kernel as many chunks as it has room for and the pool has. */
    private void refill()
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
            chunks.add(chunk - base);
            held++;
        }
        if (held != before)
        {
            fill.publish();
        }
    }
}
