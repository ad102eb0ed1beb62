package org.fibnuma.binding.afxdp;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.RxQueue;

/**
 * Receives frames from the RX ring into a batch, and replaces them by free chunks of the worker's pool in the FILL
 * ring. FILL is filled before RX is polled; otherwise an empty FILL ring would stay empty. Without a chunk the frame is
 * lost and counted by the kernel.
 * <p>
 * The socket may be replaced: the worker takes its steps of {@link SocketExchange} here, also for the
 * {@link XdpTxQueue} of the same socket and the {@link XdpKernelQueue}.
 */
final class XdpRxQueue implements RxQueue
{
    /** Missing chunks before FILL is filled up. Many chunks need one index update, which the kernel has to fetch. */
    private static final int REFILL_STEP = 32;

    private final LibC libC = LibC.get();
    private final SocketExchange exchange = new SocketExchange();
    private final FramePool pool;
    private final ChunksInKernel chunks;
    private final XdpTxQueue txQueue;
    private final XdpKernelQueue kernelQueue;
    private final int ingressPort;
    private final boolean busyPolls;
    private final long base;
    private final long chunkMask;
    private ConsumerRing rx;
    private ProducerRing fill;
    private int fd;
    private int fillTarget;
    private int refillStep;
    /** Length of a frame that fills its buffer; written by the control thread while the worker uses no socket. */
    private int longestFrame = Integer.MAX_VALUE;
    /** Whether frames may have the metadata of {@link FlowProgram}. */
    private volatile boolean readsFlowHints;
    /** Written by the worker. */
    private volatile long truncated;
    /** Chunks owned by the kernel: in FILL, being received into, in RX. */
    private int held;

    /**
     * Creates a queue without a socket, and with the other queues of its worker. With {@code busyPolls}, the driver is
     * polled when there are no frames.
     */
    XdpRxQueue(
        final FramePool pool,
        final ChunksInKernel chunks,
        final XdpTxQueue txQueue,
        final XdpKernelQueue kernelQueue,
        final int ingressPort,
        final boolean busyPolls)
    {
        this.pool = pool;
        this.chunks = chunks;
        this.txQueue = txQueue;
        this.kernelQueue = kernelQueue;
        this.ingressPort = ingressPort;
        this.busyPolls = busyPolls;
        this.base = pool.region().address();
        this.chunkMask = -pool.chunkSize();
    }

    /** Returns the socket exchange, for the control thread. */
    SocketExchange exchange()
    {
        return exchange;
    }

    /**
     * Sets the next socket, bound or not, whose RX and FILL rings only this queue uses. Control thread, in phase
     * {@code EMPTY}.
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

    /** Sets the length in bytes of a frame that fills its buffer, because it is a piece of a longer one. */
    void longestFrame(final int bytes)
    {
        longestFrame = bytes;
    }

    /** Sets whether the metadata in front of frames is read as the number of a direction; control thread. */
    void readsFlowHints(final boolean reads)
    {
        readsFlowHints = reads;
    }

    /** Returns the number of frames that filled their buffer; any thread. */
    long truncated()
    {
        return truncated;
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

    /** Receives frames that arrived before the socket is closed, then takes the worker's next step. */
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
        final boolean hasHints = readsFlowHints;
        final int first = batch.size();
        for (int i = 0; i < count; i++)
        {
            final long entry = rx.entry(i);
            final long offset = UnsafeApi.getLong(entry + XdpLayout.DESC_ADDR_OFFSET);
            final long address = base + offset;
            chunks.remove(offset);
            final int length = UnsafeApi.getInt(entry + XdpLayout.DESC_LEN_OFFSET);
            if (length >= longestFrame)
            {
                onTruncated();
            }
            batch.add(address & chunkMask, address, length, ingressPort);
            if (hasHints)
            {
                batch.flowHint(first + i, UnsafeApi.getInt(address - FlowProgram.METADATA_LENGTH));
            }
        }
        rx.release(count);
        held -= count;
    }

    private void onTruncated()
    {
        truncated++;
    }

    /** Takes the worker's next step. On the worker's thread, or on another one while the worker does not run. */
    void step()
    {
        switch (exchange.phase())
        {
            case STOP ->
            {
                txQueue.stop();
                kernelQueue.stop();
                exchange.phase(SocketExchange.Phase.IDLE);
            }
            case CLOSED ->
            {
                txQueue.end();
                kernelQueue.end();
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
                kernelQueue.start();
                exchange.phase(SocketExchange.Phase.IN_USE);
            }
            default ->
            {
            }
        }
    }

    /** Adds chunks to FILL until it is full or the pool is empty. */
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
