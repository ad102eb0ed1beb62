package org.fibnuma.binding.afxdp;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.TxQueue;

/**
 * Adds frames to the TX ring, and returns chunks of sent frames from the COMPLETION ring to the worker's pool. In copy
 * mode the kernel sends only inside a system call, so one call sends a whole batch; in zero-copy mode a call is needed
 * only if the driver sleeps. While no frame is in flight, no shared memory is accessed.
 * <p>
 * A {@link RedirectTransmit}, if any, sends bursts: entries that the kernel has not seen are removed from the ring.
 * Longer bursts are more efficient, so frames are held back while each flush adds 32 or more. The first flush that adds
 * less sends them all.
 */
final class XdpTxQueue implements TxQueue
{
    /** Most system calls in one flush; each must send some frames. The rest waits for the next flush. */
    private static final int MAX_KICKS = 16;

    /** Frames since the last flush from which on more are expected: both directions of a router at full load. */
    private static final int MORE_TO_COME = 32;

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
    /** Whether there is a socket to use. Used by the worker, set by the steps of its {@link XdpRxQueue}. */
    private boolean running;
    /** Frames accepted and not completed yet. */
    private int held;
    private int lost;
    /** Frames that were held back by the last flush. */
    private int gathered;

    /**
     * Creates a queue without a socket, which accepts no frame.
     *
     * @param pool   of the worker.
     * @param chunks records the chunks of the sockets.
     */
    XdpTxQueue(final FramePool pool, final ChunksInKernel chunks)
    {
        this.pool = pool;
        this.chunks = chunks;
        this.base = pool.region().address();
        this.chunkMask = -pool.chunkSize();
    }

    /**
     * Sets the next socket. Control thread, before phase {@code READY}.
     *
     * @param socket bound; only this queue uses its TX and COMPLETION rings.
     * @param bursts sends bursts, closed by the caller; null if the socket sends them.
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

    void start()
    {
        running = true;
    }

    /** Stops accepting frames and using the socket. */
    void stop()
    {
        complete();
        lost = held;
        running = false;
    }

    /** Resets the queue after the socket was closed. The caller returns the chunks to the pool. */
    void end()
    {
        running = false;
        held = 0;
        gathered = 0;
    }

    /** Returns the number of accepted frames whose transmission was unknown when the queue stopped. */
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

    /** Sends all frames now and handles completions. */
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

    /** Returns whether bursts are currently sent by redirect; worker and control thread. */
    boolean redirects()
    {
        final RedirectTransmit bursts = redirect;
        return bursts != null && bursts.isAvailable();
    }

    /** Returns the number of accepted frames whose chunks were not returned. */
    int held()
    {
        return running ? held : 0;
    }

    private boolean gathers()
    {
        final int waiting = tx.unpublished();
        final boolean more =
            waiting - gathered >= MORE_TO_COME && waiting < LiveBurst.MOST && redirects();
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
     * Makes system calls until the kernel has accepted all frames. The result of a call does not matter (EAGAIN for a
     * full COMPLETION ring or send buffer, EBUSY for a frame that the device dropped, ENOBUFS), only whether the ring
     * has advanced.
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
