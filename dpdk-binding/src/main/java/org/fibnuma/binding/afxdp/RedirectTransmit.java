package org.fibnuma.binding.afxdp;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.bpf.BpfLiveRun;
import org.fibnuma.binding.bpf.BpfProgram;
import org.fibnuma.binding.netdevice.XdpFeatures;

/**
 * Sends a burst of a transmit queue in one call, by live runs of {@link RedirectProgram}. Used by the queue's worker.
 * <p>
 * The interface does not report dropped frames. Therefore this is used only on virtual Ethernet pairs, which drop
 * frames of both transmit paths alike. The peer determines whether redirected frames are sent, and may change at any
 * time, so it is polled.
 */
final class RedirectTransmit implements AutoCloseable
{
    /**
     * Smallest burst for which a call is faster than the socket: on Linux 6.18 a call takes 12 us before the first
     * frame and 0.2 us for each frame, the socket 1 us for each frame.
     */
    static final int WORTHWHILE = 16;
    /** Largest number of frames in one call: another 64 gain under 10 % and delay other ports. */
    static final int MOST = 256;

    /** Frames between two flushes of the interface; the ring of a virtual pair holds 256. */
    private static final int BATCH_SIZE = 64;
    /** Bursts between two polls of the peer, which take about 1 us each; as many are lost when the peer changes. */
    private static final int BURSTS_PER_POLL = 16;

    private final BpfLiveRun run;
    private final XdpFeatures features;
    private final long state;
    private int burstsLeft = BURSTS_PER_POLL;
    private volatile boolean available;

    /**
     * Prepares the runs of one queue.
     *
     * @param redirect whose records are sent.
     * @param program  that contains it.
     * @param queue    number of the queue, from 0.
     * @param ifindex  sending interface, in the calling thread's network namespace.
     */
    RedirectTransmit(final RedirectProgram redirect, final BpfProgram program, final int queue, final int ifindex)
    {
        this.state = redirect.address(queue);
        this.features = new XdpFeatures(ifindex);
        this.run = new BpfLiveRun(program, new byte[RedirectLayout.INITIAL_LENGTH + queue], 0, BATCH_SIZE);
        this.available = features.sendsRedirected();
    }

    /** Returns whether the interface sent redirected frames at the last poll; any thread. */
    boolean isAvailable()
    {
        return available;
    }

    /** Returns whether a burst is to be sent by redirect; polls the kernel every few bursts. */
    boolean takes(final int count)
    {
        if (count < WORTHWHILE)
        {
            return false;
        }
        if (--burstsLeft == 0)
        {
            burstsLeft = BURSTS_PER_POLL;
            available = features.sendsRedirected();
        }
        return available;
    }

    /**
     * Sends the oldest unpublished frames of the ring, as many as fit in one call.
     *
     * @param tx   ring, not modified.
     * @param base that its addresses are relative to.
     * @return number of frames sent; fewer than available where a frame does not fit or the kernel refuses.
     */
    int send(final ProducerRing tx, final long base)
    {
        final int count = copy(tx, base);
        if (count > 0)
        {
            UnsafeApi.putInt(state + RedirectLayout.CURSOR_OFFSET, 0);
            UnsafeApi.putInt(state + RedirectLayout.DONE_OFFSET, 0);
            UnsafeApi.putInt(state + RedirectLayout.COUNT_OFFSET, count);
            run.run(count);
            return UnsafeApi.getInt(state + RedirectLayout.DONE_OFFSET);
        }
        return 0;
    }

    @Override
    public void close()
    {
        run.close();
        features.close();
    }

    private int copy(final ProducerRing tx, final long base)
    {
        final int count = Math.min(tx.unpublished(), MOST);
        int cursor = 0;
        for (int i = 0; i < count; i++)
        {
            final long entry = tx.unpublishedEntry(i);
            final int length = UnsafeApi.getInt(entry + XdpLayout.DESC_LEN_OFFSET);
            if (length < RedirectLayout.MIN_FRAME_LENGTH || length > RedirectLayout.MAX_FRAME_LENGTH ||
                cursor > RedirectLayout.RECORDS_SIZE - RedirectLayout.MAX_RECORD_SIZE)
            {
                return i;
            }
            final long record = state + RedirectLayout.RECORDS_OFFSET + cursor;
            UnsafeApi.putInt(record + RedirectLayout.LENGTH_OFFSET, length);
            UnsafeApi.copyMemory(base + UnsafeApi.getLong(entry + XdpLayout.DESC_ADDR_OFFSET),
                record + RedirectLayout.FRAME_OFFSET, length);
            cursor += RedirectLayout.recordSize(length);
        }
        return count;
    }
}
