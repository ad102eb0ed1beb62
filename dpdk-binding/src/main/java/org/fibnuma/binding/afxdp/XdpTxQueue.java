package org.fibnuma.binding.afxdp;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;

/**
 * Frames into the TX ring, and chunks of sent frames from the COMPLETION ring back to the worker's pool. In copy mode
 * the kernel sends only inside a system call of ours, so the frames of a whole batch share one; in zero-copy mode a
 * call is made only where the driver sleeps. While nothing is on its way nothing shared is touched.
 * <p>
 * Where there is a {@link RedirectTransmit}, bursts leave by that: entries that the kernel has not seen are taken out
 * of the ring again. It pays the more the longer the burst, so while each flush brings another half a batch, the
 * frames are held back for some flushes; the first that brings less sends them all.
 */
final class XdpTxQueue implements TxQueue
{
    /** System calls for one flush while each of them gets some frames away; the rest waits for the next flush. */
    private static final int MAX_KICKS = 16;

    /** Frames since the last flush that say that more are about to come: both ways through a router at full load. */
    private static final int MORE_TO_COME = FrameBatch.CAPACITY / 2;

    private final LibC libC = LibC.get();
    private final FramePool pool;
    private final ChunksInKernel chunks;
    private final long base;
    private final long chunkMask;
    private ProducerRing tx;
    private ConsumerRing completion;
    private int fd;
    private boolean sendsInCall;
    private RedirectTransmit redirect;
    /** Whether there is a socket to use; the worker's, set by the steps of its {@link XdpRxQueue}. */
    private boolean running;
    /** Frames taken and not completed yet. */
    private int held;
    private int lost;
    /** Frames that were held back by the last flush. */
    private int gathered;

    /**
     * Without a socket yet: it takes no frame.
     *
     * @param pool   of the worker.
     * @param chunks of the sockets to come.
     */
    XdpTxQueue(final FramePool pool, final ChunksInKernel chunks)
    {
        this.pool = pool;
        this.chunks = chunks;
        this.base = pool.region().address();
        this.chunkMask = -pool.chunkSize();
    }

    /**
     * Gives the queue the socket that it uses next; control thread, before the phase is {@code READY}.
     *
     * @param socket bound, whose TX and COMPLETION rings nobody else uses.
     * @param bursts another way for bursts, which stays the caller's; or null where they go by the socket, too.
     */
    void open(final XdpSocket socket, final RedirectTransmit bursts)
    {
        open(new ProducerRing(socket.tx(), XdpLayout.DESC_SIZE), new ConsumerRing(socket.completion(), Long.BYTES),
            socket.fd(), !socket.isZeroCopy());
        redirect = bursts;
    }

    void open(
        final ProducerRing txRing, final ConsumerRing completionRing, final int socket, final boolean sendsInSystemCall)
    {
        tx = txRing;
        completion = completionRing;
        fd = socket;
        sendsInCall = sendsInSystemCall;
    }

    /** From now on frames go to the socket. */
    void start()
    {
        running = true;
    }

    /** From now on no frame is taken and the socket is not used. */
    void stop()
    {
        complete();
        lost = held;
        running = false;
    }

    /** The socket is closed, whether the queue had stopped or not; its chunks are given back by the caller. */
    void end()
    {
        running = false;
        held = 0;
        gathered = 0;
    }

    /** Frames taken that were not sent, or of which that was not known, when the queue stopped; after that. */
    int lost()
    {
        return lost;
    }

    @Override
    public boolean offer(final long handle, final long address, final int length)
    {
        if (!running)
        {
            return false;
        }
        if (!tx.hasRoom())
        {
            transmit();
            if (!tx.hasRoom())
            {
                return false;
            }
        }
        final long entry = tx.next();
        chunks.add(address - base);
        UnsafeApi.putLong(entry + XdpLayout.DESC_ADDR_OFFSET, address - base);
        UnsafeApi.putInt(entry + XdpLayout.DESC_LEN_OFFSET, length);
        UnsafeApi.putInt(entry + XdpLayout.DESC_OPTIONS_OFFSET, 0);
        held++;
        return true;
    }

    @Override
    public void flush()
    {
        if (held > 0 && running && !gathers())
        {
            transmit();
        }
    }

    /** Sends everything now, and takes what comes back. */
    void transmit()
    {
        gathered = 0;
        if (redirect != null && redirect.takes(tx.unpublished()) && tx.unconsumed() == 0)
        {
            redirectBursts();
        }
        tx.publish();
        if (sendsInCall)
        {
            send();
        }
        else if (tx.needsWakeup())
        {
            libC.send(fd, 0, 0, SysSocket.MSG_DONTWAIT);
        }
        complete();
    }

    /** Whether bursts leave by a redirect at the moment; worker and control thread. */
    boolean redirects()
    {
        final RedirectTransmit bursts = redirect;
        return bursts != null && bursts.isAvailable();
    }

    /** Frames taken whose chunks have not come back. */
    int held()
    {
        return running ? held : 0;
    }

    private boolean gathers()
    {
        final int waiting = tx.unpublished();
        final boolean more =
            waiting - gathered >= MORE_TO_COME && waiting < RedirectTransmit.MOST && redirects();
        gathered = more ? waiting : 0;
        return more;
    }

    private void redirectBursts()
    {
        int sent;
        do
        {
            sent = redirect.send(tx, base);
            for (int i = 0; i < sent; i++)
            {
                release(tx.unpublishedEntry(i));
            }
            tx.withdraw(sent);
        }
        while (sent > 0 && tx.unpublished() >= RedirectTransmit.WORTHWHILE);
    }

    /**
     * Calls until the kernel has taken everything. Whatever the call returns (EAGAIN for a full COMPLETION ring or
     * send buffer, EBUSY for a frame that the device dropped, ENOBUFS), what counts is whether the ring has moved.
     */
    private void send()
    {
        int waiting = tx.unconsumed();
        for (int kicks = 0; waiting > 0 && kicks < MAX_KICKS; kicks++)
        {
            libC.send(fd, 0, 0, SysSocket.MSG_DONTWAIT);
            final int before = waiting;
            waiting = tx.unconsumed();
            if (waiting == before && complete() == 0)
            {
                return;
            }
        }
    }

    private int complete()
    {
        final int count = completion.readable();
        for (int i = 0; i < count; i++)
        {
            release(completion.entry(i));
        }
        if (count > 0)
        {
            completion.release(count);
        }
        return count;
    }

    private void release(final long entry)
    {
        final long offset = UnsafeApi.getLong(entry);
        chunks.remove(offset);
        pool.release(base + (offset & chunkMask));
        held--;
    }
}
