package org.fibnuma.binding.afxdp;

import org.agrona.UnsafeApi;
import org.fibnuma.binding.bpf.BpfLiveRun;
import org.fibnuma.binding.bpf.BpfProgram;
import org.fibnuma.binding.netdevice.XdpFeatures;

/**
 * Sends a burst of a transmit queue in one call, by live runs of {@link RedirectProgram}. Used by the queue's worker.
 * <p>
 * The interface does not say what it does not take, so this is for virtual pairs, which drop alike whichever way a
 * frame comes. Whether the interface sends redirected frames at all depends on its peer, may change at any time and
 * is asked again and again.
 */
final class RedirectTransmit implements AutoCloseable
{
    /**
     * Frames from which on a call is cheaper than the socket: on Linux 6.18 a call takes 12 us before the first frame
     * and 0.2 us for each, the socket 1 us for each.
     */
    static final int WORTHWHILE = 16;
    /** Frames for one call: another 64 save less than 10 %, and would stand in the way of others for longer. */
    static final int MOST = 256;

    /** Frames between two flushes of the interface; the ring of a virtual pair holds 256. */
    private static final int BATCH_SIZE = 64;
    /** Bursts between two questions, each of which costs about 1 us; as many are lost when the peer changes. */
    private static final int BURSTS_FOR_A_QUESTION = 16;

    private final BpfLiveRun run;
    private final XdpFeatures features;
    private final long state;
    private int burstsLeft = BURSTS_FOR_A_QUESTION;
    private volatile boolean available;

    /**
     * For one queue.
     *
     * @param redirect whose records are sent.
     * @param program  that it is part of.
     * @param queue    number of the queue.
     * @param ifindex  where frames go, in the calling thread's network namespace.
     */
    RedirectTransmit(final RedirectProgram redirect, final BpfProgram program, final int queue, final int ifindex)
    {
        this.state = redirect.address(queue);
        this.features = new XdpFeatures(ifindex);
        this.run = new BpfLiveRun(program, new byte[RedirectLayout.INITIAL_LENGTH + queue], 0, BATCH_SIZE);
        this.available = features.sendsRedirected();
    }

    /** Whether the interface sends redirected frames, as far as is known; any thread may ask. */
    boolean isAvailable()
    {
        return available;
    }

    /** Whether a burst is to be sent this way; asks the kernel now and then. */
    boolean takes(final int count)
    {
        if (count < WORTHWHILE)
        {
            return false;
        }
        if (--burstsLeft == 0)
        {
            burstsLeft = BURSTS_FOR_A_QUESTION;
            available = features.sendsRedirected();
        }
        return available;
    }

    /**
     * Sends the oldest frames that the ring has not published, as many as fit one call.
     *
     * @param tx   to send from; its entries stay as they are.
     * @param base that its addresses count from.
     * @return how many were sent; fewer where a frame does not fit or the kernel refuses.
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
